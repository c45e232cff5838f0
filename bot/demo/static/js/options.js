// The value of a command's option: parsing what was typed, and the values offered.

import { localised, t } from "./i18n.js";
import { members, state } from "./state.js";

const INTEGER = 4,
  BOOLEAN = 5,
  USER = 6,
  CHANNEL = 7,
  MENTIONABLE = 9,
  NUMBER = 10;

/** A text for comparing: without accents and capitals. */
export const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();

export const isNumber = (option) => option.type === INTEGER || option.type === NUMBER;
export const isWhole = (option) => option.type === INTEGER;

/** An option's choices as `{ value, label }`; null if anything can be typed. */
export function offered(option) {
  if (option.choices.length)
    return option.choices.map((choice) => ({
      value: choice.value,
      label: localised(choice.name, choice.names),
    }));
  if (option.type === BOOLEAN)
    return [
      { value: true, label: t("Yes") },
      { value: false, label: t("No") },
    ];
  if (option.type === USER || option.type === MENTIONABLE)
    return members().map((person) => ({ value: person.id, label: `@${person.name}` }));
  if (option.type === CHANNEL)
    return state.setting.channels.map((channel) => ({ value: channel.id, label: `#${channel.name}` }));
  return null;
}

/** The choices that match what was typed; all of them if nothing was. */
export function fitting(choices, typed) {
  const wanted = plain(typed).replace(/^[@#]/, "");
  return choices.filter(({ label }) => plain(label).includes(wanted));
}

/** The choice whose label or value was typed in full, or the only one whose label begins with it. */
export function written(choices, typed) {
  const wanted = plain(typed).replace(/^[@#]/, "");
  const labels = choices.map(({ label }) => plain(label).replace(/^[@#]/, ""));
  const exact = choices.find(({ value }, index) => labels[index] === wanted || plain(String(value)) === wanted);
  if (exact) return exact;
  const begun = choices.filter((_, index) => wanted && labels[index].startsWith(wanted));
  return begun.length === 1 ? begun[0] : null;
}

/** The options typed after a command as `name:value`; null if anything else was typed. */
export function writtenOptions(command, text) {
  const names = new Map();
  for (const option of command.options)
    for (const name of [option.name, localised(option.name, option.names)]) names.set(plain(name), option.name);
  const found = [...text.matchAll(/(?:^|\s)([\p{L}\p{N}_-]+):/gu)].filter((match) => names.has(plain(match[1])));
  if (!found.length || text.slice(0, found[0].index).trim()) return text.trim() ? null : {};
  const values = {};
  found.forEach((match, index) => {
    const end = found[index + 1]?.index ?? text.length;
    values[names.get(plain(match[1]))] = text.slice(match.index + match[0].length, end).trim();
  });
  return values;
}
