// The demo's own strip on top: the current person and language.

import { avatar } from "./avatar.js";
import { fill, h, icon } from "./dom.js";
import { languageName, languages, locale, t } from "./i18n.js";
import { attempt } from "./net.js";
import { emit, people, self, state } from "./state.js";

export function renderStrip() {
  const strip = document.getElementById("strip");
  strip.setAttribute("aria-label", t("demo"));
  const home = self()?.home;
  const set = (locales) => attempt({ kind: "locale", locale: locales.includes(home) ? home : locales[0] });
  fill(
    strip,
    h("span", { class: "strip-title" }, t("demo")),
    h(
      "div",
      { class: `faces ${people().length > 4 ? "many" : ""}`, role: "group", "aria-label": t("demo.people") },
      people().map((person) => face(person)),
    ),
    h(
      "div",
      { class: "toggle", role: "group", "aria-label": t("language.mine") },
      languages().map(([code, locales]) => {
        const on = locales.includes(locale());
        return h(
          "button",
          { type: "button", "aria-pressed": String(on), lang: code, onclick: () => on || set(locales) },
          h("span", { class: "long" }, languageName(code)),
          h("span", { class: "short", "aria-hidden": "true" }, code.toUpperCase()),
        );
      }),
    ),
  );
}

function face(person) {
  const me = person.slug === state.me;
  const name = me ? t("demo.you", { name: person.name }) : t("demo.be", { name: person.name });
  return h(
    "span",
    { class: "face-pair" },
    h(
      "button",
      {
        type: "button",
        class: "face-button",
        "aria-pressed": String(me),
        "aria-label": name,
        title: name,
        onclick: () => me || emit("become", person.slug),
      },
      avatar(person, 24),
      h("span", { class: "face-name" }, person.name),
    ),
    me
      ? null
      : h(
          "a",
          {
            class: "face-open",
            href: `/as/${person.slug}`,
            target: "_blank",
            title: t("open.window", { name: person.name }),
            "aria-label": t("open.window", { name: person.name }),
          },
          icon("external", 14),
        ),
  );
}
