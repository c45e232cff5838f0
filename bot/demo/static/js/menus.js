// The small menus of the sidebar: other people, and languages.

import { avatar } from "./avatar.js";
import { h, icon } from "./dom.js";
import { chosen, languageName, localised, t } from "./i18n.js";
import { arrows, close, popover } from "./layer.js";
import { attempt } from "./net.js";
import { emit, people, state } from "./state.js";

function menu(anchor, label, items, { title, note } = {}) {
  const list = h("div", { role: "menu", "aria-label": label }, items);
  const opened = popover(anchor, h("div", { class: "menu-list" }, title, list, note), { label, width: 220 });
  arrows(opened.box, '[role^="menuitem"]');
}

const menuItem = (label, onclick, extra = {}) =>
  h(
    extra.href ? "a" : "button",
    {
      class: "menu-item",
      role: "menuitem",
      ...extra,
      type: extra.href ? null : "button",
      onclick: () => {
        close("done");
        onclick?.();
      },
    },
    label,
  );

const commandItems = (person) =>
  state.setting.on_people.map((command) =>
    menuItem([icon("slash", 18), h("span", null, localised(command.name, command.names))], () =>
      attempt({ kind: "on_person", channel: state.current, name: command.name, person: person.id }),
    ),
  );

/** The menu of a person: run an app's command for them, or become them, here or in another window. */
export function personMenu(anchor, person) {
  const own = person.slug === state.me;
  const others = own ? people().filter((other) => other.slug !== state.me) : [person];
  menu(anchor, person.name, [
    ...(own ? [] : commandItems(person)),
    ...others.flatMap((other) => [
      menuItem([avatar(other, 24), h("span", null, t("Be {name}", { name: other.name }))], () =>
        emit("become", other.slug),
      ),
      menuItem([icon("external", 18), h("span", null, t("Open a window as {name}", { name: other.name }))], null, {
        href: `/as/${other.slug}`,
        target: "_blank",
      }),
    ]),
  ]);
}

const languageItems = (kind, now) =>
  Object.entries(state.setting.languages).map(([code, name]) =>
    h(
      "button",
      {
        type: "button",
        class: "menu-item",
        role: "menuitemradio",
        "aria-checked": String(code === now),
        onclick: () => {
          close("done");
          attempt({ kind, locale: code });
        },
      },
      h("span", { lang: code }, name),
      code === now ? icon("check", 18) : null,
    ),
  );

/** A button that shows a language, and opens a menu to change it. `labelledby`: the id of what says whose it is. */
export const languageButton = (kind, code, labelledby, open) =>
  h(
    "button",
    {
      type: "button",
      class: `language ${kind}`,
      id: `${labelledby}-button`,
      "aria-labelledby": `${labelledby} ${labelledby}-button`,
      "aria-haspopup": "menu",
      "aria-expanded": "false",
      onclick: (event) => open(event.currentTarget),
    },
    h("span", { lang: code }, languageName(code)),
    icon("chevron", 14),
  );

/** The menu for the language of the person's Discord. */
export function languageMenu(anchor) {
  const label = t("Your language");
  menu(anchor, label, languageItems("locale", chosen()), { title: h("h2", null, label) });
}

/** The menu for the language of the bot's public messages. */
export function guildMenu(anchor) {
  const label = t("Server language");
  menu(anchor, label, languageItems("guild_locale", state.setting.guild.chosen), {
    title: h("h2", null, label),
    note: h(
      "p",
      { class: "muted small" },
      t("The bot's public messages follow it. Until one is chosen, it is that of whoever came first."),
    ),
  });
}
