// Connect Four and its relatives of other sizes: stones fall behind a board with holes.

import { html, keyed, set, svg } from "../dom.js";
import { t } from "../text.js";
import { playerName } from "../words.js";
import { makeChoices } from "./choices.js";
import { makeStone } from "./stone.js";

const CELL = 100;
const HOLE = 40;
const FRAME = 16;
const FOOT = 44;
/** Columns whose bars have room on a phone. */
const MOST_COLUMNS = 9;
/** The smallest cell that a finger hits, in pixels. */
const LEAST_CELL = 24;

/**
 * @typedef {object} Scene   what there is to see
 * @property {any} position  of the server, perhaps with other pieces (editor)
 * @property {boolean} can   whether a person may move
 * @property {boolean} [editing]  every column may be clicked, and none has a ghost
 * @property {string[]} advice  moves to be marked
 * @property {Map<string, string>} [verdicts]  moves that were tried: "right" or "wrong"
 * @property {1 | 2} seat    whose stone hovers
 */

/** @param {HTMLElement} parent @param {(move: string, event?: Event) => void} choose */
export function makeBoard(parent, choose) {
  /** @type {Scene} */ let scene;
  /** @type {string | null} */ let looked = null;
  const choices = makeChoices(t("games.choices.connectx"), choose, (move) => {
    looked = move;
    if (scene) hover();
  });
  const back = svg("rect", { class: "back" });
  const column = svg("rect", { class: "column" });
  const stones = svg("g");
  const ghost = svg("g");
  const front = svg("path", { class: "front", "fill-rule": "evenodd" });
  const names = svg("g", { class: "names" });
  const marks = svg("g");
  const drawing = svg("svg", { role: "img" }, back, column, ghost, stones, front, names, marks);
  /** Knows the shape of the board; so do the bars below it. @type {any} */
  const stage = parent.closest(".play");
  parent.replaceChildren(html("div", { class: "holder connectx" }, drawing, choices.element));

  const x = (/** @type {number} */ col) => FRAME + (col + 0.5) * CELL;
  const y = (/** @type {number} */ row) => FRAME + (row + 0.5) * CELL;
  const at = (/** @type {number} */ cell) => `translate(${x(cell % scene.position.cols)} ${y(Math.floor(cell / scene.position.cols))})`;
  const colOf = (/** @type {string} */ move) => scene.position.names.indexOf(move);
  /** @param {number} col the pieces of a column, from the bottom */
  const piecesIn = (col) =>
    scene.position.pieces.filter((/** @type {any} */ piece) => piece.cell % scene.position.cols === col).sort((/** @type {any} */ a, /** @type {any} */ b) => b.cell - a.cell);

  /** The cell into which a stone would fall. @param {string} move */
  function landing(move) {
    const { rows, cols } = scene.position;
    const col = colOf(move);
    return (rows - 1 - piecesIn(col).length) * cols + col;
  }

  function hover() {
    const open = looked !== null && (scene.can || scene.editing) && scene.position.names.includes(looked);
    const { rows } = scene.position;
    set(column, open ? { x: FRAME + colOf(looked) * CELL, y: FRAME, width: CELL, height: rows * CELL } : { width: 0, height: 0 });
    const legal = open && scene.can && !scene.editing && scene.position.legal.includes(looked);
    keyed(ghost, legal ? [landing(looked)] : [], (cell) => `${cell}-${scene.seat}`, (cell) => {
      return svg("g", { class: "ghost", transform: at(cell) }, makeStone(scene.seat, HOLE));
    });
  }

  function drawFrame() {
    const { rows, cols, names: letters } = scene.position;
    const [width, height] = [cols * CELL + 2 * FRAME, rows * CELL + FRAME + FOOT];
    const size = `0 0 ${width} ${height}`;
    if (drawing.getAttribute("viewBox") === size) return;
    set(drawing, { viewBox: size });
    set(back, { x: 4, y: 4, width: width - 8, height: height - 8, rx: 26 });
    const holes = Array.from({ length: rows * cols }, (_, cell) => {
      const [cx, cy] = [x(cell % cols), y(Math.floor(cell / cols))];
      return `M${cx - HOLE} ${cy}a${HOLE} ${HOLE} 0 1 0 ${2 * HOLE} 0a${HOLE} ${HOLE} 0 1 0 ${-2 * HOLE} 0Z`;
    });
    const [w, h] = [width - 56, height - 56];
    set(front, { d: `M28 0h${w}q28 0 28 28v${h}q0 28 -28 28h${-w}q-28 0 -28 -28v${-h}q0 -28 28 -28Z${holes.join("")}` });
    names.replaceChildren(...letters.map((/** @type {string} */ name, /** @type {number} */ col) => svg("text", { x: x(col), y: height - 14, text: name })));
    const { style } = stage;
    style.setProperty("--ratio", String(width / height));
    style.setProperty("--cols", String(cols));
    style.setProperty("--rows", "1");
    // Cells shrink to this; what is wider still is scrolled, and together with its bars.
    style.setProperty("--least", `${Math.ceil((LEAST_CELL * width) / CELL)}px`);
    style.setProperty("--least-analysed", cols > MOST_COLUMNS ? `${cols * 50}px` : "0px");
    style.setProperty("--side", `${(100 * FRAME) / width}%`);
  }

  function drawStones() {
    const { pieces, moves, outcome, line } = scene.position;
    const last = `m${moves.length}`;
    keyed(stones, pieces, (piece) => `${piece.key}-${piece.cell}-${piece.owner}`, (piece) => {
      const row = Math.floor(piece.cell / scene.position.cols);
      const stone = makeStone(piece.owner, HOLE + 3);
      if (piece.key === last || scene.editing) {
        stone.classList.add("falls");
        stone.style.setProperty("--height", `${-(row + 1) * CELL}px`);
        stone.style.setProperty("--time", `${0.22 + 0.09 * Math.sqrt(row + 1)}s`);
      }
      return svg("g", { transform: at(piece.cell), "data-cell": piece.cell, "data-owner": piece.owner }, stone);
    }, (element, piece) => {
      const lost = outcome === "won" && line.length && !line.includes(piece.cell);
      element.classList.toggle("faded", Boolean(lost));
    });
  }

  function drawMarks() {
    const { pieces, moves, line } = scene.position;
    const newest = scene.editing ? undefined : pieces.find((/** @type {any} */ piece) => piece.key === `m${moves.length}`);
    const rings = [
      ...line.map((/** @type {number} */ cell) => ({ cell, kind: "winning" })),
      ...(newest ? [{ cell: newest.cell, kind: "last" }] : []),
      ...scene.advice.map((move) => ({ cell: landing(move), kind: "advice" })),
      ...[...(scene.verdicts ?? [])].map(([move, verdict]) => ({ cell: landing(move), kind: verdict })),
    ];
    keyed(marks, rings, (mark) => `${mark.kind}-${mark.cell}-${moves}`, (mark) => {
      const group = svg("g", { class: `mark ${mark.kind}`, transform: at(mark.cell) });
      if (mark.kind === "right" || mark.kind === "wrong") group.append(svg("text", { y: 18, text: mark.kind === "right" ? "✓" : "✗" }));
      else if (mark.kind === "last") group.append(svg("circle", { r: 9 }));
      else group.append(svg("circle", { r: HOLE }));
      return group;
    });
  }

  /** @param {number} col */
  function columnWords(col) {
    const names = piecesIn(col).map((/** @type {any} */ piece) => playerName(scene.position, piece.owner));
    return t("games.reads.column", { move: scene.position.names[col], stones: names.join(", ") || t("games.reads.empty") });
  }

  return {
    choices,
    /** @param {Scene} next */
    show(next) {
      scene = next;
      const { names: letters, legal, cols } = scene.position;
      drawFrame();
      drawStones();
      drawMarks();
      set(drawing, { "aria-label": letters.map((/** @type {string} */ _, /** @type {number} */ col) => columnWords(col)).join("; ") });
      choices.show(
        letters.map((/** @type {string} */ name, /** @type {number} */ col) => {
          const count = piecesIn(col).length;
          const label = t(count === 1 ? "games.choices.column-one" : "games.choices.column", { move: name, count });
          return { name, label, can: scene.editing || (scene.can && legal.includes(name)) };
        }),
        cols,
      );
      hover();
    },
  };
}
