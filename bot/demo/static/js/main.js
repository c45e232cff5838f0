// Starts the page and passes events to its parts.

import { renderMessages, scrollToMessage, toPresent } from "./chat.js";
import { findComponent, pendingKey } from "./components.js";
import { renderComposer } from "./composer.js";
import { language, N_ } from "./i18n.js";
import { explain, narrow, zoom } from "./layer.js";
import { tick } from "./markdown.js";
import { watchDrops } from "./match.js";
import { openModal } from "./modal.js";
import { act, become } from "./net.js";
import { keepMenu, openMenu } from "./select.js";
import { drawer, renderHeader, renderMembers, renderRail, renderSidebar } from "./sidebar.js";
import { renderStrip } from "./strip.js";
import { addressOf, channel, channelNamed, emit, markRead, on, state, titleOf } from "./state.js";
import { complain, showConnection } from "./toasts.js";
import { renderWelcome, showHint } from "./welcome.js";

const personInAddress = () => decodeURIComponent(location.pathname.split("/")[2] ?? "");

function chooseChannel() {
  const { channels, first } = state.setting;
  const wanted = decodeURIComponent(location.hash.slice(1));
  const named = channels.find((each) => addressOf(each) === `#${wanted}`);
  const chosen = (named ?? channels.find((each) => each.id === first)).id;
  if (chosen === state.current) return false;
  state.current = chosen;
  return true;
}

function renderAll() {
  document.documentElement.lang = language();
  chooseChannel();
  renderStrip();
  renderRail();
  renderSidebar();
  renderHeader();
  renderMembers();
  renderWelcome();
  renderComposer();
  renderMessages({ all: true });
  markRead(state.current);
  title();
}

function title() {
  const mentions = [...state.channels.values()].reduce((sum, each) => sum + each.mentions, 0);
  const unread = [...state.channels.values()].some((each) => each.unread);
  const name = titleOf(channelNamed(state.current));
  const me = state.setting.people.find((person) => person.slug === state.me)?.name;
  document.title = `${mentions ? `(${mentions}) ` : unread ? "• " : ""}${me} · ${name} · ${state.setting.guild.name}`;
}

/** Do something with a component, which looks busy until the answer comes. */
async function withComponent(message, request) {
  const key = pendingKey(message, request.id);
  if (state.pending.has(key)) return;
  state.pending.add(key);
  state.failed.delete(message);
  renderMessages();
  const answer = await act({ channel: state.current, message, ...request });
  state.pending.delete(key);
  if (answer.modal) openModal(answer.modal);
  if (!answer.ok) {
    if (answer.error === "failed") state.failed.set(message, N_("This interaction failed"));
    complain(answer.error);
  }
  renderMessages();
}

const ACTIONS = {
  click: (element, message) => withComponent(message, { kind: "click", id: element.dataset.id }),
  menu: (element, message) => {
    if (element.getAttribute("aria-expanded") === "true") return;
    const item = findComponent(channel(state.current).messages.get(message), element.dataset.id);
    openMenu(element, item, (values) =>
      withComponent(message, { kind: "select", id: item.custom_id, values }),
    );
  },
  dismiss: (_, message) => act({ kind: "dismiss", message }),
  reveal: (element) => element.classList.add("revealed"),
  alt: (element) => element.closest(".spoiler-box:not(.revealed)") || explain(element),
  zoom: (element) => element.closest(".spoiler-box:not(.revealed)") || zoom(element.firstElementChild),
  "jump-to": (element) => scrollToMessage(element.dataset.to),
};

document.getElementById("messages").addEventListener("click", (event) => {
  const element = event.target.closest("[data-act]");
  const message = event.target.closest("[data-message]")?.dataset.message;
  if (element && message && !element.disabled) ACTIONS[element.dataset.act](element, message);
  const command = event.target.closest("[data-command]");
  if (command) emit("use-command", command.dataset.command);
  const target = event.target.closest("[data-channel]");
  if (target) goTo(target.dataset.channel, target.dataset.goto);
});
document.getElementById("messages").addEventListener("keydown", (event) => {
  if (event.target.matches('[data-act="reveal"]') && (event.key === "Enter" || event.key === " "))
    event.target.click();
});

/** Show a channel, scrolled to a message if one is given. */
function goTo(id, message) {
  const wanted = channelNamed(id);
  if (!wanted) return;
  if (id === state.current) return message && scrollToMessage(message);
  location.hash = addressOf(wanted);
  if (message) setTimeout(() => scrollToMessage(message), 100);
}

/** Switch to another person: what only the previous one could see disappears at once. */
function takeOver(slug) {
  drawer(false);
  become(slug);
  renderMessages();
}

on("setting", renderAll);
on("channel", ({ id, arrived }) => {
  if (!state.setting) return;
  if (id === state.current) renderMessages({ arrived });
  renderSidebar();
  renderRail();
  title();
});
on("rendered", keepMenu);
on("unread", () => {
  renderSidebar();
  renderRail();
  title();
});
on("modal", openModal);
on("connection", showConnection);
on("help", showHint);
on("drawer", drawer);
on("toggle-members", () => {
  document.body.classList.toggle("with-members");
  renderHeader();
});
document.getElementById("chat").addEventListener("pointerdown", (event) => {
  const covered =
    matchMedia("(max-width: 1000px)").matches && document.body.classList.contains("with-members");
  if (covered && !event.target.closest("#header")) emit("toggle-members");
});
on("become", (slug) => {
  history.pushState(null, "", `/as/${slug}${location.hash}`);
  takeOver(slug);
});
addEventListener("popstate", () => {
  if (personInAddress() !== state.me) takeOver(personInAddress());
});
addEventListener("hashchange", () => {
  drawer(false);
  if (!chooseChannel()) return;
  renderAll();
  toPresent();
});
document.getElementById("scrim").addEventListener("click", () => drawer(false));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") drawer(false);
});

watchDrops();
setInterval(tick, 1000);
document.body.classList.toggle("with-members", matchMedia("(min-width: 1100px)").matches);
if (narrow()) document.getElementById("drawer").inert = true;
become(personInAddress());
