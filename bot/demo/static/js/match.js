// A match from its file, step by step: the file is dropped onto the page, or chosen.

import { fill, h, icon } from "./dom.js";
import { N_, t } from "./i18n.js";
import { markdown } from "./markdown.js";
import { readMatch } from "./net.js";
import { complain } from "./toasts.js";

/** Open the files that are dropped onto the page. */
export function watchDrops() {
  const holdsFile = (event) => event.dataTransfer?.types.includes("Files");
  const show = (on) => document.body.classList.toggle("dropping", on);
  addEventListener("dragover", (event) => {
    if (!holdsFile(event)) return;
    event.preventDefault();
    show(true);
  });
  addEventListener("dragleave", (event) => event.relatedTarget || show(false));
  addEventListener("drop", (event) => {
    if (!holdsFile(event)) return;
    event.preventDefault();
    show(false);
    open(event.dataTransfer.files[0]);
  });
}

/** Let somebody choose a file, where nothing can be dropped. */
export function chooseMatch() {
  const input = h("input", { type: "file", accept: ".escoba,.txt,text/plain" });
  input.addEventListener("change", () => open(input.files[0]));
  input.click();
}

async function open(file) {
  if (!file) return;
  const answer = await readMatch(file);
  if (answer.ok) show(answer.match);
  else if (answer.error === "match") refuse(file.name, answer);
  else complain("offline");
}

function refuse(name, { line, problem }) {
  dialog(
    "match-refused",
    t("This match can't be shown"),
    // Translators: {line}: the number of a line; {name}: the name of the file that it is in.
    h("p", { role: "alert" }, t("Line {line} of {name}:", { line, name }), h("br"), problem),
  );
}

function dialog(kind, title, ...content) {
  document.querySelector("dialog.match")?.close();
  const close = () => box.close();
  const box = h(
    "dialog",
    { class: `modal match ${kind}`, "aria-labelledby": "match-title", onclose: () => box.remove() },
    h(
      "div",
      { class: "modal-head" },
      h("h2", { id: "match-title" }, title),
      h(
        "button",
        { type: "button", class: "icon-button", "aria-label": t("Close"), onclick: close },
        icon("close"),
      ),
    ),
    content,
  );
  document.body.append(box);
  box.showModal();
  return box;
}

function show(match) {
  const { steps } = match;
  const [title] = match.heading;
  if (!steps.length) {
    // a file may end before its first round
    dialog("match-shown", title.replace(/^## /, ""), h("div", { class: "modal-body" }, about(match)));
    return;
  }
  let place = 0;
  const body = h("div", { class: "modal-body", role: "region", "aria-labelledby": "match-title", tabindex: "0" });
  const counter = h("output", { class: "muted small" });
  const starts = steps.flatMap((step, index) => (step.round !== steps[index - 1]?.round ? [index] : []));
  const rounds = h(
    "select",
    { "aria-label": t("Round"), onchange: () => go(starts[rounds.selectedIndex]) },
    starts.map((_, index) => h("option", null, t("Round {n}", { n: index + 1 }))),
  );
  const to = (text, sign, where) =>
    h(
      "button",
      {
        type: "button",
        class: "button secondary",
        "aria-label": t(text),
        "data-go": text,
        onclick: () => go(where()),
      },
      sign,
    );
  const back = [to(N_("To the beginning"), "⏮", () => 0), to(N_("Back"), "◀", () => place - 1)];
  const on = [
    to(N_("On"), "▶", () => place + 1),
    to(N_("To the end"), "⏭", () => steps.length - 1),
  ];

  function go(where) {
    place = Math.max(0, Math.min(where, steps.length - 1));
    const step = steps[place];
    fill(body, place ? null : about(match), board(match, step));
    counter.value = t("{n} of {all}", { n: place + 1, all: steps.length });
    rounds.selectedIndex = step.round - 1;
    for (const button of back) button.disabled = place === 0;
    for (const button of on) button.disabled = place === steps.length - 1;
    body.scrollTop = 0;
  }

  const box = dialog(
    "match-shown",
    title.replace(/^## /, ""),
    body,
    h("div", { class: "modal-foot" }, rounds, back, on, counter),
  );
  box.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step && event.target !== rounds) go(place + step);
  });
  go(0);
  on[0].focus();
}

const about = (match) => h("div", { class: "markup" }, markdown(match.heading.slice(1).join("\n")));

/** The table, what happened, and everybody's cards. */
function board(match, step) {
  const card = (name, kind = "") =>
    name
      ? h("img", { class: `card ${kind}`, src: `/cards/${name}.svg`, alt: match.cards[name] })
      : h("span", { class: "card gap" });
  const { table, laid, taken } = step;
  return [
    h("div", { class: "markup told", role: "status" }, markdown(step.told.join("\n"))),
    h(
      "div",
      { class: "felt", role: "group", "aria-label": t("On the table") },
      table.length || laid ? table.map((name) => card(name)) : h("p", null, t("The table is empty")),
      laid ? card(laid, "laid") : null,
      taken.length ? h("div", { class: "taken" }, taken.map((name) => card(name))) : null,
    ),
    step.score.length
      ? h("div", { class: "markup score" }, markdown(step.score.join("\n")))
      : hands(match, step, card),
  ];
}

const hands = (match, step, card) =>
  h(
    "ul",
    { class: "hands" },
    match.names.map((name, seat) => {
      const side = match.sides[seat];
      const first = match.sides.indexOf(side) === seat;
      return h(
        "li",
        { "aria-current": seat === step.turn ? "true" : null },
        h(
          "div",
          { class: "who" },
          h("span", { class: "markup" }, seat === step.turn ? "▸ " : "", markdown(`**${name}**`)),
          first ? h("small", { class: "muted" }, standing(step, side)) : null,
        ),
        h("div", { class: "hand" }, step.hands[seat].map((each) => card(each))),
      );
    }),
  );

const standing = (step, side) =>
  [
    t("{n} points", { n: step.totals[side] }),
    t("{n} in the pile", { n: step.piles[side] }),
    step.escobas[side] ? t("{n} 🧹", { n: step.escobas[side] }) : "",
  ]
    .filter(Boolean)
    .join(" · ");
