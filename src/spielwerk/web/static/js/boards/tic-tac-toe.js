// Tic-Tac-Toe: marks drawn with a pen.

import { html, keyed, set, svg } from "../dom.js";
import { t } from "../text.js";
import { playerName } from "../words.js";
import { makeChoices } from "./choices.js";

/** @typedef {import("./connectx.js").Scene} Scene */

const CELL = 100;
const EDGE = 10;
const GRID = "M110 18V302M210 18V302M18 110H302M18 210H302";

/** @param {number} owner */
function makeMark(owner) {
  const path = owner === 1 ? "M-27 -27L27 27M27 -27L-27 27" : "M0 -30a30 30 0 1 0 0.01 0";
  return svg("path", { class: `pen ${owner === 1 ? "first" : "second"}`, d: path, pathLength: 100 });
}

/** @param {HTMLElement} parent @param {(move: string, event?: Event) => void} choose */
export function makeBoard(parent, choose) {
  /** @type {Scene} */ let scene;
  /** @type {string | null} */ let looked = null;
  const choices = makeChoices(t("games.choices.tic-tac-toe"), choose, (move) => {
    looked = move;
    if (scene) hover();
  });
  const fields = svg("g");
  const ghost = svg("g");
  const pieces = svg("g");
  const marks = svg("g");
  const drawing = svg("svg", { role: "img", viewBox: "0 0 320 320" }, fields, svg("path", { class: "grid", d: GRID }), ghost, pieces, marks);
  /** Knows the shape of the board; so do the bars below it. @type {any} */
  const stage = parent.closest(".play");
  parent.replaceChildren(html("div", { class: "holder tic-tac-toe" }, drawing, choices.element));
  for (const [name, value] of [["--ratio", "1"], ["--cols", "3"], ["--rows", "3"], ["--side", `${(100 * EDGE) / 320}%`]]) stage.style.setProperty(name, value);

  const at = (/** @type {number} */ cell) => `translate(${EDGE + ((cell % 3) + 0.5) * CELL} ${EDGE + (Math.floor(cell / 3) + 0.5) * CELL})`;
  const cellOf = (/** @type {string} */ move) => scene.position.names.indexOf(move);
  const ownerOf = (/** @type {number} */ cell) => scene.position.pieces.find((/** @type {any} */ piece) => piece.cell === cell)?.owner;

  function hover() {
    const legal = looked !== null && scene.can && !scene.editing && scene.position.legal.includes(looked);
    keyed(ghost, legal ? [cellOf(looked)] : [], (cell) => `${cell}-${scene.seat}`, (cell) => {
      return svg("g", { class: "ghost", transform: at(cell) }, makeMark(scene.seat));
    });
  }

  function drawMarks() {
    const { line, moves } = scene.position;
    const newest = scene.editing ? undefined : scene.position.pieces.find((/** @type {any} */ piece) => piece.key === `m${moves.length}`);
    keyed(fields, [
      ...line.map((/** @type {number} */ cell) => ({ cell, kind: "winning" })),
      ...(newest && !line.length ? [{ cell: newest.cell, kind: "last" }] : []),
      ...scene.advice.map((move) => ({ cell: cellOf(move), kind: "advice" })),
    ], (mark) => `${mark.kind}-${mark.cell}`, (mark) => {
      return svg("g", { class: `mark ${mark.kind}`, transform: at(mark.cell) }, svg("rect", { x: -42, y: -42, width: 84, height: 84, rx: 14 }));
    });
    keyed(marks, [...(scene.verdicts ?? [])], ([move, verdict]) => `${move}-${verdict}`, ([move, verdict]) => {
      return svg("g", { class: `mark ${verdict}`, transform: at(cellOf(move)) }, svg("text", { y: 18, text: verdict === "right" ? "✓" : "✗" }));
    });
  }

  /** @param {number} cell */
  function cellWords(cell) {
    const owner = ownerOf(cell);
    const what = owner ? playerName(scene.position, owner) : t("games.reads.empty");
    return t("games.choices.cell", { move: scene.position.names[cell], row: Math.floor(cell / 3) + 1, col: (cell % 3) + 1, what });
  }

  return {
    choices,
    /** @param {Scene} next */
    show(next) {
      scene = next;
      const { names, legal, moves } = scene.position;
      keyed(pieces, scene.position.pieces, (piece) => `${piece.key}-${piece.cell}-${piece.owner}`, (piece) => {
        const mark = makeMark(piece.owner);
        if (piece.key === `m${moves.length}` || scene.editing) mark.classList.add("drawn");
        return svg("g", { transform: at(piece.cell), "data-cell": piece.cell, "data-owner": piece.owner }, mark);
      });
      drawMarks();
      set(drawing, { "aria-label": names.map((/** @type {string} */ _, /** @type {number} */ cell) => cellWords(cell)).join("; ") });
      choices.show(
        names.map((/** @type {string} */ name, /** @type {number} */ cell) => ({ name, label: cellWords(cell), can: scene.editing || (scene.can && legal.includes(name)) })),
        3,
      );
      hover();
    },
  };
}
