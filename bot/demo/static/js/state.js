// What the page knows, and listeners for its changes.

export const state = {
  me: "", // the person's short name in the address
  setting: null, // the server, its people, channels and commands, as the demo describes them
  texts: {}, // the page's own texts in the person's language, by the English ones
  channels: new Map(), // channel id → { ids, messages, unread, mentions }
  current: "", // id of the channel on the screen
  pending: new Set(), // keys of clicked components whose answer is pending
  failed: new Map(), // message id → the text that says why a click failed
  opened: 0, // when this page was loaded, by the demo's clock
  offset: 0, // the demo's clock minus this browser's, in milliseconds
};

const listeners = new Map();

/** Call `listener` at every `emit(event)`. */
export function on(event, listener) {
  listeners.set(event, [...(listeners.get(event) ?? []), listener]);
}

export function emit(event, detail) {
  for (const listener of listeners.get(event) ?? []) listener(detail);
}

export const now = () => Date.now() + state.offset;

export const people = () => state.setting?.people ?? [];

/** The people who are on the server. */
export const members = () => people().filter((person) => person.member);

export const self = () => people().find((person) => person.slug === state.me);

/** A member or the bot by id. */
export function user(id) {
  const bot = state.setting?.bot;
  if (bot?.id === id) return { ...bot, bot: true };
  return people().find((person) => person.id === id);
}

/** How the address names a channel: threads may share a name. */
export const addressOf = (each) => `#${each.parent ? each.id : each.name}`;

/** A channel's name as Discord writes it. */
export const titleOf = (each) => `${each.direct ? "@" : "#"}${each.name}`;

export const channelNamed = (id) => state.setting?.channels.find((channel) => channel.id === id);
export const roleNamed = (id) => state.setting?.roles.find((role) => role.id === id);

/** Forget everything of the person before switching to another. */
export function reset(me) {
  state.me = me;
  state.channels.clear();
  state.pending.clear();
  state.failed.clear();
}

/** A message for one person that is older than the page: on Discord, reloading makes it disappear. */
const isGone = (message) => !message || (message.ephemeral && message.at < state.opened);

const EMPTY = { ids: [], messages: new Map(), unread: 0, mentions: 0 };

export const channel = (id) => state.channels.get(id) ?? EMPTY;

/** Apply a channel's update from the server. Returns the new messages. */
export function updateChannel({ id, ids, messages, first }) {
  const known = state.channels.get(id) ?? { ids: [], messages: new Map(), unread: 0, mentions: 0 };
  const before = new Set(known.ids);
  for (const message of messages) {
    known.messages.set(message.id, message);
    // The change answers whatever was clicked there.
    for (const key of state.pending) if (key.startsWith(`${message.id}/`)) state.pending.delete(key);
  }
  for (const old of known.ids) if (!ids.includes(old)) known.messages.delete(old);
  known.ids = ids.filter((message) => !isGone(known.messages.get(message)));
  state.channels.set(id, known);
  const arrived =
    first && !before.size ? [] : messages.filter((message) => !before.has(message.id) && !isGone(message));
  const mine = self()?.id;
  const others = arrived.filter((message) => message.author !== mine);
  if (id !== state.current || document.hidden) {
    known.unread += others.length;
    known.mentions += others.filter((message) => message.mentions.includes(mine)).length;
  }
  emit("channel", { id, arrived });
}

/** Mark everything in a channel as read. */
export function markRead(id) {
  const known = state.channels.get(id);
  if (!known || (!known.unread && !known.mentions)) return;
  known.unread = known.mentions = 0;
  emit("unread");
}
