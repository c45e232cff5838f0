// The connection to the demo: a websocket for updates, and requests for what the person does.

import { reset, state, updateChannel, emit } from "./state.js";
import { complain } from "./toasts.js";

const RETRY = [300, 700, 1500, 3000];
let socket = null;
let attempts = 0;
let timer = 0;

/** Become a person: what they see comes over a new websocket. */
export function become(slug) {
  clearTimeout(timer);
  reset(slug);
  open();
}

function open() {
  socket?.close();
  const mine = new WebSocket(`ws://${location.host}/live/${encodeURIComponent(state.me)}`);
  socket = mine;
  mine.addEventListener("message", ({ data }) => {
    if (mine !== socket) return;
    attempts = 0;
    emit("connection", "open");
    receive(JSON.parse(data));
  });
  mine.addEventListener("close", () => {
    if (mine !== socket) return;
    emit("connection", "lost");
    timer = setTimeout(open, RETRY[Math.min(attempts++, RETRY.length - 1)]);
  });
}

function receive(news) {
  if (news.type === "texts") {
    state.texts = news.texts;
  } else if (news.type === "setting") {
    state.offset = news.now - Date.now();
    state.opened ||= news.now;
    state.setting = news.setting;
    emit("setting");
  } else if (news.type === "channel") {
    updateChannel(news);
  }
}

/** Do something as the person. The answer has `ok`, and an `error` code if that is false. */
export const act = (request) => post("act", "application/json", JSON.stringify(request));

/** Have a match's file read. The answer has the `match`, or the `line` of the file and the `problem` with it. */
export const readMatch = (file) => post("match", "application/octet-stream", file);

async function post(what, type, body) {
  try {
    const response = await fetch(`/${what}/${encodeURIComponent(state.me)}`, {
      method: "POST",
      headers: { "Content-Type": type },
      body,
    });
    return await response.json();
  } catch {
    return { ok: false, error: "offline" };
  }
}

/** Do something, with a notice if it fails. */
export async function attempt(request) {
  const answer = await act(request);
  const unanswered = request.kind === "command" && answer.error === "failed";
  if (!answer.ok) complain(unanswered ? "command" : answer.error);
  else if (answer.modal) emit("modal", answer.modal);
  return answer;
}
