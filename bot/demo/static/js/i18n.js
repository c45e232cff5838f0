// The page's own words, in the person's language. The bot's words come from the bot.

import { self, state } from "./state.js";

const TEXTS = {
  es: {
    demo: "Discord simulado",
    "demo.people": "Ser otra persona",
    "demo.be": "Ser {name}",
    "demo.you": "{name} (tú)",
    language: "Idioma",
    "language.mine": "Tu idioma",
    "language.guild": "Idioma del servidor",
    "language.guild.note": "Es el de los mensajes públicos del bot. Mientras no se elija ninguno, vale el de quien entró primero.",
    help: "Ayuda",
    reconnecting: "Se ha perdido la conexión con la demo. Reconectando…",
    servers: "Servidores",
    direct: "Mensajes directos",
    channels: "Canales",
    "channels.text": "Canales de texto",
    members: "Miembros",
    "members.toggle": "Mostrar u ocultar los miembros",
    menu: "Canales y personas",
    online: "En línea",
    offline: "Desconectado",
    "online.one": "En línea",
    app: "APP",
    owner: "Dueña del servidor y del bot",
    settings: "Ajustes",
    "open.window": "Abrir una ventana como {name}",
    "topic.general": "Para charlar",
    "topic.table": "Escribe /escoba para abrir una mesa",
    "topic.direct": "Solo tú y el bot, sin servidor",
    "welcome.direct": "Aquí escribes a {bot} a solas. Escribe / para ver qué se puede hacer sin servidor.",
    welcome: "¡Te damos la bienvenida a {channel}!",
    "welcome.start": "Aquí empieza el canal {channel}.",
    "welcome.how":
      "Pulsa {start} o escribe {command} abajo para abrir una mesa. El bot es el de verdad; solo Discord es de mentira.",
    "welcome.button": "Empezar una partida",
    "welcome.people": "Abre las ventanas de las demás personas y juega con ellas:",
    hint: "Cada ventana es una persona. Lo que solo ve una persona aparece marcado como «solo tú puedes ver esto».",
    "hint.guess": "La altura máxima de las imágenes es una suposición de esta página.",
    "hint.language": "Idioma de los mensajes públicos:",
    log: "Mensajes de {channel}",
    "hint.close": "Entendido",
    "match.open": "Ver una partida guardada",
    "match.drop": "o suelta su archivo en esta página",
    "match.bad": "Esta partida no se puede mostrar",
    "match.line": "Línea {line} de {name}:",
    "match.round": "Mano",
    "match.rounds": "Mano {n}",
    "match.place": "{n} de {all}",
    "match.first": "Al principio",
    "match.back": "Atrás",
    "match.on": "Adelante",
    "match.last": "Al final",
    "match.table": "En la mesa",
    "match.empty": "La mesa está vacía",
    "match.turn": "Le toca",
    "match.pile": "{n} en el montón",
    "match.escobas": "{n} 🧹",
    "match.total": "{n} puntos",
    used: "{user} ha usado {command}",
    "used.verb": "ha usado",
    ephemeral: "Solo tú puedes ver esto",
    refresh: "Actualizar",
    dismiss: "Descartar mensaje",
    thinking: "{user} está pensando…",
    edited: "(editado)",
    "reply.gone": "El mensaje original no está disponible",
    "reply.jump": "Ir al mensaje original",
    "reply.click": "Pulsa para ver el mensaje",
    jump: "Ir al presente",
    "jump.new": "{n} nuevos · ir al presente",
    today: "hoy a las {time}",
    yesterday: "ayer a las {time}",
    "message.placeholder": "Enviar un mensaje a {channel}",
    send: "Enviar",
    commands: "Comandos",
    "commands.none": "Ningún comando se llama así",
    "command.run": "Ejecutar",
    "command.cancel": "Cancelar el comando",
    "option.remove": "Quitar {name}",
    "option.choose": "Elige…",
    options: "Opciones",
    "options.more": "+{n} más",
    yes: "Sí",
    no: "No",
    select: "Elige una opción",
    "select.done": "Listo",
    "select.search": "Buscar",
    "select.count": "Elige entre {min} y {max}",
    "select.exact": "Elige {min}",
    "select.none": "Sin resultados",
    spoiler: "Contenido oculto: pulsa para verlo",
    "modal.submit": "Enviar",
    "modal.cancel": "Cancelar",
    "modal.close": "Cerrar",
    "modal.note": "Este formulario se enviará a {bot}.",
    "modal.required": "Campo obligatorio",
    failed: "La interacción ha fallado",
    working: "Esperando la respuesta",
    link: "se abre en otra ventana",
    image: "Imagen",
    alt: "Texto alternativo",
    "external.image": "Imagen de otra página, no se carga",
    "error.failed": "La interacción ha fallado: el bot no ha respondido.",
    "error.stale": "Eso acaba de cambiar. Mira otra vez el mensaje.",
    "error.slow": "El bot sigue ocupado; la respuesta llegará.",
    "error.invalid": "Eso no se puede hacer así. Revisa lo escrito.",
    "error.offline": "No se puede llegar a la demo. ¿Sigue en marcha en la terminal?",
    "error.command": "La aplicación no ha respondido",
    "unknown.user": "alguien",
    "unknown.channel": "canal-desconocido",
  },
  en: {
    demo: "Simulated Discord",
    "demo.people": "Be someone else",
    "demo.be": "Be {name}",
    "demo.you": "{name} (you)",
    language: "Language",
    "language.mine": "Your language",
    "language.guild": "Server language",
    "language.guild.note": "The bot's public messages follow it. Until one is chosen, it is that of whoever came first.",
    help: "Help",
    reconnecting: "The connection to the demo is lost. Reconnecting…",
    servers: "Servers",
    direct: "Direct messages",
    channels: "Channels",
    "channels.text": "Text channels",
    members: "Members",
    "members.toggle": "Show or hide the members",
    menu: "Channels and people",
    online: "Online",
    offline: "Offline",
    "online.one": "Online",
    app: "APP",
    owner: "Owner of the server and the bot",
    settings: "Settings",
    "open.window": "Open a window as {name}",
    "topic.general": "For chatting",
    "topic.table": "Type /escoba to open a table",
    "topic.direct": "Only you and the bot, without a server",
    "welcome.direct": "Here you write to {bot} alone. Type / to see what works without a server.",
    welcome: "Welcome to {channel}!",
    "welcome.start": "This is the start of the {channel} channel.",
    "welcome.how":
      "Press {start} or type {command} below to open a table. The bot is the real one; only Discord is make-believe.",
    "welcome.button": "Start a game",
    "welcome.people": "Open the other people's windows and play with them:",
    hint: "Each window is one person. What only one person can see is marked “only you can see this”.",
    "hint.guess": "How high pictures may be is a guess of this page.",
    "hint.language": "Language of the messages everyone sees:",
    log: "Messages in {channel}",
    "hint.close": "Got it",
    "match.open": "Watch a saved match",
    "match.drop": "or drop its file onto this page",
    "match.bad": "This match can't be shown",
    "match.line": "Line {line} of {name}:",
    "match.round": "Round",
    "match.rounds": "Round {n}",
    "match.place": "{n} of {all}",
    "match.first": "To the beginning",
    "match.back": "Back",
    "match.on": "On",
    "match.last": "To the end",
    "match.table": "On the table",
    "match.empty": "The table is empty",
    "match.turn": "At turn",
    "match.pile": "{n} in the pile",
    "match.escobas": "{n} 🧹",
    "match.total": "{n} points",
    used: "{user} used {command}",
    "used.verb": "used",
    ephemeral: "Only you can see this",
    refresh: "Refresh",
    dismiss: "Dismiss message",
    thinking: "{user} is thinking…",
    edited: "(edited)",
    "reply.gone": "The original message isn't available",
    "reply.jump": "Go to the original message",
    "reply.click": "Click to see the message",
    jump: "Jump to present",
    "jump.new": "{n} new · jump to present",
    today: "today at {time}",
    yesterday: "yesterday at {time}",
    "message.placeholder": "Message {channel}",
    send: "Send",
    commands: "Commands",
    "commands.none": "No command is called that",
    "command.run": "Run",
    "command.cancel": "Cancel the command",
    "option.remove": "Remove {name}",
    "option.choose": "Choose…",
    options: "Options",
    "options.more": "+{n} more",
    yes: "Yes",
    no: "No",
    select: "Make a selection",
    "select.done": "Done",
    "select.search": "Search",
    "select.count": "Choose {min} to {max}",
    "select.exact": "Choose {min}",
    "select.none": "Nothing matches",
    spoiler: "Hidden content: press to see it",
    "modal.submit": "Submit",
    "modal.cancel": "Cancel",
    "modal.close": "Close",
    "modal.note": "This form will be submitted to {bot}.",
    "modal.required": "This is needed",
    failed: "This interaction failed",
    working: "Waiting for the answer",
    link: "opens in another window",
    image: "Image",
    alt: "Image description",
    "external.image": "Another site's picture, not loaded",
    "error.failed": "This interaction failed: the bot didn't answer.",
    "error.stale": "That has just changed. Have another look at the message.",
    "error.slow": "The bot is still busy; the answer will come.",
    "error.invalid": "That can't be done like this. Check what you typed.",
    "error.offline": "The demo can't be reached. Is it still running in the terminal?",
    "error.command": "The application did not respond",
    "unknown.user": "someone",
    "unknown.channel": "unknown-channel",
  },
};

/** The person's Discord locale; until the server has sent it, the browser's language. */
export const locale = () => self()?.locale ?? navigator.language;

/** The language of the page's own words. */
export const language = () => Object.keys(TEXTS).find((each) => locale().startsWith(each)) ?? "en";

/** The bot's languages, each with the Discord locales that it is shown for. */
export const languages = () => Object.entries(state.setting.languages);

/** A language's own name for itself. */
export function languageName(code) {
  const names = new Intl.DisplayNames(code, { type: "language", languageDisplay: "standard", style: "short" });
  const name = names.of(code);
  return name[0].toUpperCase() + name.slice(1);
}

/** A text by its key, with its `{name}` placeholders filled in. */
export function t(key, values = {}) {
  const text = TEXTS[language()][key] ?? TEXTS[language()]["error.invalid"];
  return text.replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
}

/** A text split at its placeholders, so that elements can fill them. */
export function parts(key, values) {
  return TEXTS[language()][key].split(/(\{\w+\})/).map((part) => values[part.slice(1, -1)] ?? part);
}

// Discord's own fallbacks between variants of a language.
const FALLBACK = { "en-US": "en-GB", "en-GB": "en-US", "es-419": "es-ES" };

/** The translation that Discord would choose, or the default. */
export const localised = (standard, translations) =>
  translations?.[locale()] ?? translations?.[FALLBACK[locale()]] ?? standard;

export const date = (ms, options) => new Intl.DateTimeFormat(locale(), options).format(ms);

const dayOf = (ms) => new Date(ms).setHours(0, 0, 0, 0);

export const sameDay = (a, b) => dayOf(a) === dayOf(b);

/** A message's time as Discord shows it in its header. */
export function messageTime(ms, now) {
  const time = date(ms, { timeStyle: "short" });
  const days = Math.round((dayOf(now) - dayOf(ms)) / 86_400_000);
  if (days === 0) return time;
  if (days === 1) return t("yesterday", { time });
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
  return new Intl.RelativeTimeFormat(locale(), { numeric: unit === "second" ? "always" : "auto" }).format(
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
