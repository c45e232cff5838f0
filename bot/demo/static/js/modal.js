// Forms that the bot opens.

import { avatar } from "./avatar.js";
import { chosenOptions } from "./components.js";
import { fill, h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { markdown } from "./markdown.js";
import { attempt } from "./net.js";
import { menuOptions } from "./select.js";
import { state } from "./state.js";

/** Show a form, which is submitted to the bot. */
export function openModal(modal) {
  const fields = modal.components.map(field).filter(Boolean);
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  const submit = h("button", { type: "submit", class: "button primary" }, t("Submit"));
  const form = h(
    "form",
    { method: "dialog", novalidate: true, onsubmit: send },
    h(
      "div",
      { class: "modal-head" },
      avatar({ ...state.setting.bot, bot: true }, 24),
      h("h2", { id: "modal-title" }, modal.title),
      h(
        "button",
        {
          type: "button",
          class: "icon-button",
          "aria-label": t("Close"),
          onclick: () => dialog.close(),
        },
        icon("close"),
      ),
    ),
    h(
      "div",
      { class: "modal-body" },
      h("p", { class: "muted small" }, t("This form will be submitted to {bot}.", { bot: state.setting.bot.name })),
      fields.map((entry) => entry.element),
      problem,
    ),
    h(
      "div",
      { class: "modal-foot" },
      h(
        "button",
        { type: "button", class: "button plain", onclick: () => dialog.close() },
        t("Cancel"),
      ),
      submit,
    ),
  );
  const dialog = h(
    "dialog",
    { class: "modal", "aria-labelledby": "modal-title", onclose: () => dialog.remove() },
    form,
  );
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector("input, textarea, select")?.focus();

  async function send(event) {
    event.preventDefault();
    const values = {};
    let complete = true;
    for (const entry of fields.filter((each) => each.id)) {
      const value = entry.read();
      const missing = entry.required && (value === "" || (Array.isArray(value) && !value.length));
      entry.element.classList.toggle("missing", missing);
      if (missing && complete) entry.element.querySelector("input, textarea, select")?.focus();
      complete &&= !missing;
      if (value !== "" && !(Array.isArray(value) && !value.length)) values[entry.id] = value;
    }
    if (!complete) {
      problem.hidden = false;
      fill(problem, icon("warning", 16), t("This is needed"));
      return;
    }
    submit.disabled = true;
    const answer = await attempt({ kind: "modal", modal: modal.key, values });
    submit.disabled = false;
    if (answer.ok) dialog.close();
  }
}

/** A form's entry: its element, and how to read what was filled in. */
function field(item) {
  if (item.type === 10) return { element: h("div", { class: "markup" }, markdown(item.content)) };
  if (item.type === 1) return labelled(item.components[0], item.components[0].label);
  if (item.type === 18) return labelled(item.component, item.label, item.description);
  return labelled(item, item.label ?? "");
}

function labelled(control, label, description) {
  const made = (CONTROLS[control.type] ?? CONTROLS[4])(control);
  const required = control.type === 23 ? false : (control.required ?? true);
  return {
    id: control.custom_id,
    required,
    read: made.read,
    element: h(
      "div",
      { class: "field", role: made.group ? "group" : null, "aria-label": made.group ? label : null },
      h(
        made.group ? "span" : "label",
        { class: "field-label" },
        label,
        required ? h("span", { class: "star", "aria-hidden": "true" }, " *") : null,
        made.group ? null : made.element,
      ),
      description ? h("span", { class: "muted small" }, description) : null,
      made.group ? made.element : null,
    ),
  };
}

const CONTROLS = {
  3: menu,
  4: text,
  5: menu,
  6: menu,
  7: menu,
  8: menu,
  21: choices("radio"),
  22: choices("checkbox"),
  23: tick,
};

function text(item) {
  const shared = { maxlength: item.max_length, minlength: item.min_length, placeholder: item.placeholder };
  const element =
    item.style === 2 ? h("textarea", { ...shared, rows: 4 }) : h("input", { ...shared, type: "text" });
  element.value = item.value ?? "";
  return { element, read: () => element.value };
}

function menu(item) {
  const many = (item.max_values ?? 1) > 1;
  const before = chosenOptions(item).map((option) => option.value);
  const options = menuOptions(item);
  if (many)
    return group(
      "checkbox",
      item,
      options.map((option) => ({ ...option, default: before.includes(option.value) })),
    );
  const element = h(
    "select",
    null,
    before.length ? null : h("option", { value: "" }, item.placeholder || t("Choose…")),
    options.map((option) =>
      h("option", { value: option.value, selected: before.includes(option.value) }, option.label),
    ),
  );
  return { element, read: () => (element.value ? [element.value] : []) };
}

function choices(kind) {
  return (item) => group(kind, item, item.options);
}

function group(kind, item, options) {
  const inputs = options.map((option) => {
    const input = h("input", { type: kind, name: item.custom_id, value: option.value });
    input.checked = Boolean(option.default);
    return {
      input,
      element: h(
        "label",
        { class: "choice" },
        input,
        h("span", null, option.label, option.description ? h("small", null, option.description) : null),
      ),
    };
  });
  const checked = () => inputs.filter(({ input }) => input.checked).map(({ input }) => input.value);
  return {
    group: true,
    element: h(
      "div",
      null,
      inputs.map(({ element }) => element),
    ),
    read: () => (kind === "radio" ? (checked()[0] ?? "") : checked()),
  };
}

function tick(item) {
  const element = h("input", { type: "checkbox" });
  element.checked = Boolean(item.default);
  return { element, read: () => element.checked };
}
