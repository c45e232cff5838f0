// The list of slash commands that opens above the composer.

import { avatar } from "./avatar.js";
import { fill, h } from "./dom.js";
import { localised, t } from "./i18n.js";
import { plain } from "./options.js";
import { channelNamed, state } from "./state.js";

/** The command that a channel's beginning offers and the list shows first. */
export const START = "escoba play";

/** A command's name in the person's language. */
export const fullName = (command) => command.names.map((part) => localised(part.name, part.names)).join(" ");

/** A command's names for comparing. */
const namesOf = (command) => [plain(fullName(command)), plain(command.path)];

/** What follows a command's name in a line; null if the line is another command. */
export function afterName(command, line) {
  const typed = line.slice(1).trimStart();
  const name = namesOf(command).find((each) => plain(typed) === each || plain(typed).startsWith(`${each} `));
  return name === undefined ? null : typed.split(/\s+/).slice(name.split(" ").length).join(" ");
}

function matching(typed) {
  const wanted = plain(typed.slice(1));
  const allowed = new Set(channelNamed(state.current)?.commands ?? []);
  const startFirst = (a, b) => (b.path === START) - (a.path === START);
  return [...state.setting.commands].sort(startFirst).filter((command) => {
    if (!allowed.has(command.path)) return false;
    if (afterName(command, typed)) return true;
    return namesOf(command).some(
      (name) => name.startsWith(wanted) || name.split(" ").some((word) => word.startsWith(wanted)),
    );
  });
}

/** Make `box` list the commands that match what is typed; it calls `choose(command, entered)` for a choice. */
export function commandList(box, input, choose) {
  let commands = [];
  let marked = 0;

  const isOpen = () => !box.hidden;
  const close = () => {
    box.hidden = true;
    input.removeAttribute("aria-activedescendant");
  };
  const update = () => {
    if (!input.value.startsWith("/") || input.value.includes("\n")) return close();
    commands = matching(input.value);
    marked = Math.min(marked, Math.max(0, commands.length - 1));
    draw();
  };
  const draw = () => {
    box.hidden = false;
    fill(
      box,
      h(
        "div",
        { class: "picker-head" },
        avatar({ ...state.setting.bot, bot: true }, 20),
        state.setting.bot.name,
      ),
      commands.length
        ? h("div", { role: "listbox", "aria-label": t("Commands"), tabindex: "0" }, commands.map(row))
        : h("p", { class: "muted" }, t("No command is called that")),
    );
    if (commands.length) input.setAttribute("aria-activedescendant", `command-${marked}`);
    else input.removeAttribute("aria-activedescendant");
    box.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  };
  const row = (command, index) =>
    h(
      "div",
      {
        class: "command",
        role: "option",
        id: `command-${index}`,
        "aria-selected": String(index === marked),
        onpointermove: () => {
          if (marked !== index) {
            marked = index;
            mark();
          }
        },
        onclick: () => choose(command),
      },
      h(
        "span",
        { class: "command-text" },
        h(
          "span",
          { class: "command-name" },
          `/${fullName(command)}`,
          command.options.map((option) =>
            h(
              "span",
              { class: `command-option ${option.required ? "required" : ""}` },
              localised(option.name, option.names),
            ),
          ),
        ),
        h("span", { class: "command-about" }, localised(command.description, command.descriptions)),
      ),
      h("span", { class: "command-bot" }, state.setting.bot.name),
    );
  const mark = () => {
    box
      .querySelectorAll(".command")
      .forEach((element, index) => element.setAttribute("aria-selected", String(index === marked)));
    input.setAttribute("aria-activedescendant", `command-${marked}`);
  };

  document.addEventListener("pointerdown", (event) => {
    if (isOpen() && !event.target.closest("#composer")) close();
  });

  return {
    close,
    update,
    refresh: () => isOpen() && update(),
    chooseFirst: () => {
      const found = isOpen() ? commands[marked] : matching(input.value)[0];
      if (found) choose(found, true);
      return Boolean(found);
    },
    /** Handle a key while the list is open. Returns whether the key was used. */
    key: (event) => {
      if (!isOpen()) return false;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step && commands.length) {
        marked = (marked + step + commands.length) % commands.length;
        mark();
        box.querySelector('[aria-selected="true"]').scrollIntoView({ block: "nearest" });
      } else if ((event.key === "Enter" || event.key === "Tab") && commands.length)
        choose(commands[marked], event.key === "Enter");
      else if (event.key === "Escape") close();
      else return false;
      event.preventDefault();
      return true;
    },
  };
}
