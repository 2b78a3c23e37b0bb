// Nim: a heap of pebbles. Those that were taken lie there in the colour of who took them.

import { html, keyed, notify, set, svg } from "../dom.js";
import { t } from "../text.js";
import { makeChoices } from "./choices.js";

/** @typedef {import("./connectx.js").Scene} Scene */

const CELL = 60;

/** Who took each stone, and by which move; the heap shrinks from its end. @param {any} position */
function owners(position) {
  /** @type {Map<number, {owner: number, move: number}>} */
  const found = new Map();
  let left = position.total;
  position.taken.forEach((/** @type {number} */ count, /** @type {number} */ move) => {
    for (let stone = left - count; stone < left; stone++) found.set(stone, { owner: (position.began + move) % 2 ? 1 : 2, move });
    left -= count;
  });
  return found;
}

/** @param {HTMLElement} parent @param {(move: string, event?: Event) => void} choose */
export function makeBoard(parent, choose) {
  /** @type {Scene} */ let scene;
  /** @type {string | null} */ let looked = null;
  const choices = makeChoices(t("games.choices.nim"), choose, (move) => {
    looked = move;
    if (scene) draw();
  });
  const stones = svg("g");
  const drawing = svg("svg", { role: "img" }, stones);
  const count = html("p", { class: "count" });
  /** Knows the shape of the board; so do the bars below it. @type {any} */
  const stage = parent.closest(".play");
  parent.replaceChildren(html("div", { class: "holder nim" }, count, drawing, choices.element));

  /** How many a click on this stone takes: all from it to the end. @param {number} stone */
  const moveAt = (stone) => scene.position.names[scene.position.stones - stone - 1];

  /** A stone is clicked. One that lies too far back cannot be meant, and that is said. @param {number} stone @param {Event} event */
  function take(stone, event) {
    const { stones: heap, legal, k } = scene.position;
    if (!scene.can || stone >= heap) return;
    if (legal.includes(moveAt(stone))) choose(moveAt(stone), event);
    else notify(t(k === 1 ? "games.choices.too-many-one" : "games.choices.too-many", { k }), "", "info");
  }

  /** @param {number} stone */
  function make(stone) {
    const cols = columns(scene.position.total);
    const [col, row] = [stone % cols, Math.floor(stone / cols)];
    // Pebbles are not laid out with a ruler: each is a little off, always by the same.
    const [dx, dy, turn] = [((stone * 37) % 11) - 5, ((stone * 53) % 9) - 4, (stone * 71) % 50];
    const pebble = svg("g", { class: "pebble", transform: `translate(${(col + 0.5) * CELL + dx} ${(row + 0.5) * CELL + dy})` },
      svg("ellipse", { rx: 23, ry: 19, transform: `rotate(${turn - 25})` }),
      svg("path", { class: "gleam", d: "M-11 -7q5 -6 13 -5" }),
      svg("path", { class: "sign" }));
    pebble.addEventListener("click", (/** @type {Event} */ event) => take(stone, event));
    for (const [event, on] of /** @type {[string, boolean][]} */ ([["pointerenter", true], ["pointerleave", false]])) {
      pebble.addEventListener(event, () => {
        looked = on && stone < scene.position.stones ? moveAt(stone) ?? null : null;
        draw();
      });
    }
    return pebble;
  }

  function draw() {
    const { position } = scene;
    const taken = owners(position);
    const aimed = looked !== null && scene.can && position.legal.includes(looked) ? position.names.indexOf(looked) + 1 : 0;
    const advised = scene.advice.length ? position.names.indexOf(scene.advice[0]) + 1 : 0;
    keyed(stones, Array.from({ length: position.total }, (_, stone) => stone), (stone) => `${position.total}-${stone}`, make, (element, stone) => {
      const gone = taken.get(stone);
      const fromEnd = position.stones - stone;
      element.classList.toggle("first", gone?.owner === 1);
      element.classList.toggle("second", gone?.owner === 2);
      element.classList.toggle("taken", Boolean(gone));
      element.classList.toggle("newest", gone !== undefined && gone.move === position.taken.length - 1);
      element.classList.toggle("can", !gone && scene.can && position.legal.includes(moveAt(stone)));
      element.classList.toggle("aimed", !gone && fromEnd <= aimed);
      element.classList.toggle("advice", !gone && fromEnd <= advised);
      set(element.lastChild, { d: !gone ? "" : gone.owner === 1 ? "M-6 0a6 6 0 1 0 12 0a6 6 0 1 0 -12 0" : "M-6 -6L6 6M-6 6L6 -6" });
    });
  }

  return {
    choices,
    /** @param {Scene} next */
    show(next) {
      scene = next;
      const { position } = scene;
      const cols = columns(position.total);
      const rows = Math.ceil(position.total / cols);
      set(drawing, { viewBox: `-4 -4 ${cols * CELL + 8} ${rows * CELL + 8}`, "aria-label": left(position) });
      for (const [name, value] of [["--ratio", String(cols / rows)], ["--cols", String(cols)]]) stage.style.setProperty(name, value);
      count.textContent = left(position);
      draw();
      choices.show(
        position.names.map((/** @type {string} */ name, /** @type {number} */ index) => {
          const verdict = scene.verdicts?.get(name);
          const text = `${index + 1}${verdict === "right" ? " ✓" : verdict === "wrong" ? " ✗" : ""}`;
          const label = t(index ? "games.choices.take" : "games.choices.take-one", { number: index + 1 });
          return { name, label, text, can: scene.can && position.legal.includes(name) };
        }),
        position.names.length,
      );
    },
  };
}

/** How many stones lie side by side. @param {number} total */
function columns(total) {
  return Math.max(1, Math.min(total, Math.ceil(Math.sqrt(total * 1.9))));
}

/** @param {any} position */
function left(position) {
  return t(position.stones === 1 ? "games.reads.stone" : "games.reads.stones", { count: position.stones, total: position.total });
}
