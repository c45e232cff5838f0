// A chosen slash command: its options as chips, the values to choose from above them, and sending it.

import { toPresent } from "./chat.js";
import { dots } from "./components.js";
import { fill, h, icon, keepFocus, touch } from "./dom.js";
import { localised, t } from "./i18n.js";
import { act, attempt } from "./net.js";
import { fitting, isNumber, isWhole, offered, written } from "./options.js";
import { fullName } from "./picker.js";
import { state } from "./state.js";

/** Run a slash command in the current channel. */
export const runCommand = (path, options = {}) =>
  attempt({ kind: "command", channel: state.current, path, options });

/** The form that replaces the composer for a command; `given`: texts by option, from a line that was typed out. */
export function commandForm(command, { oncancel, onsent, given = {} }) {
  const entries = command.options.map((option) => entryOf(option, given[option.name]));
  const list = h("div", { class: "picker", onmousedown: keepFocus });
  const fields = h("div", { class: "fields" });
  const run = iconButton("send", t("Run"), { type: "submit", class: "icon-button send" });
  const title = `/${fullName(command)}`;
  const line = h("div", { class: "line" }, h("span", { class: "slash-name" }, title), fields);
  const box = h(
    "div",
    { class: "box" },
    iconButton("close", t("Cancel the command"), { type: "button", class: "icon-button", onclick: oncancel }),
    line,
    run,
  );
  const element = h("div", { class: "command-form", role: "group", "aria-label": title }, list, box);
  let active = null;
  let marked = 0;
  let sending = false;

  const shown = () => entries.filter((entry) => entry.shown);
  const hidden = () => entries.filter((entry) => !entry.shown);
  /** What the list above shows: an option's values, or the options that aren't filled in yet. */
  const rows = () => {
    if (!active) return hidden().map((entry) => [entry.name, describe(entry.option), () => add(entry)]);
    if (!active.choices) return [];
    const typed = active.chosen ? "" : active.input.value;
    return fitting(active.choices, typed).map((choice) => [choice.label, "", () => take(choice)]);
  };
  const drawList = () => {
    const offers = rows();
    marked = Math.max(0, Math.min(marked, offers.length - 1));
    const about = active ? describe(active.option) : describe(command);
    fill(
      list,
      h("div", { class: "about" }, h("strong", null, active ? active.name : title), h("span", null, about)),
      offers.length
        ? h(
            "div",
            { id: "values", role: active ? "listbox" : "group", "aria-label": active ? active.name : t("Options") },
            offers.map(([name, note, pick], index) => row(name, note, pick, index)),
          )
        : null,
    );
    list.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
    for (const { input } of entries.filter((entry) => entry.listed)) {
      const open = input === active?.input && offers.length > 0;
      input.setAttribute("aria-expanded", String(open));
      input.setAttribute("aria-activedescendant", open ? `value-${marked}` : "");
    }
  };
  const row = (name, note, pick, index) =>
    h(
      active ? "div" : "button",
      {
        class: active ? "value" : "value add-option",
        type: active ? null : "button",
        role: active ? "option" : null,
        id: `value-${index}`,
        "aria-selected": active ? String(index === marked) : null,
        onclick: pick,
      },
      h("strong", null, name),
      note ? h("span", null, note) : null,
    );
  const drawFields = () => {
    const left = hidden().length;
    fill(
      fields,
      shown().map((entry) => entry.chip),
      left ? h("button", { type: "button", class: "more-options" }, t("+{n} more", { n: left })) : null,
    );
    drawList();
  };
  const add = (entry) => {
    entry.shown = true;
    drawFields();
    entry.input.focus();
  };
  const remove = (entry) => {
    entry.shown = false;
    entry.choose(null);
    active = null;
    drawFields();
    focus();
  };
  /** Ask the bot what it offers for an option whose values it doesn't list beforehand. */
  const suggest = async (entry) => {
    const { name: option } = entry.option;
    const answer = await act({ kind: "autocomplete", channel: state.current, path: command.path, option });
    if (!answer.ok) return;
    entry.choices = answer.choices.map(({ name, value }) => ({ value, label: name }));
    if (active === entry) drawList();
  };
  const take = (choice) => {
    active.choose(choice);
    next();
  };
  /** Move to the next empty option, or send. */
  const next = () => (shown().find((entry) => entry.input.value === "")?.input ?? run).focus();
  const focus = () => next();

  for (const entry of entries) {
    const label = h("label", null, h("span", null, entry.name), entry.input);
    const drop = entry.option.required
      ? null
      : iconButton("close", t("Remove {name}", { name: entry.name }), {
          type: "button",
          class: "remove",
          onclick: () => remove(entry),
        });
    entry.chip = h("div", { class: "pill" }, label, drop);
    entry.input.addEventListener("focus", () => {
      active = entry;
      marked = 0;
      drawList();
      if (entry.option.autocomplete) suggest(entry);
    });
    entry.input.addEventListener("blur", () => {
      if (active !== entry) return;
      active = null;
      entry.settle();
      drawList();
    });
    entry.input.addEventListener("input", () => {
      entry.chosen = null;
      marked = 0;
      drawList();
    });
  }

  const send = async () => {
    if (sending) return;
    const options = {};
    for (const entry of shown()) {
      entry.settle();
      const wrong = !entry.valid();
      entry.chip.classList.toggle("wrong", wrong);
      if (wrong) return entry.input.focus();
      const value = entry.read();
      if (value !== "") options[entry.option.name] = value;
    }
    sending = true;
    fill(run, dots(t("Waiting for the answer")));
    toPresent();
    const answer = await runCommand(command.path, options);
    sending = false;
    fill(run, icon("send", 20));
    if (answer.ok && element.isConnected) onsent();
  };

  element.addEventListener("keydown", (event) => {
    const offers = active ? rows() : [];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") {
      event.stopPropagation();
      oncancel();
    } else if (step && offers.length) {
      event.preventDefault();
      marked = (marked + step + offers.length) % offers.length;
      drawList();
    } else if (event.key === "Enter" && active) {
      event.preventDefault();
      if (offers.length && !active.chosen) offers[marked][2]();
      else send();
    } else if (event.key === "Tab" && !event.shiftKey && active && offers.length && !active.chosen && active.input.value) {
      active.choose(fitting(active.choices, active.input.value)[marked]);
    } else if (event.key === "Backspace" && (event.target === run || event.target.value === "")) {
      event.preventDefault();
      const last = active ?? shown().at(-1);
      if (last && !last.option.required) remove(last);
      else if (!active) oncancel();
    }
  });
  drawFields();
  return { element, focus, send };
}

const describe = (what) => localised(what.description, what.descriptions);

const iconButton = (name, label, attributes) =>
  h("button", { "aria-label": label, title: label, ...attributes }, icon(name, name === "send" ? 20 : 16));

/** An option with the input of its value. */
function entryOf(option, given) {
  const choices = offered(option);
  const listed = choices || option.autocomplete;
  const input = h("input", {
    type: isNumber(option) && !choices ? "number" : "text",
    min: option.min_value,
    max: option.max_value,
    step: isWhole(option) ? 1 : "any",
    minlength: option.min_length,
    maxlength: option.max_length,
    inputmode: choices && touch() ? "none" : isNumber(option) ? "numeric" : null, // a list needs no keyboard
    role: listed ? "combobox" : null,
    "aria-controls": listed ? "values" : null,
    autocomplete: "off",
  });
  const entry = {
    option,
    choices,
    listed,
    input,
    name: localised(option.name, option.names),
    shown: Boolean(option.required) || given !== undefined,
    chosen: null,
    choose: (choice) => {
      entry.chosen = choice;
      input.value = choice?.label ?? "";
    },
    /** Turn what was typed into the choice it names. */
    settle: () => {
      const meant = entry.choices && !entry.chosen && input.value ? written(entry.choices, input.value) : null;
      if (meant) entry.choose(meant);
    },
    valid: () => {
      if (input.value === "") return !option.required && input.checkValidity();
      return choices ? entry.chosen !== null : input.checkValidity();
    },
    read: () => {
      if (input.value === "") return "";
      if (entry.chosen) return entry.chosen.value;
      return isNumber(option) ? Number(input.value) : input.value;
    },
  };
  if (given !== undefined) {
    input.value = given;
    // A number input rejects anything else: it stays empty and is asked for again.
    entry.settle();
    if (input.value === "") input.required = true;
  }
  return entry;
}
