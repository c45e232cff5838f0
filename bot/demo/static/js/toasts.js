// Short notices at the edge of the screen.

import { fill, h, icon } from "./dom.js";
import { t } from "./i18n.js";

const SHOWN_MS = 5000;

/** Show the text with this key for some seconds. */
export function toast(key, kind = "error") {
  const notice = h(
    "div",
    { class: `toast ${kind}` },
    icon(kind === "error" ? "warning" : "check"),
    h("span", null, t(key)),
  );
  document.getElementById("toasts").append(notice);
  setTimeout(() => notice.remove(), SHOWN_MS);
}

/** Show or hide the bar that says the demo can't be reached. */
export function showConnection(status) {
  const bar = document.getElementById("connection");
  bar.hidden = status === "open";
  if (!bar.hidden) fill(bar, h("span", { class: "spinner" }), t("reconnecting"));
}
