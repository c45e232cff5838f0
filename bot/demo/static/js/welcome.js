// The channel's beginning: what to click first, and where to find the other people.

import { avatar } from "./avatar.js";
import { runCommand } from "./command.js";
import { fill, h, icon } from "./dom.js";
import { languageName, languages, parts, t } from "./i18n.js";
import { chooseMatch } from "./match.js";
import { attempt } from "./net.js";
import { START, fullName } from "./picker.js";
import { channelNamed, members, state, titleOf } from "./state.js";

const SEEN = "escoba-demo-hint-seen";

const remembered = () => {
  try {
    return localStorage.getItem(SEEN) === "yes";
  } catch {
    return false;
  }
};

let hidden = remembered();

/** Show the hint again. */
export function showHint() {
  hidden = false;
  renderWelcome();
  document.getElementById("scroller").scrollTop = 0;
}

function dismiss() {
  hidden = true;
  try {
    localStorage.setItem(SEEN, "yes");
  } catch {
    // A browser without storage shows the hint again next time.
  }
  renderWelcome();
}

export function renderWelcome() {
  const channel = channelNamed(state.current);
  const command = state.setting.commands.find((each) => each.path === START);
  const allowed = command && !channel.direct && channel.commands.includes(START);
  fill(
    document.getElementById("welcome"),
    h("div", { class: "welcome-icon" }, icon(channel.direct ? "bubble" : "hash", 42)),
    h("h2", null, channel.direct ? titleOf(channel) : t("welcome", { channel: titleOf(channel) })),
    h(
      "p",
      { class: "muted" },
      channel.direct
        ? t("welcome.direct", { bot: channel.name })
        : t("welcome.start", { channel: titleOf(channel) }),
    ),
    allowed ? start(command) : null,
    hidden ? null : hint(),
  );
}

function hint() {
  const locale = state.setting.guild.locale;
  const language = ([code, locales]) => {
    const on = locales.includes(locale);
    const choose = () => on || attempt({ kind: "guild_locale", locale: locales[0] });
    return h(
      "button",
      { type: "button", class: "choice-link", lang: locales[0], "aria-pressed": String(on), onclick: choose },
      languageName(code),
    );
  };
  return h(
    "aside",
    { class: "hint" },
    icon("help", 20),
    h(
      "div",
      null,
      h("p", null, t("hint"), " ", t("hint.guess")),
      h("p", null, h("span", null, t("hint.language")), languages().map(language)),
      h(
        "p",
        null,
        h("button", { type: "button", class: "choice-link", onclick: chooseMatch }, t("match.open")),
        h("span", null, t("match.drop")),
      ),
    ),
    h("button", { type: "button", class: "button secondary", onclick: dismiss }, t("hint.close")),
  );
}

function start(command) {
  const name = `/${fullName(command)}`;
  const press = async (event) => {
    const button = event.currentTarget;
    button.disabled = true;
    await runCommand(START);
    button.disabled = false;
  };
  return [
    h(
      "p",
      null,
      parts("welcome.how", { start: h("strong", null, t("welcome.button")), command: h("code", null, name) }),
    ),
    h(
      "button",
      { type: "button", class: "button success big", onclick: press },
      icon("play", 20),
      t("welcome.button"),
    ),
    h("p", { class: "others-title" }, t("welcome.people")),
    h(
      "ul",
      { class: "others" },
      members()
        .filter((person) => person.slug !== state.me)
        .map((person) =>
          h(
            "li",
            null,
            h(
              "a",
              { href: `/as/${person.slug}`, target: "_blank" },
              avatar(person, 24),
              h("span", null, person.name),
              icon("external", 16),
            ),
          ),
        ),
    ),
  ];
}
