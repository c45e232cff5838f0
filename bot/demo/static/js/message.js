// A message: author, time, content and actions.

import { avatar } from "./avatar.js";
import { components, dots, fileCard, picture } from "./components.js";
import { h, icon } from "./dom.js";
import { date, messageTime, t } from "./i18n.js";
import { markdown, plainText } from "./markdown.js";
import { fullName } from "./picker.js";
import { channel, channelNamed, now, self, state, user } from "./state.js";

/** A message as a list item. `joined`: whether it continues the same author's message above. */
export function messageItem(message, { joined }) {
  const author = user(message.author);
  const mentioned = message.everyone || message.mentions.includes(self()?.id);
  const classes = [
    "message",
    joined && "joined",
    message.ephemeral && "ephemeral",
    mentioned && !message.ephemeral && "mentioned",
  ];
  return h(
    "li",
    { class: classes.filter(Boolean).join(" "), "data-message": message.id, "data-key": message.id },
    h(
      "article",
      { "aria-label": `${author?.name ?? t("someone")}, ${date(message.at, { timeStyle: "short" })}` },
      spine(message),
      joined
        ? h(
            "time",
            { class: "side-time", datetime: new Date(message.at).toISOString() },
            date(message.at, { timeStyle: "short" }),
          )
        : avatar(author, 40),
      h(
        "div",
        { class: "body" },
        joined ? null : heading(message, author),
        content(message, author),
        footer(message),
      ),
    ),
  );
}

function heading(message, author) {
  return h(
    "div",
    { class: "heading" },
    h(
      "span",
      { class: "author", style: author?.colour ? { "--name": author.colour } : {} },
      author?.name ?? t("someone"),
    ),
    author?.bot ? h("span", { class: "tag" }, t("APP")) : null,
    h(
      "time",
      {
        class: "when",
        datetime: new Date(message.at).toISOString(),
        title: date(message.at, { dateStyle: "full", timeStyle: "short" }),
      },
      messageTime(message.at, now()),
    ),
  );
}

/** The line above a message that says which command or message it answers. */
function spine(message) {
  if (message.used) {
    const by = user(message.used.user);
    const command = state.setting.commands.find((each) => each.path === message.used.command);
    return h(
      "div",
      { class: "spine" },
      avatar(by, 16),
      h("span", { class: "by" }, by?.name ?? t("someone")),
      h("span", null, t("used")),
      h(
        "button",
        { type: "button", class: "used", "data-command": message.used.command },
        icon("slash", 14),
        command ? fullName(command) : message.used.command,
      ),
    );
  }
  if (!message.reply) return null;
  const original = channel(state.current).messages.get(message.reply);
  if (!original) {
    return h("div", { class: "spine gone" }, icon("reply", 14), t("Original message was deleted"));
  }
  const by = user(original.author);
  return h(
    "button",
    {
      type: "button",
      class: "spine",
      "data-act": "jump-to",
      "data-to": message.reply,
      title: t("Go to the original message"),
    },
    avatar(by, 16),
    h("span", { class: "by" }, by?.name ?? ""),
    h("span", { class: "excerpt" }, excerpt(original)),
  );
}

function excerpt(message) {
  const texts = (items) =>
    items.flatMap((item) => (item.type === 10 ? [item.content] : texts(item.components ?? [])));
  const text = message.content || texts(message.components)[0] || "";
  return plainText(text.split("\n")[0]).slice(0, 120) || t("Click to see the message");
}

function content(message, author) {
  if (message.loading)
    return h("div", { class: "thinking" }, dots(""), t("{user} is thinking…", { user: author?.name ?? "" }));
  const edited =
    message.edited && !message.ephemeral
      ? h("span", { class: "edited", title: date(message.edited, { timeStyle: "medium" }) }, t("(edited)"))
      : null;
  const inGallery = JSON.stringify(message.components);
  return [
    message.content
      ? h(
          "div",
          { class: `markup ${jumbo(message.content) ? "jumbo" : ""}` },
          markdown(message.content),
          message.v2 ? null : edited,
        )
      : null,
    message.embeds.map(embed),
    message.attachments.filter((file) => !inGallery.includes(file.url)).map(attachment),
    message.components.length
      ? h("div", { class: message.v2 ? "layout" : "legacy" }, components(message))
      : null,
    message.v2 ? edited : null,
  ];
}

const jumbo = (text) =>
  text.length < 60 && /^(?:\s|\p{Extended_Pictographic}|\u200d|\ufe0f|\p{Emoji_Modifier})+$/u.test(text);

function attachment(file) {
  if (!/^image\/(png|jpeg|gif|webp)$/.test(file.type)) return fileCard(file.url, file.name, file.size);
  return picture(file.url, file.alt, "shot");
}

function embed(item) {
  const colour = item.color == null ? {} : { "--accent": `#${item.color.toString(16).padStart(6, "0")}` };
  const field = (entry) =>
    h(
      "div",
      { class: entry.inline ? "inline" : null },
      h("strong", null, entry.name),
      h("div", { class: "markup" }, markdown(entry.value)),
    );
  return h(
    "div",
    { class: "container accented embed", style: colour },
    item.author ? h("small", null, item.author.name) : null,
    item.title ? h("h3", null, item.title) : null,
    item.description ? h("div", { class: "markup" }, markdown(item.description)) : null,
    item.fields?.length ? h("div", { class: "fields" }, item.fields.map(field)) : null,
    item.image?.url?.startsWith("/cdn/")
      ? h("img", { class: "shot", src: item.image.url, alt: t("Image") })
      : null,
    item.footer ? h("small", { class: "muted" }, item.footer.text) : null,
  );
}

function footer(message) {
  const problem = state.failed.get(message.id);
  const thread = channelNamed(message.id); // a thread on a message has its id
  return [
    thread
      ? h(
          "button",
          { type: "button", class: "thread-link", "data-channel": thread.id },
          icon("thread", 18),
          h("span", null, thread.name),
        )
      : null,
    problem ? h("div", { class: "problem", role: "alert" }, icon("warning", 16), t(problem)) : null,
    message.ephemeral
      ? h(
          "div",
          { class: "only-you" },
          icon("eye", 16),
          h("span", null, t("Only you can see this")),
          h("span", { "aria-hidden": "true" }, "•"),
          h("button", { type: "button", class: "dismiss", "data-act": "dismiss" }, t("Dismiss message")),
        )
      : null,
  ];
}
