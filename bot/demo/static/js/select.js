// Select menus: the list that opens, with one or several choices, of options, people, channels or roles.

import { avatar } from "./avatar.js";
import { chosenOptions, emoji } from "./components.js";
import { fill, h, touch } from "./dom.js";
import { t } from "./i18n.js";
import { arrows, close, current, popover, reposition } from "./layer.js";
import { members, state } from "./state.js";

const SEARCHED = 8;

/** Everything that a menu offers: value, label and details. */
export function menuOptions(item) {
  if (item.type === 3) return item.options.map((option) => ({ ...option, picture: emoji(option.emoji) }));
  const people = members().map((person) => ({
    value: person.id,
    label: person.name,
    description: person.slug,
    picture: avatar(person, 24),
  }));
  const channels = state.setting.channels.map((channel) => ({
    value: channel.id,
    label: `#${channel.name}`,
  }));
  const roles = state.setting.roles.map((role) => ({ value: role.id, label: `@${role.name}` }));
  return { 5: people, 6: roles, 7: people, 8: channels }[item.type] ?? [];
}

const sameValues = (a, b) => a.length === b.length && a.every((value) => b.includes(value));

/** Open a menu's list at `anchor`. Calls `choose(values)` once if the choice has changed. */
export function openMenu(anchor, item, choose) {
  const min = item.min_values ?? 1;
  const max = item.max_values ?? 1;
  const single = max === 1;
  const options = menuOptions(item);
  const before = chosenOptions(item).map((option) => option.value);
  let picked = [...before];
  let filter = "";

  const rows = h("div", {
    class: "options",
    role: "listbox",
    "aria-multiselectable": single ? null : "true",
    "aria-label": item.placeholder || t("Make a selection"),
  });
  const search =
    options.length > SEARCHED || item.type !== 3
      ? h("input", {
          type: "search",
          class: "search",
          placeholder: t("Search"),
          "aria-label": t("Search"),
          oninput: (event) => {
            filter = event.target.value.toLowerCase();
            draw();
          },
        })
      : null;
  const done = h(
    "button",
    { type: "button", class: "button primary", onclick: () => close("done") },
    t("Done"),
  );
  const count = h(
    "span",
    { class: "muted" },
    min === max ? t("Choose {min}", { min }) : t("Choose {min} to {max}", { min, max }),
  );
  const foot = single ? null : h("div", { class: "menu-foot" }, count, done);

  const draw = () => {
    const had = rows.contains(document.activeElement) ? document.activeElement.dataset.value : null;
    const matching = options.filter((option) => option.label.toLowerCase().includes(filter));
    fill(rows, matching.length ? matching.map(row) : h("p", { class: "muted" }, t("Nothing matches")));
    if (had) rows.querySelector(`[data-value="${CSS.escape(had)}"]`)?.focus({ preventScroll: true });
    done.disabled = picked.length < min;
  };
  const row = (option) => {
    const selected = picked.includes(option.value);
    const full = !single && !selected && picked.length >= max;
    return h(
      "div",
      {
        class: "option",
        role: "option",
        tabindex: "-1",
        "data-value": option.value,
        "aria-selected": String(selected),
        "aria-disabled": full ? "true" : null,
        onclick: () => pick(option.value),
      },
      option.picture ? h("span", { class: "option-picture" }, option.picture.cloneNode(true)) : null,
      h(
        "span",
        { class: "option-text" },
        h("span", null, option.label),
        option.description ? h("small", null, option.description) : null,
      ),
      h("span", { class: single ? "radio" : "checkbox", "aria-hidden": "true" }),
    );
  };
  const pick = (value) => {
    if (single) {
      if (picked.includes(value) && min === 0) picked = [];
      else picked = [value];
      close("done");
    } else if (picked.includes(value)) picked = picked.filter((other) => other !== value);
    else if (picked.length < max) picked = [...picked, value];
    draw();
  };
  rows.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (document.activeElement.dataset.value != null) pick(document.activeElement.dataset.value);
  });

  draw();
  const opened = popover(anchor, [search, rows, foot], {
    label: item.placeholder || t("Make a selection"),
    onclose: (reason) => {
      // As on Discord, leaving the list applies what is ticked; Escape does not.
      if (reason === "escape" || reason === "replaced" || picked.length < min || sameValues(picked, before))
        return;
      choose(options.map((option) => option.value).filter((value) => picked.includes(value)));
    },
  });
  arrows(opened.box, ".option, .search");
  const first = rows.querySelector('[aria-selected="true"]') ?? rows.firstElementChild;
  if (!search || touch()) (first ?? opened.box).focus({ preventScroll: true });
  reposition();
  opened.key = { customId: item.custom_id, options: JSON.stringify(item) };
}

/** After a message has changed: keep its open list if the menu is unchanged, otherwise close it. */
export function keepMenu() {
  const opened = current();
  if (
    !opened?.key ||
    (opened.anchor.isConnected && opened.anchor.dataset.id === opened.key.customId && !opened.anchor.disabled)
  )
    return;
  const again = document.querySelector(
    `[data-act="menu"][data-id="${CSS.escape(opened.key.customId)}"]:not(:disabled)`,
  );
  if (again) reposition(again);
  else close("replaced");
}
