// Discord's message components: legacy rows and Components V2 layouts.

import { h, icon } from "./dom.js";
import { N_, t } from "./i18n.js";
import { customEmoji, markdown, place } from "./markdown.js";
import { channelNamed, roleNamed, state, user } from "./state.js";

const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link", 6: "primary" };
const SPOKEN = { "🔄": N_("Refresh") };

/** The key of a component whose answer is pending. */
export const pendingKey = (message, customId) => `${message}/${customId}`;

/** All components of a message. */
export const components = (message) => message.components.map((item) => component(item, message));

function component(item, message) {
  const make = MAKERS[item.type];
  return make ? make(item, message) : null;
}

const MAKERS = {
  1: (item, message) =>
    h(
      "div",
      { class: "row" },
      item.components.map((child) => component(child, message)),
    ),
  2: button,
  3: menu,
  5: menu,
  6: menu,
  7: menu,
  8: menu,
  9: (item, message) =>
    h(
      "div",
      { class: "section" },
      h(
        "div",
        { class: "section-text" },
        item.components.map((child) => component(child, message)),
      ),
      h("div", { class: "accessory" }, component(item.accessory, message)),
    ),
  10: (item) => h("div", { class: "markup" }, markdown(item.content)),
  11: (item) => spoilered(item, picture(item.media.url, item.description, "thumbnail")),
  12: gallery,
  13: (item) => fileCard(item.file.url, item.name ?? "", item.size),
  14: (item) =>
    h("div", {
      class: `separator ${item.spacing === 2 ? "large" : ""} ${item.divider === false ? "blank" : ""}`,
      role: item.divider === false ? null : "separator",
    }),
  17: (item, message) => {
    const accent = item.accent_color == null ? null : `#${item.accent_color.toString(16).padStart(6, "0")}`;
    const box = h(
      "div",
      { class: `container ${accent ? "accented" : ""}`, style: accent ? { "--accent": accent } : {} },
      item.components.map((child) => component(child, message)),
    );
    return spoilered(item, box);
  },
};

function spoilered(item, element) {
  if (!item.spoiler) return element;
  return h(
    "div",
    {
      class: "spoiler-box",
      "data-act": "reveal",
      role: "button",
      tabindex: "0",
      "aria-label": t("Hidden content: press to see it"),
    },
    element,
  );
}

/** An emoji of a button or an option. */
export function emoji(value) {
  if (!value) return null;
  if (value.id) return customEmoji(value.id, value.name ?? "");
  return h("span", { class: "emoji-text", "aria-hidden": "true" }, value.name);
}

/** An emoji that stands alone on a button, as a screen reader should say it. */
const spoken = (name) => (SPOKEN[name] ? t(SPOKEN[name]) : name);

function button(item, message) {
  const style = STYLES[item.style] ?? "secondary";
  const label = item.label ? h("span", { class: "label" }, item.label) : null;
  if (item.style === 5) {
    const target = place(item.url ?? "");
    if (target && !item.disabled) {
      const data = { "data-channel": target.channel, "data-goto": target.message };
      return h(
        "button",
        { type: "button", class: "button link", ...data },
        emoji(item.emoji),
        label,
        icon("external", 16),
      );
    }
    const safe = /^https?:\/\//.test(item.url ?? "");
    return h(
      "a",
      {
        class: "button link",
        href: safe && !item.disabled ? item.url : null,
        target: "_blank",
        rel: "noopener noreferrer",
        "aria-disabled": item.disabled || !safe ? "true" : null,
      },
      emoji(item.emoji),
      label,
      icon("external", 16),
      h("span", { class: "sr" }, `(${t("opens in another window")})`),
    );
  }
  const waiting = state.pending.has(pendingKey(message.id, item.custom_id));
  return h(
    "button",
    {
      type: "button",
      class: `button ${style} ${waiting ? "waiting" : ""}`,
      disabled: item.disabled,
      "data-act": "click",
      "data-id": item.custom_id,
      "aria-busy": waiting ? "true" : null,
      "aria-label": item.label ? null : spoken(item.emoji?.name),
    },
    h("span", { class: "face" }, emoji(item.emoji), label),
    waiting ? dots(t("Waiting for the answer")) : null,
  );
}

export const dots = (text) =>
  h("span", { class: "dots", role: "img", "aria-label": text }, h("i"), h("i"), h("i"));

/** A menu's default values. */
export function chosenOptions(item) {
  if (item.type === 3) return item.options.filter((option) => option.default);
  return (item.default_values ?? [])
    .map(({ id, type }) => {
      const [find, sign] = { channel: [channelNamed, "#"], role: [roleNamed, "@"] }[type] ?? [user, ""];
      const found = find(id);
      return found ? { value: id, label: sign + found.name } : null;
    })
    .filter(Boolean);
}

function menu(item, message) {
  const waiting = state.pending.has(pendingKey(message.id, item.custom_id));
  const chosen = chosenOptions(item);
  const placeholder = item.placeholder || t("Make a selection");
  const many = (item.max_values ?? 1) > 1;
  const shown =
    chosen.length === 0
      ? h("span", { class: "placeholder" }, placeholder)
      : many
        ? h(
            "span",
            { class: "chips" },
            chosen.map((option) => h("span", { class: "chip" }, emoji(option.emoji), option.label)),
          )
        : h(
            "span",
            { class: "chosen" },
            emoji(chosen[0].emoji),
            h("span", { class: "label" }, chosen[0].label),
          );
  return h(
    "button",
    {
      type: "button",
      class: `menu ${waiting ? "waiting" : ""}`,
      disabled: item.disabled,
      role: "combobox",
      "data-act": "menu",
      "data-id": item.custom_id,
      "aria-haspopup": "listbox",
      "aria-expanded": "false",
      "aria-label": chosen.length
        ? `${placeholder}: ${chosen.map((option) => option.label).join(", ")}`
        : placeholder,
      "aria-busy": waiting ? "true" : null,
    },
    shown,
    waiting ? dots(t("Waiting for the answer")) : icon("chevron", 20),
  );
}

/** A picture that can be enlarged, with a badge for its description. */
export function picture(url, description, kind) {
  if (!url.startsWith("/cdn/"))
    return h("span", { class: `${kind} elsewhere` }, icon("file"), t("Another site's picture, not loaded"));
  const image = h("img", {
    class: kind,
    src: url,
    alt: description || t("Image"),
  });
  const zoom = h("button", { type: "button", class: "zoom", "data-act": "zoom" }, image);
  if (!description || kind === "thumbnail") return zoom;
  const badge = h(
    "button",
    {
      type: "button",
      class: "alt-badge",
      "data-act": "alt",
      "aria-label": `ALT: ${t("Image description")}`,
      "aria-haspopup": "dialog",
      "aria-expanded": "false",
    },
    h("span", null, "ALT"),
  );
  return h("div", { class: "pictured" }, zoom, badge);
}

function gallery(item) {
  const shown = item.items.map((entry) =>
    spoilered(entry, picture(entry.media.url, entry.description, "shot")),
  );
  return h("div", { class: `gallery count-${Math.min(shown.length, 5)}` }, shown);
}

/** A file to download. */
export function fileCard(url, name, size) {
  const bytes =
    size == null
      ? null
      : h("span", { class: "muted" }, size < 1024 ? `${size} B` : `${(size / 1024).toFixed(1)} KB`);
  return h(
    "div",
    { class: "file" },
    icon("file", 32),
    h("div", null, h("a", { href: url.startsWith("/cdn/") ? url : null, download: name }, name), bytes),
  );
}

/** A component of a message by its custom_id. */
export function findComponent(message, customId) {
  const search = (items) => {
    for (const item of items) {
      if (item.custom_id === customId) return item;
      const found = search([...(item.components ?? []), ...(item.accessory ? [item.accessory] : [])]);
      if (found) return found;
    }
    return null;
  };
  return search(message.components);
}
