// Where messages and commands are typed.

import { toPresent } from "./chat.js";
import { commandForm } from "./command.js";
import { fill, h, icon, keepFocus, touch } from "./dom.js";
import { t } from "./i18n.js";
import { attempt } from "./net.js";
import { writtenOptions } from "./options.js";
import { afterName, commandList, fullName } from "./picker.js";
import { channelNamed, on, state, titleOf } from "./state.js";

const composer = document.getElementById("composer");
let form = null;
let drawnFor = "";

const input = h("textarea", {
  rows: 1,
  maxlength: 2000,
  enterkeyhint: "send",
  "aria-autocomplete": "list",
  "aria-controls": "picker",
});
const picker = h("div", { id: "picker", class: "picker", hidden: true, onmousedown: keepFocus });
const list = commandList(picker, input, chosen);

/** Draw the composer in the person's language for the current channel. */
export function renderComposer() {
  const mark = JSON.stringify([
    state.current,
    state.me,
    state.setting.locale,
    state.setting.language,
  ]);
  if (mark === drawnFor) return list.refresh();
  drawnFor = mark;
  form = null;
  input.value = "";
  showInput();
}

function showInput() {
  form = null;
  const channel = channelNamed(state.current);
  input.placeholder = t("Message {channel}", { channel: channel ? titleOf(channel) : "" });
  input.setAttribute("aria-label", input.placeholder);
  fill(
    composer,
    picker,
    h(
      "div",
      { class: "box" },
      h(
        "button",
        {
          type: "button",
          class: "icon-button",
          "aria-label": t("Commands"),
          title: t("Commands"),
          onclick: openCommands,
        },
        icon("slash", 22),
      ),
      input,
      h(
        "button",
        { type: "submit", class: "icon-button send", "aria-label": t("Send"), title: t("Send") },
        icon("send", 20),
      ),
    ),
  );
  list.close();
  resize();
}

function openCommands() {
  if (!input.value.startsWith("/")) input.value = "/";
  input.focus();
  list.update();
}

/** Start a chosen command; if its options were typed out, Enter runs it. */
function chosen(command, entered) {
  const given = writtenOptions(command, afterName(command, input.value) ?? "");
  startCommand(command, given ?? {});
  if (entered && given && Object.keys(given).length) form.send();
}

/** Open the form for a command's options; a command that needs none can be sent at once. */
export function startCommand(command, given = {}) {
  list.close();
  input.value = "";
  form = commandForm(command, { oncancel: backToText, onsent: backToText, given });
  fill(composer, form.element);
  form.focus();
}

/**
 * Restore the composer, with the focus unless the person has moved it meanwhile: a command's message can be on the
 * page before the answer to the command. A phone's keyboard stays closed, because games are played with buttons.
 */
function backToText() {
  const at = document.activeElement;
  const elsewhere = at && at !== document.body && !composer.contains(at);
  showInput();
  if (!elsewhere && !touch()) input.focus();
}

/** Start the command with this path, if there is one. */
export function useCommand(path) {
  const command = state.setting.commands.find((each) => each.path === path || fullName(each) === path);
  if (command) startCommand(command);
}

async function send() {
  const text = input.value.trim();
  if (!text) return;
  if (text.startsWith("/") && list.chooseFirst()) return;
  const channel = state.current;
  input.value = "";
  list.close();
  resize();
  toPresent();
  const answer = await attempt({ kind: "say", channel, text });
  if (!answer.ok && !input.value) input.value = text;
}

function resize() {
  input.style.height = "auto";
  input.style.height = `${Math.min(input.scrollHeight, innerHeight / 3)}px`;
}

composer.addEventListener("submit", (event) => {
  event.preventDefault();
  if (form) form.send();
  else send();
});
input.addEventListener("input", () => {
  resize();
  list.update();
});
input.addEventListener("keydown", (event) => {
  if (list.key(event)) return;
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    send();
  }
});
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select, dialog, .popover");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || event.key !== "/") return;
  if (form) return;
  event.preventDefault();
  openCommands();
});
on("use-command", useCommand);
