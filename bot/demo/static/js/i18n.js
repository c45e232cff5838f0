// The page's own words: English here, and translated in the bot's catalogues by `make texts`.

import { state } from "./state.js";

/** The person's Discord locale, in which Discord shows commands. */
const locale = () => state.setting.locale;

/** The language of the page's own words. */
export const language = () => state.setting.language;

/** What is chosen: a Discord locale, or a language of the bot that Discord doesn't have. */
export const chosen = () => state.setting.chosen;

/** A language's own name for itself. */
export const languageName = (tag) => state.setting.languages[tag];

/** Mark a text for translation elsewhere, as `t` and `parts` do with the texts that they are given. */
export const N_ = (text) => text;

/** A text by the English one, with its `{name}` placeholders filled in. */
export const t = (text, values = {}) => parts(text, values).join("");

/** A text split at its placeholders, so that elements can fill them. */
export const parts = (text, values) =>
  (state.texts[text] ?? text).split(/\{(\w+)\}/).map((part, index) => (index % 2 ? values[part] : part));

// Discord's own fallbacks between variants of a language.
const FALLBACK = { "en-US": "en-GB", "en-GB": "en-US", "es-419": "es-ES" };

/** The translation that Discord would choose, or the default. */
export const localised = (standard, translations) =>
  translations?.[locale()] ?? translations?.[FALLBACK[locale()]] ?? standard;

export const date = (ms, options) => new Intl.DateTimeFormat([chosen(), locale()], options).format(ms);

const dayOf = (ms) => new Date(ms).setHours(0, 0, 0, 0);

export const sameDay = (a, b) => dayOf(a) === dayOf(b);

/** A message's time as Discord shows it in its header. */
export function messageTime(ms, now) {
  const time = date(ms, { timeStyle: "short" });
  const days = Math.round((dayOf(now) - dayOf(ms)) / 86_400_000);
  if (days === 0) return time;
  if (days === 1) return t("yesterday at {time}", { time });
  return date(ms, { dateStyle: "short", timeStyle: "short" });
}

const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/** "in 20 seconds", "3 minutes ago". */
export function relative(ms, now) {
  const seconds = (ms - now) / 1000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? UNITS.at(-1);
  return new Intl.RelativeTimeFormat([chosen(), locale()], { numeric: unit === "second" ? "always" : "auto" }).format(
    Math.round(seconds / size),
    unit,
  );
}

const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
  s: { dateStyle: "short", timeStyle: "short" },
  S: { dateStyle: "short", timeStyle: "medium" },
};

/** A `<t:…:style>` timestamp in words. */
export const timestamp = (ms, style, now) =>
  style === "R" ? relative(ms, now) : date(ms, STYLES[style] ?? STYLES.f);
