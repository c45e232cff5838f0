// The channel's beginning: what to click first, and where to find the other people.

import { avatar } from "./avatar.js";
import { runCommand } from "./command.js";
import { fill, h, icon } from "./dom.js";
import { parts, t } from "./i18n.js";
import { chooseMatch } from "./match.js";
import { guildMenu, languageButton } from "./menus.js";
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
    h("h2", null, channel.direct ? titleOf(channel) : t("Welcome to {channel}!", { channel: titleOf(channel) })),
    h(
      "p",
      { class: "muted" },
      channel.direct
        ? t("Here you write to {bot} alone. Type / to see what works without a server.", { bot: channel.name })
        : t("This is the start of the {channel} channel.", { channel: titleOf(channel) }),
    ),
    allowed ? start(command) : null,
    hidden ? null : hint(),
  );
}

function hint() {
  return h(
    "aside",
    { class: "hint" },
    icon("help", 20),
    h(
      "div",
      null,
      h(
        "p",
        null,
        t("Each window is one person. What only one person can see is marked “only you can see this”."),
        " ",
        t("How high pictures may be is a guess of this page."),
      ),
      h(
        "p",
        null,
        h("span", { id: "public-language" }, t("Language of the messages everyone sees:")),
        languageButton("choice-link", state.setting.guild.chosen, "public-language", guildMenu),
      ),
      h(
        "p",
        null,
        h("button", { type: "button", class: "choice-link", onclick: chooseMatch }, t("Watch a saved match")),
        h("span", null, t("or drop its file onto this page")),
      ),
    ),
    h("button", { type: "button", class: "button secondary", onclick: dismiss }, t("Got it")),
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
      // Translators: {start}: the button “Start a game”.
      parts(
        "Press {start} or type {command} below to open a table. The bot is the real one; only Discord is make-believe.",
        { start: h("strong", null, t("Start a game")), command: h("code", null, name) },
      ),
    ),
    h(
      "button",
      { type: "button", class: "button success big", onclick: press },
      icon("play", 20),
      t("Start a game"),
    ),
    h("p", { class: "others-title" }, t("Open the other people's windows and play with them:")),
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
