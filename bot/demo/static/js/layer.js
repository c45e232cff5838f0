// Layers above the page: popovers beside what opened them (sheets on a phone), and enlarged pictures.

import { h, icon, touch } from "./dom.js";
import { t } from "./i18n.js";

const layer = document.getElementById("layer");
let open = null;

/** Matches phones in portrait and landscape, as the style sheet does. */
export const narrow = () => matchMedia("(max-width: 700px), (max-height: 500px)").matches;

/** The popover that is open: its element, the element it belongs to, and how to close it. */
export const current = () => open;

/**
 * Show `content` beside `anchor`. `onclose(reason)` receives why it closed: "escape", "outside" or the argument of
 * `close`. Focus returns to the anchor unless the click went elsewhere.
 */
export function popover(anchor, content, { onclose, place = "below", label, width } = {}) {
  close("replaced");
  const box = h("div", { class: "popover", id: "popover", role: "dialog", "aria-label": label, tabindex: "-1" }, content);
  const shade = narrow() ? h("div", { class: "shade", onclick: () => close("outside") }) : null;
  layer.append(...[shade, box].filter(Boolean));
  open = { anchor, box, onclose, place, width };
  reposition();
  const first =
    box.querySelector("[autofocus]") ??
    box.querySelector(`[aria-selected="true"], ${touch() ? "" : "input, "}button, a, [tabindex="0"]`);
  (first ?? box).focus({ preventScroll: true });
  return open;
}

export function close(reason = "closed") {
  if (!open) return;
  const { anchor, onclose } = open;
  const inside = open.box.contains(document.activeElement);
  open = null;
  layer.replaceChildren();
  anchor.setAttribute("aria-expanded", "false");
  anchor.removeAttribute("aria-controls");
  if (inside && reason !== "replaced" && anchor.isConnected) anchor.focus({ preventScroll: true });
  onclose?.(reason);
}

/** Move the open popover to where its anchor is now; another element may have taken the anchor's place. */
export function reposition(anchor = open?.anchor) {
  if (!open) return;
  open.anchor = anchor;
  anchor.setAttribute("aria-expanded", "true");
  anchor.setAttribute("aria-controls", open.box.id);
  const { box, place } = open;
  if (narrow()) {
    box.classList.add("sheet");
    return;
  }
  box.classList.remove("sheet");
  const at = anchor.getBoundingClientRect();
  box.style.minWidth = `${Math.min(open.width ?? at.width, innerWidth - 16)}px`;
  const { offsetWidth: width } = box;
  const below = innerHeight - at.bottom - 12;
  const above = at.top - 12;
  const up = place === "above" || (below < 240 && above > below);
  box.style.maxHeight = `${Math.max(160, Math.min(up ? above : below, 460))}px`;
  const height = box.offsetHeight;
  const left = place === "end" ? at.right - width : at.left;
  box.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  box.style.top = `${Math.max(8, up ? at.top - height - 6 : at.bottom + 6)}px`;
}

document.addEventListener(
  "pointerdown",
  (event) => {
    // The backdrop handles its own click: if it were gone by then, the click would reach what is below it.
    const inside = [open?.box, open?.anchor].some((each) => each?.contains(event.target));
    if (open && !inside && !event.target.closest(".shade")) close("outside");
  },
  true,
);
document.addEventListener(
  "keydown",
  (event) => {
    if (event.key === "Escape" && open) {
      event.stopPropagation();
      close("escape");
    }
  },
  true,
);
addEventListener("resize", () => reposition());

/** Show a picture's description beside its badge. */
export function explain(badge) {
  if (open?.anchor === badge) return close();
  const text = badge.parentElement.querySelector("img").alt;
  popover(badge, h("div", { class: "alt-text" }, h("h2", null, t("Image description")), h("p", null, text)), {
    label: t("Image description"),
    width: 280,
  });
}

/** Show a picture large. */
export function zoom(image) {
  const dialog = h(
    "dialog",
    {
      class: "lightbox",
      "aria-label": image.alt,
      onclick: () => dialog.close(),
      onclose: () => dialog.remove(),
    },
    h("img", { src: image.src, alt: image.alt }),
    h("button", { type: "button", class: "icon-button", "aria-label": t("Close") }, icon("close")),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/** Make the arrow keys move through the items of a list that match `selector`. */
export function arrows(box, selector) {
  box.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step && event.key !== "Home" && event.key !== "End") return;
    if (!step && event.target.matches("input")) return;
    const items = [...box.querySelectorAll(selector)];
    if (!items.length) return;
    event.preventDefault();
    const index = items.indexOf(document.activeElement);
    const next =
      event.key === "Home"
        ? 0
        : event.key === "End"
          ? items.length - 1
          : (index + step + items.length) % items.length;
    items[index < 0 && step < 0 ? items.length - 1 : next].focus();
  });
}
