// A model looked into: its tuples, their tables, what they say of a position.

import { get } from "../api.js";
import { byId, html, keyed, set } from "../dom.js";
import { formatNumber, t } from "../text.js";
import { arrange, showCells, signWords, walkByArrows } from "./cells.js";
import { bar, cellNames, fillTable, percent, showSettings, showTiles, signed, signedBeside, tellHere, thumb } from "./common.js";

const path = `/api/lab/models/${encodeURIComponent(byId("name").dataset.name)}`;

/** @type {any} */ let model;
/** @type {any} */ let tuple = null;
/** @type {any} */ let place = null;
let asked = 0;
let going = "";

// --- all tuples ---------------------------------------------------------------------------------

const ORDERS = /** @type {Record<string, (one: any) => number>} */ ({
  number: (one) => one.number,
  size: (one) => -one.size,
  states: (one) => -one.states,
  used: (one) => -one.used,
});

function showTuples() {
  const { rows, cols, tuples } = model.system;
  const order = ORDERS[byId("order").value];
  const numbered = tuples.map((/** @type {any} */ one, /** @type {number} */ at) => ({ ...one, number: at + 1 }));
  numbered.sort((/** @type {any} */ a, /** @type {any} */ b) => order(a) - order(b));
  byId("tuples").replaceChildren(
    ...numbered.map((/** @type {any} */ one) => {
      const label = t("lab.model.tuple-label", {
        number: one.number,
        cells: cellNames(one.cells),
        states: formatNumber(one.states),
        possible: formatNumber(one.possible),
        used: percent(one.used, 0),
      });
      const button = html(
        "button",
        { type: "button", "data-tuple": one.number, "aria-label": label, title: label, "aria-pressed": "false", onclick: () => choose(one.number) },
        thumb(rows, cols, one.cells),
        html("span", { text: t("lab.model.tuple-short", { number: one.number }) }),
      );
      return html("li", {}, button);
    }),
  );
  markTuple();
}

function markTuple() {
  for (const button of byId("tuples").querySelectorAll("button"))
    set(button, { "aria-pressed": String(tuple !== null && Number(button.dataset.tuple) === tuple.number) });
}

function showSystem() {
  const { tuples, tables, weights, dense, m, used } = model.system;
  byId("system-about").textContent = t("lab.model.system", {
    count: formatNumber(tuples.length),
    tables: t(tables === 2 ? "lab.model.two-tables" : "lab.model.one-table"),
    weights: formatNumber(weights),
    dense: formatNumber(dense),
    m,
    used: percent(used, 0),
  });
  byId("tuple-number").max = tuples.length;
  byId("order").addEventListener("change", showTuples);
  showTuples();
}

// --- the look-up table --------------------------------------------------------------------------

/** @param {number} number */
async function choose(number) {
  await lookUp(number, "", null);
  byId("inspector-head").focus({ preventScroll: true });
  byId("inspector").scrollIntoView({ behavior: "smooth", block: "nearest" });
}

/** @param {number} number @param {string} pattern @param {number | null} kept the cell whose sign stays */
async function lookUp(number, pattern, kept) {
  asked += 1;
  const mine = asked;
  try {
    const known = tuple?.number === number ? tuple.largest : null; // another pattern changes nothing there
    const found = await get(`${path}/tuples/${number}`, { pattern, ...(kept === null ? {} : { place: kept }), ...(known ? { top: 0 } : {}) });
    if (mine !== asked) return;
    tuple = { ...found, largest: known ?? found.largest };
    showTuple();
  } catch (error) {
    tellHere(error);
    if (tuple) showTuple();
  }
}

/** @param {number[]} weights @returns {string[]} */
const words = (weights) => weights.map((weight) => signed(weight));

function heads() {
  return model.system.tables === 2 ? [t("lab.model.first-moves"), t("lab.model.second-moves")] : [t("lab.model.weight")];
}

function showTuple() {
  const { rows, cols, tuples } = model.system;
  const { number, cells, choices, entry, largest } = tuple;
  const facts = tuples[number - 1];
  byId("tuple-about").textContent = t("lab.model.tuple-about", {
    number,
    states: formatNumber(facts.states),
    possible: formatNumber(facts.possible),
    share: percent(facts.states / facts.possible, 1),
  });
  byId("tuple-number").value = number;
  byId("pattern").value = entry.pattern;
  byId("pattern").maxLength = cells.length;
  showCells(
    byId("cells"),
    rows,
    cols,
    (cell) => {
      const at = cells.indexOf(cell);
      if (at < 0) return { sign: ".", label: null, apart: true };
      const letter = String.fromCharCode(97 + at);
      const sign = entry.pattern[at];
      const label = t("lab.model.cell", { letter, row: Math.floor(cell / cols) + 1, column: (cell % cols) + 1, sign: signWords(sign) });
      return { sign, label, letter };
    },
    (cell) => {
      const at = cells.indexOf(cell);
      const pattern = tuple.entry.pattern;
      const next = choices[at][(choices[at].indexOf(pattern[at]) + 1) % choices[at].length];
      lookUp(tuple.number, pattern.slice(0, at) + next + pattern.slice(at + 1), at);
    },
  );
  showTiles(byId("entry"), words(entry.weights).map((weight, at) => [heads()[at], weight]));
  fillTable(
    byId("largest"),
    [t("lab.model.pattern"), ...heads()],
    largest.map((/** @type {any} */ one) => [
      html("button", { type: "button", class: "pattern", text: one.pattern, "aria-label": t("lab.model.take", { pattern: one.pattern }), onclick: () => lookUp(tuple.number, one.pattern, null) }),
      ...words(one.weights),
    ]),
    [false, true, true],
  );
  markTuple();
}

// --- a position ---------------------------------------------------------------------------------

/** Where we are going: a quick second click goes on from there. @param {string} moves */
async function goTo(moves) {
  going = moves;
  try {
    const found = await get(`${path}/contributions`, { moves });
    if (going !== moves) return;
    place = found;
    going = place.position.moves;
    showPlace();
  } catch (error) {
    tellHere(error);
    if (place) going = place.position.moves;
  }
  byId("moves").value = going;
}

function showPlace() {
  const { position } = place;
  const mover = t(position.mover === 1 ? "lab.model.first" : "lab.model.second");
  showTiles(byId("value"), [
    [t("lab.model.value"), signed(place.value), model.net ? "" : place.function.startsWith("linear") ? "" : place.function],
    ...(model.net ? [] : [/** @type {[string, string]} */ ([t("lab.model.sum"), signed(place.sum)])]),
    [t("lab.model.turn"), mover],
  ]);
  showBoard(position);
  showParts();
  byId("back").disabled = byId("clear").disabled = !position.moves;
}

/** @param {any} position */
function showBoard(position) {
  const board = byId("board");
  // Buttons stay from position to position: they act in the one that is to be shown.
  const play = (/** @type {string} */ move) => goTo(going + move);
  board.className = position.kind === "nim" ? "heap" : position.kind === "connectx" ? "board" : "board free";
  if (position.kind === "nim") {
    board.replaceChildren(
      html("p", { text: t("lab.model.stones", { count: position.stones }) }),
      ...position.legal.map((/** @type {string} */ move) =>
        html("button", { type: "button", text: t("lab.model.take-stones", { count: position.names.indexOf(move) + 1 }), onclick: () => play(move) }),
      ),
    );
    return;
  }
  board.style.setProperty("--cols", String(position.cols));
  const owner = new Map(position.pieces.map((/** @type {any} */ piece) => [piece.cell, piece.owner]));
  const disc = (/** @type {number} */ cell) => {
    const who = owner.get(cell);
    return html("span", { class: who ? `disc ${who === 1 ? "first" : "second"}` : "disc", text: who ? "XO"[who - 1] : "" });
  };
  const falls = position.kind === "connectx";
  const moves = position.names.map((/** @type {string} */ move) => ({ move, can: position.legal.includes(move) }));
  const tops = falls ? moves.map((/** @type {any} */ one) => ({ key: `top ${one.move}`, ...one })) : [];
  const cells = Array.from({ length: position.rows * position.cols }, (_, cell) => ({
    key: `${cell} ${owner.get(cell) ?? ""}`,
    cell,
    move: falls ? null : position.names[cell],
    can: !falls && position.legal.includes(position.names[cell]),
  }));
  const all = [...tops, ...cells];
  keyed(board, all, (one) => one.key + one.can, (one) => {
    if (one.cell === undefined)
      return html("button", { type: "button", class: "drop", text: "▾", "aria-label": t("lab.model.drop", { move: one.move }), disabled: !one.can, onclick: () => play(one.move) });
    if (!one.can) return html("span", { "data-cell": one.cell }, disc(one.cell));
    return html("button", { type: "button", "data-cell": one.cell, "aria-label": t("lab.model.place", { move: one.move }), onclick: () => play(one.move) }, disc(one.cell));
  });
  const elements = new Map([...board.children].map((child) => [child.dataset.key, child]));
  arrange(board, all.map((one) => elements.get(one.key + one.can)));
}

function showParts() {
  const byTuple = new Map();
  for (const part of place.contributions) {
    const key = part.tuple ?? part.name;
    const known = byTuple.get(key) ?? { tuple: part.tuple, names: [], weight: 0 };
    known.names.push(part.name);
    known.weight += part.weight;
    byTuple.set(key, known);
  }
  const parts = [...byTuple.values()].sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  const most = Math.max(0, ...parts.map((part) => Math.abs(part.weight)));
  fillTable(
    byId("parts"),
    [model.system ? t("lab.model.part") : t("lab.model.feature"), "", t("lab.model.adds"), ...(model.system ? [t("lab.model.patterns")] : [])],
    parts.map((part) => [
      part.tuple === null
        ? part.names[0] === "bias" ? t("lab.model.bias") : part.names[0]
        : html("button", { type: "button", text: String(part.tuple), title: t("lab.model.inspector"), "aria-label": `${t("lab.model.tuple")} ${part.tuple}`, onclick: () => choosePattern(part.tuple, part.names[0]) }),
      bar(part.weight, most),
      signed(part.weight),
      ...(model.system ? [html("code", { text: part.tuple === null ? "" : part.names.join(" ") })] : []),
    ]),
    [false, false, true, false],
  );
}

/** @param {number} number @param {string} pattern */
async function choosePattern(number, pattern) {
  await lookUp(number, pattern, null);
  byId("inspector").scrollIntoView({ behavior: "smooth", block: "nearest" });
}

// --- weights of other models --------------------------------------------------------------------

function showWeights() {
  const most = Math.max(0, ...model.largest.map((/** @type {any} */ one) => Math.abs(one.weight)));
  byId("weights-about").textContent = model.net ? t("lab.model.net") : t("lab.model.linear", { count: formatNumber(model.weights) });
  fillTable(
    byId("weight-rows"),
    [t("lab.model.feature"), "", t("lab.model.weight")],
    model.largest.map((/** @type {any} */ one) => [html("code", { text: one.name }), bar(one.weight, most), signedBeside(one.weight, most)]),
    [false, false, true],
  );
}

async function begin() {
  try {
    model = await get(path);
  } catch (error) {
    byId("waiting").remove();
    return tellHere(error);
  }
  byId("waiting").remove();
  byId("origin").hidden = false;
  byId("command").textContent = model.command;
  showSettings(byId("settings"), model.settings);
  byId("system").hidden = byId("inspector").hidden = !model.system;
  byId("weights").hidden = model.system !== null;
  const skipBo = model.agent.startsWith("skipbo-");
  byId("position").hidden = skipBo;
  if (model.system) {
    showSystem();
    await lookUp(1, "", null);
  } else showWeights();
  if (!skipBo) await goTo("");
}

walkByArrows(byId("cells"));
walkByArrows(byId("board"));
byId("tuple-number").addEventListener("change", () => choose(Number(byId("tuple-number").value) || 1));
byId("pattern").addEventListener("change", () => lookUp(tuple.number, byId("pattern").value.toUpperCase().replaceAll("0", "O"), null));
byId("empty").addEventListener("click", () => lookUp(tuple.number, "", null));
byId("moves").addEventListener("change", () => goTo(byId("moves").value));
byId("back").addEventListener("click", () => goTo(going.slice(0, -1)));
byId("clear").addEventListener("click", () => goTo(""));
begin();
