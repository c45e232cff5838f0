// Short notices at the edge of the screen.

import { fill, h, icon } from "./dom.js";
import { N_, t } from "./i18n.js";

const SHOWN_MS = 5000;

const PROBLEMS = {
  failed: N_("This interaction failed: the bot didn't answer."),
  stale: N_("That has just changed. Have another look at the message."),
  slow: N_("The bot is still busy; the answer will come."),
  invalid: N_("That can't be done like this. Check what you typed."),
  offline: N_("The demo can't be reached. Is it still running in the terminal?"),
  command: N_("The application did not respond"),
};

/** Say for some seconds why something wasn't done. */
export function complain(problem) {
  const text = t(PROBLEMS[problem] ?? PROBLEMS.invalid);
  const notice = h("div", { class: "toast error" }, icon("warning"), h("span", null, text));
  document.getElementById("toasts").append(notice);
  setTimeout(() => notice.remove(), SHOWN_MS);
}

/** Show or hide the bar that says the demo can't be reached. */
export function showConnection(status) {
  const bar = document.getElementById("connection");
  bar.hidden = status === "open";
  const text = t("The connection to the demo is lost. Reconnecting…");
  if (!bar.hidden) fill(bar, h("span", { class: "spinner" }), text);
}
