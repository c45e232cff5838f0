// A chosen slash command: its options as fields, and sending it.

import { toPresent } from "./chat.js";
import { fill, h, icon } from "./dom.js";
import { localised, t } from "./i18n.js";
import { attempt } from "./net.js";
import { fullName } from "./picker.js";
import { people, state } from "./state.js";
import { dots } from "./components.js";

const INTEGER = 4,
  BOOLEAN = 5,
  USER = 6,
  CHANNEL = 7,
  MENTIONABLE = 9,
  NUMBER = 10;

/** The form of a command that takes the composer's place. */
export function commandForm(command, { oncancel, onsent }) {
  const entries = command.options.map((option) => ({
    option,
    control: control(option),
    name: localised(option.name, option.names),
    shown: Boolean(option.required),
  }));
  const fields = h("div", { class: "fields" });
  const about = h("div", { class: "about" });
  const run = h(
    "button",
    { type: "submit", class: "icon-button send", "aria-label": t("command.run"), title: t("command.run") },
    icon("send", 20),
  );
  const element = h(
    "div",
    { class: "command-form", role: "group", "aria-label": `/${fullName(command)}` },
    about,
    h(
      "div",
      { class: "box" },
      h(
        "button",
        {
          type: "button",
          class: "icon-button",
          "aria-label": t("command.cancel"),
          title: t("command.cancel"),
          onclick: oncancel,
        },
        icon("close", 20),
      ),
      h("div", { class: "line" }, h("span", { class: "slash-name" }, `/${fullName(command)}`), fields),
      run,
    ),
  );
  let sending = false;

  const describe = (entry) => {
    const text = entry
      ? localised(entry.option.description, entry.option.descriptions)
      : localised(command.description, command.descriptions);
    fill(about, h("strong", null, entry ? entry.name : `/${fullName(command)}`), h("span", null, text));
  };
  const draw = () => {
    const more = entries.filter((entry) => !entry.shown);
    fill(
      fields,
      entries.filter((entry) => entry.shown).map(field),
      more.map((entry) =>
        h(
          "button",
          {
            type: "button",
            class: "add-option",
            onclick: () => {
              entry.shown = true;
              draw();
              entry.control.element.focus();
            },
            onpointerenter: () => describe(entry),
            onpointerleave: () => describe(null),
          },
          `+ ${entry.name}`,
        ),
      ),
    );
  };
  const field = (entry) =>
    h(
      "div",
      { class: "pill", onfocusin: () => describe(entry) },
      h("label", null, h("span", null, entry.name), entry.control.element),
      entry.option.required
        ? null
        : h(
            "button",
            {
              type: "button",
              class: "remove",
              "aria-label": t("option.remove", { name: entry.name }),
              onclick: () => {
                entry.shown = false;
                draw();
                focus();
              },
            },
            icon("close", 14),
          ),
    );
  const focus = () => (element.querySelector(".pill input, .pill select") ?? run).focus();

  const send = async () => {
    if (sending) return;
    const options = {};
    for (const entry of entries.filter((each) => each.shown)) {
      const value = entry.control.read();
      const wrong = value === undefined || (value === "" && entry.option.required) || !entry.control.valid();
      entry.control.element.closest(".pill").classList.toggle("wrong", wrong);
      if (wrong) {
        describe(entry);
        return entry.control.element.focus();
      }
      if (value !== "") options[entry.option.name] = value;
    }
    sending = true;
    fill(run, dots(t("working")));
    toPresent();
    const answer = await runCommand(command.path, options);
    sending = false;
    fill(run, icon("send", 20));
    if (answer.ok && element.isConnected) onsent();
  };

  element.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      oncancel();
    } else if (event.key === "Enter" && event.target.matches("input, select")) {
      event.preventDefault();
      send();
    } else if (event.key === "Backspace" && event.target === run) oncancel();
  });
  describe(null);
  draw();
  return { element, focus, send };
}

/** Run a slash command in the current channel. */
export const runCommand = (path, options = {}) =>
  attempt({ kind: "command", channel: state.current, path, options });

/** An option's input: how to show it, read it, and whether it holds something that fits. */
function control(option) {
  const offered = choices(option);
  if (offered) {
    const element = h(
      "select",
      null,
      h("option", { value: "" }, t("option.choose")),
      offered.map(({ label }, index) => h("option", { value: String(index) }, label)),
    );
    return {
      element,
      read: () => (element.value === "" ? "" : offered[Number(element.value)].value),
      valid: () => true,
    };
  }
  const number = option.type === INTEGER || option.type === NUMBER;
  const element = number
    ? h("input", {
        type: "number",
        min: option.min_value,
        max: option.max_value,
        step: option.type === INTEGER ? 1 : "any",
        inputmode: "numeric",
      })
    : h("input", { type: "text", minlength: option.min_length, maxlength: option.max_length });
  return {
    element,
    read: () => (number && element.value !== "" ? Number(element.value) : element.value),
    valid: () => element.checkValidity(),
  };
}

function choices(option) {
  if (option.choices.length)
    return option.choices.map((choice) => ({
      value: choice.value,
      label: localised(choice.name, choice.names),
    }));
  if (option.type === BOOLEAN)
    return [
      { value: true, label: t("yes") },
      { value: false, label: t("no") },
    ];
  if (option.type === USER || option.type === MENTIONABLE)
    return people().map((person) => ({ value: person.id, label: `@${person.name}` }));
  if (option.type === CHANNEL)
    return state.setting.channels.map((channel) => ({ value: channel.id, label: `#${channel.name}` }));
  return null;
}
