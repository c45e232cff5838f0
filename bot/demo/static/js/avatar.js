// Avatars: coloured initials for people, a drawn picture for the bot.

import { h } from "./dom.js";

/** Somebody's round avatar. Decoration: the name is beside it. */
export function avatar(who, size = 40) {
  const measure = { "--size": `${size}px` };
  if (who?.bot)
    return h("img", {
      class: "avatar",
      style: measure,
      src: "/static/img/bot.svg",
      alt: "",
      draggable: "false",
    });
  return h("span", {
    class: "avatar",
    style: who ? { ...measure, "--colour": who.colour } : measure,
    "data-sign": who ? who.name[0] : "?",
    "aria-hidden": "true",
  });
}

/** An avatar with the dot that shows whether somebody is online. */
export function presence(who, size = 32) {
  const online = who.bot || who.online;
  return h(
    "span",
    { class: "presence" },
    avatar(who, size),
    h("span", { class: `dot ${online ? "online" : "offline"}` }),
  );
}
