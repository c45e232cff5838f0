// The list of messages, kept up to date without moving what the reader is looking at.

import { pendingKey } from "./components.js";
import { fill, h, icon, morph } from "./dom.js";
import { date, sameDay, t } from "./i18n.js";
import { holdFocus, restoreFocus } from "./focus.js";
import { messageItem } from "./message.js";
import { channel, emit, markRead, state } from "./state.js";

const GROUP_MS = 7 * 60_000;
const AT_BOTTOM = 60;

const list = document.getElementById("messages");
const scroller = document.getElementById("scroller");
const jump = document.getElementById("jump");
let shown = { channel: "", marks: new Map() };
let stick = true;
let top = 0;
let missed = 0;

/** Draw the current channel, changing only what differs. */
export function renderMessages({ arrived = [], all = false } = {}) {
  const { ids, messages } = channel(state.current);
  if (shown.channel !== state.current || all) {
    if (shown.channel !== state.current) {
      list.replaceChildren();
      stick = true;
    }
    shown = { channel: state.current, marks: new Map() };
  }
  const existing = new Map([...list.children].map((item) => [item.dataset.key, item]));
  const wanted = items(ids.map((id) => messages.get(id)));
  const keys = new Set(wanted.map((item) => item.key));
  holdFocus(list);
  for (const [key, element] of existing) if (!keys.has(key)) element.remove();
  let place = list.firstElementChild;
  for (const { key, mark, make } of wanted) {
    let element = existing.get(key);
    if (!element) element = make();
    else if (shown.marks.get(key) !== mark) element = morph(element, make());
    if (element === place) place = place.nextElementSibling;
    else list.insertBefore(element, place);
    shown.marks.set(key, mark);
  }
  restoreFocus(list);
  const mine = arrived.some((message) => message.ephemeral);
  if (mine) stick = true;
  if (!stick) missed += arrived.length;
  settle();
  emit("rendered");
}

/** The list's items: messages, with a line before each new day. */
function items(messages) {
  const out = [];
  messages.forEach((message, index) => {
    const before = messages[index - 1];
    const newDay = !before || !sameDay(before.at, message.at);
    if (newDay)
      out.push({
        key: `day-${message.at}`,
        mark: "",
        make: () =>
          h(
            "li",
            { class: "day", "data-key": `day-${message.at}` },
            h("span", null, date(message.at, { dateStyle: "long" })),
          ),
      });
    const joined = !newDay && goesOn(before, message);
    const original = message.reply ? messages.find((other) => other.id === message.reply) : null;
    const mark = JSON.stringify([
      message,
      joined,
      Boolean(original),
      state.failed.get(message.id),
      pendingOf(message.id),
    ]);
    out.push({ key: message.id, mark, make: () => messageItem(message, { joined }) });
  });
  return out;
}

const pendingOf = (id) => [...state.pending].filter((key) => key.startsWith(pendingKey(id, "")));

const goesOn = (before, message) =>
  before.author === message.author &&
  message.at - before.at < GROUP_MS &&
  !message.used &&
  !message.reply &&
  !message.ephemeral &&
  !before.ephemeral &&
  !message.v2 &&
  !message.loading;

function settle() {
  if (stick) {
    scroller.scrollTop = scroller.scrollHeight;
    missed = 0;
  }
  jump.hidden = stick;
  const label = missed ? t("{n} new · jump to present", { n: missed }) : t("Jump to present");
  if (!stick) fill(jump, icon("down", 18), label);
  if (stick && !document.hidden) markRead(state.current);
}

/** Scroll to the newest message and stay there. */
export function toPresent() {
  stick = true;
  settle();
}

/** Scroll to the message that another replies to. */
export function scrollToMessage(id) {
  const element = list.querySelector(`[data-message="${CSS.escape(id)}"]`);
  if (!element) return;
  element.scrollIntoView({ block: "center", behavior: "smooth" });
  element.classList.add("flash");
  setTimeout(() => element.classList.remove("flash"), 1600);
}

scroller.addEventListener(
  "scroll",
  () => {
    const bottom = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < AT_BOTTOM;
    const up = scroller.scrollTop < top;
    top = scroller.scrollTop;
    if (bottom === stick || (stick && !up)) return; // what has grown below moved nobody
    stick = bottom;
    settle();
  },
  { passive: true },
);
jump.addEventListener("click", toPresent);
new ResizeObserver(() => stick && settle()).observe(list);
new ResizeObserver(() => stick && settle()).observe(scroller);
document.addEventListener("visibilitychange", () => !document.hidden && stick && markRead(state.current));
