// Discord's markdown as elements. Text becomes text nodes only, so no markup in a message ever runs.

import { h } from "./dom.js";
import { t, timestamp } from "./i18n.js";
import { channelNamed, now, roleNamed, self, state, user } from "./state.js";

/** A message's text as block elements. */
export function markdown(text) {
  return blocks(text.split("\n"));
}

const FENCE = /^```(?:([\w+-]*)$)?/;
const LIST = /^( *)([-*]|\d{1,9}\.) +(.*)$/;

function blocks(lines) {
  const out = [];
  let paragraph = [];
  const flush = () => {
    if (paragraph.length) out.push(h("p", null, joined(paragraph)));
    paragraph = [];
  };
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index];
    let match;
    if (line.startsWith("```")) {
      const block = fenced(lines, index);
      if (block) {
        flush();
        out.push(block.element);
        index = block.end;
        continue;
      }
    }
    if ((match = /^(#{1,3}) +(\S.*)$/.exec(line))) {
      flush();
      out.push(h(`h${match[1].length}`, null, inline(match[2])));
    } else if ((match = /^-# +(.*)$/.exec(line))) {
      flush();
      out.push(h("small", { class: "subtext" }, inline(match[1])));
    } else if (line.startsWith(">>> ")) {
      flush();
      out.push(h("blockquote", null, blocks([line.slice(4), ...lines.slice(index + 1)])));
      return out;
    } else if (/^> /.test(line) || line === ">") {
      flush();
      const quoted = [];
      for (; index < lines.length && (/^> /.test(lines[index]) || lines[index] === ">"); index++)
        quoted.push(lines[index].slice(2));
      index--;
      out.push(h("blockquote", null, blocks(quoted)));
    } else if (LIST.test(line)) {
      flush();
      const items = [];
      for (; index < lines.length && LIST.test(lines[index]); index++) items.push(LIST.exec(lines[index]));
      index--;
      out.push(list(items));
    } else if (!line.trim()) {
      flush();
      if (out.length && index < lines.length - 1) out.push(h("div", { class: "gap" }));
    } else {
      paragraph.push(line);
    }
  }
  flush();
  return out;
}

function fenced(lines, start) {
  const opening = lines[start].slice(3);
  if (opening.endsWith("```") && opening.length > 3)
    return { element: codeBlock(opening.slice(0, -3)), end: start };
  for (let end = start + 1; end < lines.length; end++) {
    const closing = lines[end].indexOf("```");
    if (closing < 0) continue;
    const body = lines.slice(start + 1, end);
    if (!FENCE.test(lines[start])) body.unshift(opening);
    if (closing) body.push(lines[end].slice(0, closing));
    return { element: codeBlock(body.join("\n")), end };
  }
  return null;
}

const codeBlock = (code) => h("pre", { tabindex: "0" }, h("code", null, code));

/** Lines of a list; deeper ones go into a list inside the item before them. */
function list(items) {
  const depth = items[0][1].length;
  const ordered = /\d/.test(items[0][2]);
  const out = h(ordered ? "ol" : "ul", ordered ? { start: Number.parseInt(items[0][2], 10) } : null);
  for (let index = 0; index < items.length; index++) {
    const item = h("li", null, inline(items[index][3]));
    const deeper = [];
    while (index + 1 < items.length && items[index + 1][1].length > depth) deeper.push(items[++index]);
    if (deeper.length) item.append(list(deeper));
    out.append(item);
  }
  return out;
}

const joined = (lines) => lines.flatMap((line, index) => (index ? [h("br"), ...inline(line)] : inline(line)));

// Tried in this order at every position; the first match wins.
const RULES = [
  [/^\\([^\p{L}\p{N}\s])/u, (m) => m[1]],
  [/^(`+)([^`]|[^`].*?[^`])\1(?!`)/, (m) => h("code", null, m[2].trim() || m[2])],
  [/^<@!?(\d{1,20})>/, (m) => mention(m[1])],
  [/^<@&(\d{1,20})>/, (m) => h("span", { class: "mention" }, `@${roleNamed(m[1])?.name ?? "role"}`)],
  [/^@(everyone|here)\b/, (m) => h("span", { class: "mention" }, m[0])],
  [/^<#(\d{1,20})>/, (m) => channelMention(m[1])],
  [
    /^<\/([\p{L}\p{N} _-]{1,98}):\d{1,20}>/u,
    (m) => h("button", { type: "button", class: "mention", "data-command": m[1] }, `/${m[1]}`),
  ],
  [/^<(a?):(\w{2,32}):(\d{1,20})>/, (m) => customEmoji(m[3], m[2])],
  [/^<t:(-?\d{1,13})(?::([tTdDfFsSR]))?>/, (m) => moment(Number(m[1]) * 1000, m[2] ?? "f")],
  [/^\[((?:\\.|[^\]\\])+)\]\(<?(https?:\/\/[^\s)>]+)>?(?: +"[^"]*")?\)/, (m) => link(m[2], inline(m[1]))],
  [/^<(https?:\/\/[^\s>]+)>/, (m) => link(m[1], [m[1]])],
  [/^https?:\/\/[^\s<>]*[^\s<>.,:;!?'")\]]/, (m) => link(m[0], [m[0]])],
  [/^\*\*\*((?:\\.|[^\\])+?)\*\*\*(?!\*)/, (m) => h("em", null, h("strong", null, inline(m[1])))],
  [/^\*\*((?:\\.|[^\\])+?)\*\*(?!\*)/, (m) => h("strong", null, inline(m[1]))],
  [/^__((?:\\.|[^\\])+?)__(?!_)/, (m) => h("u", null, inline(m[1]))],
  [/^~~((?:\\.|[^\\])+?)~~/, (m) => h("s", null, inline(m[1]))],
  [/^\|\|((?:\\.|[^\\])+?)\|\|/, (m) => spoiler(inline(m[1]))],
  [/^\*(?!\s)((?:\\.|\*\*[^*]+\*\*|[^\\*])+?)(?<!\s)\*(?!\*)/, (m) => h("em", null, inline(m[1]))],
  [
    /^_((?:\\.|[^\\_])+?)_(?![\p{L}\p{N}_])/u,
    (m, before) => (/[\p{L}\p{N}]$/u.test(before) ? null : h("em", null, inline(m[1]))),
  ],
];

const STARTS = /[\\`<@[h*_~|]/;

/** A line of text, with its markup turned into elements. */
export function inline(text) {
  const out = [];
  let plain = "";
  for (let place = 0; place < text.length;) {
    const rest = text.slice(place);
    const found = STARTS.test(rest[0]) ? firstRule(rest, text.slice(0, place)) : null;
    if (!found) {
      const character = String.fromCodePoint(text.codePointAt(place));
      plain += character;
      place += character.length;
      continue;
    }
    if (typeof found.node === "string") plain += found.node;
    else {
      if (plain) out.push(plain);
      plain = "";
      out.push(found.node);
    }
    place += found.length;
  }
  if (plain) out.push(plain);
  return out;
}

function firstRule(rest, before) {
  for (const [pattern, make] of RULES) {
    const match = pattern.exec(rest);
    const node = match && make(match, before);
    if (node) return { node, length: match[0].length };
  }
  return null;
}

function mention(id) {
  const who = user(id);
  return h(
    "span",
    { class: `mention${who && who.id === self()?.id ? " me" : ""}` },
    `@${who?.name ?? t("someone")}`,
  );
}

function channelMention(id) {
  const where = channelNamed(id);
  return h(
    "button",
    { type: "button", class: "mention", "data-channel": where ? id : null },
    `#${where?.name ?? t("unknown-channel")}`,
  );
}

/** One of the bot's own emojis. */
export function customEmoji(id, name) {
  return h("img", {
    class: "emoji",
    src: `/cdn/emojis/${id}.png`,
    alt: `:${name}:`,
    title: `:${name}:`,
    draggable: "false",
  });
}

/** Where a link into Discord leads: to a message or a channel of this server. */
export function place(url) {
  const match = /^https:\/\/(?:\w+\.)?discord\.com\/channels\/(\d+)\/(\d+)(?:\/(\d+))?\/?$/.exec(url);
  return match && match[1] === state.setting?.guild.id
    ? { channel: match[2], message: match[3] ?? "" }
    : null;
}

function link(url, children) {
  const target = place(url);
  if (!target) return h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, children);
  const bare = children.length === 1 && children[0] === url;
  const text = bare
    ? `#${channelNamed(target.channel)?.name ?? t("unknown-channel")}${target.message ? " › 💬" : ""}`
    : children;
  return h(
    "button",
    {
      type: "button",
      class: bare ? "mention" : "goto",
      "data-channel": target.channel,
      "data-goto": target.message,
    },
    text,
  );
}

function spoiler(children) {
  return h(
    "button",
    { type: "button", class: "spoiler", "data-act": "reveal" },
    h("span", { class: "sr" }, t("Hidden content: press to see it")),
    h("span", { class: "secret" }, children),
  );
}

function moment(ms, style) {
  if (Math.abs(ms) > 8.64e15) return null;
  const full = timestamp(ms, "F", now());
  return h(
    "time",
    {
      datetime: new Date(ms).toISOString(),
      "data-ms": ms,
      "data-style": style,
      title: full,
      "aria-live": "off",
    },
    timestamp(ms, style, now()),
  );
}

/** Update all relative timestamps on the screen. */
export function tick() {
  for (const element of document.querySelectorAll('time[data-style="R"]')) {
    const text = timestamp(Number(element.dataset.ms), "R", now());
    if (element.textContent !== text) element.textContent = text;
  }
}

/** A text without its markup, shortened for previews. */
export function plainText(text) {
  const element = h("div", null, markdown(text));
  return element.textContent.replace(/\s+/g, " ").trim();
}
