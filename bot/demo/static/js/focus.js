// Keyboard focus in a message: kept while the message is redrawn, and while the focused component is disabled.

const FOCUSABLE = "button, a, [tabindex='0']";

/** Where the focus is or was: the message and the component. */
let held = null;

const labelOf = (element) => element.getAttribute("aria-label") ?? element.textContent;
const usable = (element) => !element.disabled && element.checkVisibility();

/** Remember the focus before messages are redrawn. */
export function holdFocus(list) {
  const at = document.activeElement;
  const item = at?.closest?.("[data-message]");
  if (item && list.contains(item)) {
    if (at === item) return; // it waits there for its component
    const all = [...item.querySelectorAll(FOCUSABLE)];
    held = {
      message: item.dataset.message,
      order: [...list.children].indexOf(item),
      index: all.indexOf(at),
      id: at.dataset.id,
      label: labelOf(at),
    };
  } else if (at !== document.body) held = null;
}

/** Restore the focus after messages were redrawn, if it was lost. */
export function restoreFocus(list) {
  if (!held) return;
  const at = document.activeElement;
  const waits = at?.matches?.("[data-message]");
  if (at !== document.body && !waits && !at.disabled) return;
  const item = itemOf(list);
  if (!item) return;
  const place = placeIn(item) ?? item;
  if (place === at) return;
  if (place === item) item.tabIndex = -1; // nothing here is enabled now: focus the message itself
  place.focus({ preventScroll: true });
}

/** The message, or the one that replaced it. */
function itemOf(list) {
  const messages = [...list.querySelectorAll("[data-message]")];
  return (
    messages.find((item) => item.dataset.message === held.message) ??
    messages.findLast((item) => placeIn(item)) ??
    list.children[Math.min(held.order, list.children.length - 1)]?.closest("[data-message]")
  );
}

/** What to focus: the same component, or one with the same label, or the nearest. */
function placeIn(item) {
  const all = [...item.querySelectorAll(FOCUSABLE)];
  const byDistance = (a, b) => Math.abs(all.indexOf(a) - held.index) - Math.abs(all.indexOf(b) - held.index);
  const same = all.find((each) => held.id && each.dataset.id === held.id && usable(each));
  if (same) return same;
  const [named] = all.filter((each) => usable(each) && held.label && labelOf(each) === held.label).sort(byDistance);
  if (named) return named;
  if (item.dataset.message !== held.message) return null;
  const row = all[held.index]?.closest(".row");
  const [near] = all.filter((each) => usable(each) && row?.contains(each)).sort(byDistance);
  return near ?? null;
}

document.addEventListener("pointerdown", () => (held = null));
