// Everything around the messages: servers, channels, members, and the person's own panel.

import { presence } from "./avatar.js";
import { fill, h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { narrow } from "./layer.js";
import { guildMenu, languageMenu, personMenu } from "./menus.js";
import { addressOf, channelNamed, emit, members as onServer, self, state, titleOf } from "./state.js";

const part = (id) => document.getElementById(id);

export function renderRail() {
  const rail = part("rail");
  rail.setAttribute("aria-label", t("Servers"));
  const unread = [...state.channels.values()].some((channel) => channel.unread);
  fill(
    rail,
    h("span", { class: "server home", title: t("Direct messages") }, icon("bubble", 26)),
    h("span", { class: "rail-line" }),
    state.setting.member
      ? h(
          "span",
          { class: "server selected", title: state.setting.guild.name },
          h("span", { class: `pip ${unread ? "unread" : ""}` }),
          h("img", { src: "/static/img/guild.svg", alt: state.setting.guild.name, width: 48, height: 48 }),
        )
      : null,
  );
}

export function renderSidebar() {
  const guild = part("guild");
  fill(
    guild,
    state.setting.member
      ? h(
          "button",
          {
            type: "button",
            class: "guild-button",
            "aria-haspopup": "menu",
            "aria-expanded": "false",
            onclick: (event) => guildMenu(event.currentTarget),
          },
          h("span", null, state.setting.guild.name),
          icon("chevron", 18),
        )
      : null,
  );
  const nav = part("channels");
  nav.setAttribute("aria-label", t("Channels"));
  fill(
    nav,
    category(t("Text channels"), (channel) => !channel.direct),
    category(t("Direct messages"), (channel) => channel.direct),
  );
  const me = self();
  fill(
    part("user"),
    h(
      "button",
      {
        type: "button",
        class: "user-button",
        "aria-haspopup": "menu",
        "aria-expanded": "false",
        onclick: (event) => personMenu(event.currentTarget, me),
      },
      presence(me, 32),
      h("span", { class: "who" }, h("strong", null, me.name), h("small", null, t("Online"))),
    ),
    h(
      "button",
      {
        type: "button",
        class: "icon-button",
        "aria-label": t("Your language"),
        title: t("Your language"),
        "aria-haspopup": "menu",
        "aria-expanded": "false",
        onclick: (event) => languageMenu(event.currentTarget),
      },
      icon("globe"),
    ),
  );
}

function category(title, fits) {
  const channels = state.setting.channels.filter(fits);
  if (!channels.length) return [];
  return [h("div", { class: "category" }, title), h("ul", null, channels.map(channelLink))];
}

const iconOf = (channel) => (channel.direct ? "bubble" : channel.parent ? "thread" : "hash");

function channelLink(channel) {
  const { unread = 0, mentions = 0 } = state.channels.get(channel.id) ?? {};
  const here = channel.id === state.current;
  return h(
    "li",
    null,
    h(
      "a",
      {
        class: `channel ${channel.parent ? "thread" : ""} ${here ? "here" : ""} ${unread ? "unread" : ""}`,
        href: addressOf(channel),
        "aria-current": here ? "page" : null,
        onclick: () => here && emit("drawer", false), // the address stays, so nothing else closes it
      },
      icon(iconOf(channel), channel.parent ? 16 : 20),
      h("span", { class: "channel-name" }, channel.name),
      mentions ? h("span", { class: "badge" }, String(mentions)) : null,
    ),
  );
}

function topicOf(channel) {
  if (channel.direct) return t("Only you and the bot, without a server");
  return channel.name === "general" ? t("For chatting") : t("Type /escoba to open a table");
}

export function renderHeader() {
  const channel = channelNamed(state.current);
  part("log").setAttribute("aria-label", t("Messages in {channel}", { channel: titleOf(channel) }));
  fill(
    part("header"),
    h(
      "button",
      {
        type: "button",
        class: "icon-button only-narrow",
        "aria-label": t("Channels and people"),
        onclick: () => emit("drawer", true),
      },
      icon("menu", 24),
    ),
    icon(iconOf(channel), 24),
    h("h1", { id: "channel-name" }, channel.name),
    h("span", { class: "topic" }, topicOf(channel)),
    h("span", { class: "spread" }),
    h(
      "button",
      {
        type: "button",
        class: "icon-button",
        "aria-label": t("Help"),
        title: t("Help"),
        onclick: () => emit("help"),
      },
      icon("help", 22),
    ),
    h(
      "button",
      {
        type: "button",
        class: "icon-button",
        "aria-label": t("Show or hide the members"),
        title: t("Show or hide the members"),
        "aria-pressed": String(document.body.classList.contains("with-members")),
        onclick: () => emit("toggle-members"),
      },
      icon("people", 24),
    ),
  );
}

export function renderMembers() {
  const bot = { ...state.setting.bot, bot: true };
  const here = channelNamed(state.current).direct ? [self()] : onServer();
  const online = [...here.filter((person) => person.online), bot].sort((a, b) =>
    a.name.localeCompare(b.name),
  );
  const offline = here.filter((person) => !person.online);
  const members = part("members");
  members.setAttribute("aria-label", t("Members"));
  const group = (title, list) =>
    list.length ? [h("h2", null, `${title} — ${list.length}`), h("ul", null, list.map(memberRow))] : [];
  fill(members, group(t("Online"), online), group(t("Offline"), offline));
}

function memberRow(who) {
  const label = [
    presence(who, 32),
    h("span", { class: "member-name", style: who.colour ? { "--name": who.colour } : {} }, who.name),
    who.bot ? h("span", { class: "tag" }, t("APP")) : null,
    who.owner ? h("span", { class: "crown", title: t("Owner of the server and the bot") }, icon("crown", 14)) : null,
  ];
  if (who.bot) return h("li", null, h("span", { class: "member" }, label));
  return h(
    "li",
    null,
    h(
      "button",
      {
        type: "button",
        class: `member ${who.online ? "" : "away"}`,
        "aria-haspopup": "menu",
        "aria-expanded": "false",
        onclick: (event) => personMenu(event.currentTarget, who),
      },
      label,
    ),
  );
}

/** On a phone the channels and the members are behind the chat. */
export function drawer(open) {
  document.body.classList.toggle("drawer-open", open);
  part("scrim").hidden = !open;
  if (narrow()) part("drawer").inert = !open;
  if (open) part("drawer").querySelector("a, button").focus();
}
