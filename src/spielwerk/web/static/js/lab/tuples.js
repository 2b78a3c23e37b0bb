// Tuples drawn by hand. What they are called, and how large their tables get, the server says.

import { get } from "../api.js";
import { byId, html, notify } from "../dom.js";
import { formatNumber, language, t } from "../text.js";
import { showCells, walkByArrows } from "./cells.js";
import { cellNames, tellHere, thumb } from "./common.js";

/** @typedef {{game: string, rows: number, cols: number, tuples: number[][], current: number}} Drawing */

/** @type {Drawing} */
let drawing = { game: "connect-four", rows: 6, cols: 7, tuples: [[]], current: 0 };
/** @type {string[]} */ const past = [];
/** @type {any} */ let known = { tuples: [], weights: 0, features: "", longest: 12 };
let asked = 0;

const size = byId("size");

function gameSpec() {
  const [rows, cols, k] = [size.rows.value, size.cols.value, size.k.value].map(Number);
  return rows === 6 && cols === 7 && k === 4 ? "connect-four" : `connectx:rows=${rows},cols=${cols},k=${k}`;
}

/** Keep what there was, so that it can come back. @param {(drawing: Drawing) => void} change */
async function edit(change) {
  const before = JSON.stringify(drawing);
  change(drawing);
  if (JSON.stringify(drawing) === before) return;
  past.push(before);
  await check();
}

/** Tuples that are complete, as a text. */
function text() {
  return drawing.tuples.filter((cells) => cells.length > 1).map(cellNames).join("/");
}

async function check() {
  asked += 1;
  const mine = asked;
  try {
    const found = await get("/api/lab/tuples", { game: drawing.game, cells: text() });
    if (mine !== asked) return;
    known = found;
    byId("wrong").textContent = "";
  } catch (error) {
    if (mine !== asked) return;
    tellHere(error);
  }
  show();
}

/** @param {number} cell */
function toggle(cell) {
  edit(({ tuples, current }) => {
    const cells = tuples[current];
    if (cells.includes(cell)) tuples[current] = cells.filter((one) => one !== cell);
    else if (cells.length >= known.longest) notify(t("lab.tuples.full", { most: known.longest }), "", "info");
    else tuples[current] = [...cells, cell].sort((a, b) => a - b);
  });
}

function showBoard() {
  const cells = drawing.tuples[drawing.current];
  showCells(
    byId("cells"),
    drawing.rows,
    drawing.cols,
    (cell) => {
      const inside = cells.includes(cell);
      return {
        sign: inside ? "X" : ".",
        letter: "",
        label: t("lab.tuples.cell", { row: Math.floor(cell / drawing.cols) + 1, column: (cell % drawing.cols) + 1 }),
        pressed: inside,
      };
    },
    toggle,
  );
  for (const disc of byId("cells").querySelectorAll(".disc.first")) disc.textContent = "●";
  const words = t("lab.tuples.editing", { number: drawing.current + 1, cells: cells.length });
  byId("said").textContent = cells.length === 1 ? `${words} ${t("lab.tuples.short")}` : words;
}

function showList() {
  const { rows, cols, tuples, current } = drawing;
  let complete = -1;
  const items = tuples.flatMap((cells, at) => {
    if (!cells.length) return []; // the one that is being begun
    if (cells.length > 1) complete += 1;
    const facts = cells.length > 1 ? known.tuples[complete] : null;
    const label = t("lab.tuples.edit", {
      number: at + 1,
      cells: cellNames(cells),
      states: formatNumber(facts?.states ?? 0),
      possible: formatNumber(facts?.possible ?? 0),
    });
    return html(
      "li",
      {},
      html(
        "button",
        { type: "button", "aria-label": label, title: label, "aria-pressed": String(at === current), onclick: () => select(at) },
        thumb(rows, cols, cells),
        html("span", { text: facts ? formatNumber(facts.states) : t("lab.tuples.unfinished") }),
      ),
      html("button", { type: "button", class: "remove", text: "×", "aria-label": t("lab.tuples.remove", { number: at + 1 }), onclick: () => remove(at) }),
    );
  });
  byId("tuples").replaceChildren(...items);
}

function show() {
  showBoard();
  showList();
  const count = known.tuples.length;
  const places = { count: formatNumber(count), weights: formatNumber(known.weights) };
  byId("about").textContent = count ? t(count === 1 ? "lab.tuples.about-one" : "lab.tuples.about", places) : t("lab.tuples.none");
  if (document.activeElement !== byId("features")) byId("features").value = known.features;
  byId("undo").disabled = past.length === 0;
  const train = byId("train");
  if (train) {
    const query = new URLSearchParams({ game: drawing.game, kind: "ntuple", features: known.features });
    train.href = count ? `/lab/runs?${query}` : "/lab/runs";
  }
}

/** @param {number} at */
function select(at) {
  drawing.current = at;
  show();
}

/** @param {number} at */
function remove(at) {
  edit((now) => {
    now.tuples.splice(at, 1);
    if (!now.tuples.length) now.tuples.push([]);
    now.current = Math.min(now.current, now.tuples.length - 1);
  });
}

function addEmpty() {
  if (drawing.tuples[drawing.current].length < 2) return;
  edit((now) => {
    now.tuples.push([]);
    now.current = now.tuples.length - 1;
  });
}

async function walk() {
  try {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const { cells } = await get("/api/lab/tuples/walk", { game: drawing.game, length: byId("length").value, seed });
    await edit((now) => {
      if (now.tuples[now.current].length) {
        now.tuples.push(cells);
        now.current = now.tuples.length - 1;
      } else now.tuples[now.current] = cells;
    });
  } catch (error) {
    tellHere(error);
  }
}

function undo() {
  const before = past.pop();
  if (before === undefined) return;
  drawing = JSON.parse(before);
  check();
}

async function resize() {
  const game = gameSpec();
  try {
    const board = await get("/api/lab/tuples", { game });
    await edit((now) => {
      now.game = game;
      const same = now.rows === board.rows && now.cols === board.cols;
      [now.rows, now.cols] = [board.rows, board.cols];
      if (!same) [now.tuples, now.current] = [[[]], 0];
    });
  } catch (error) {
    tellHere(error);
  }
}

/** Tuples that somebody has written or pasted. */
async function read() {
  const cells = byId("features").value.trim().replace(/^(features=)?tuples:/, "");
  try {
    const found = await get("/api/lab/tuples", { game: drawing.game, cells });
    await edit((now) => {
      now.tuples = found.tuples.length ? found.tuples.map((/** @type {any} */ one) => one.cells) : [[]];
      now.current = 0;
    });
  } catch (error) {
    byId("wrong").lang = "en";
    byId("wrong").textContent = /** @type {any} */ (error).message;
  }
}

byId("train")?.addEventListener("click", (/** @type {Event} */ event) => {
  if (known.tuples.length) return;
  event.preventDefault();
  byId("wrong").lang = language;
  byId("wrong").textContent = t("lab.tuples.train-none");
});
byId("new").addEventListener("click", addEmpty);
byId("walk").addEventListener("click", walk);
byId("undo").addEventListener("click", undo);
byId("features").addEventListener("change", read);
byId("copy").addEventListener("click", async () => {
  await navigator.clipboard?.writeText(byId("features").value);
  notify(t("lab.tuples.copied"), "", "info");
});
size.addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  resize();
});
walkByArrows(byId("cells"));
check();
