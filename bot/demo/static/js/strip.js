// The demo's own strip on top: the current person and language.

import { avatar } from "./avatar.js";
import { fill, h, icon } from "./dom.js";
import { chosen, t } from "./i18n.js";
import { languageButton, languageMenu } from "./menus.js";
import { emit, people, state } from "./state.js";

export function renderStrip() {
  const strip = document.getElementById("strip");
  strip.setAttribute("aria-label", t("Simulated Discord"));
  fill(
    strip,
    h("span", { class: "strip-title" }, t("Simulated Discord")),
    h(
      "div",
      { class: `faces ${people().length > 4 ? "many" : ""}`, role: "group", "aria-label": t("Be someone else") },
      people().map((person) => face(person)),
    ),
    h("span", { class: "sr", id: "own-language" }, t("Your language")),
    languageButton("own", chosen(), "own-language", languageMenu),
  );
}

function face(person) {
  const me = person.slug === state.me;
  const name = me ? t("{name} (you)", { name: person.name }) : t("Be {name}", { name: person.name });
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
            title: t("Open a window as {name}", { name: person.name }),
            "aria-label": t("Open a window as {name}", { name: person.name }),
          },
          icon("external", 14),
        ),
  );
}
