// Boards of cells that can be clicked: of a tuple, and of a position.

import { html, keyed, set } from "../dom.js";
import { t } from "../text.js";

const LOOKS = /** @type {Record<string, string>} */ ({ X: "disc first", O: "disc second", "+": "disc reach", ".": "disc" });

/** @param {string} sign */
export function signWords(sign) {
  return t(`lab.model.${/** @type {any} */ ({ X: "first", O: "second", "+": "reach" })[sign] ?? "nothing"}`);
}

/** Arrow keys go from cell to cell. @param {HTMLElement} board */
export function walkByArrows(board) {
  board.addEventListener("keydown", (event) => {
    const cols = Number(board.style.getPropertyValue("--cols"));
    const steps = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1, ArrowUp: -cols, ArrowDown: cols });
    if (!(event.key in steps)) return;
    const all = /** @type {HTMLElement[]} */ ([...board.children]);
    let place = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (place < 0) return;
    event.preventDefault();
    do place += steps[event.key];
    while (all[place] && !all[place].matches("button:not(:disabled)"));
    all[place]?.focus();
  });
}

/**
 * A board on which some cells can be clicked. Elements stay, so that the cursor does.
 * @param {HTMLElement} board @param {number} rows @param {number} cols
 * @param {(cell: number) => {sign: string, label: string | null, letter?: string, apart?: boolean, pressed?: boolean}} look
 * @param {(cell: number) => void} click
 */
export function showCells(board, rows, cols, look, click) {
  board.style.setProperty("--cols", String(cols));
  const cells = Array.from({ length: rows * cols }, (_, cell) => ({ cell, ...look(cell) }));
  keyed(
    board,
    cells,
    ({ cell, label }) => `${rows}x${cols} ${cell} ${label === null ? "-" : "button"}`,
    ({ cell, label }) => {
      const disc = html("span", { class: "disc" });
      if (label === null) return html("span", { "data-cell": cell }, disc);
      return html("button", { type: "button", "data-cell": cell, onclick: () => click(cell) }, disc);
    },
    (element, { sign, label, letter, apart, pressed }) => {
      const disc = element.firstChild;
      set(disc, { class: `${LOOKS[sign] ?? "disc"}${apart ? " apart" : ""}${sign === "." ? " plain" : ""}` });
      disc.replaceChildren(sign === "." ? "" : sign, ...(letter ? [html("span", { class: "letter", text: letter })] : []));
      if (label !== null) set(element, { "aria-label": label, title: label });
      if (pressed !== undefined) set(element, { "aria-pressed": String(pressed) });
    },
  );
  arrange(board, cells.map(({ cell }) => /** @type {Element} */ (board.querySelector(`[data-cell="${cell}"]`))));
}

/** Bring new elements to their place among those that stayed; the cursor does not move. @param {Element} parent @param {Element[]} order */
export function arrange(parent, order) {
  order.forEach((element, place) => {
    if (parent.children[place] !== element) parent.insertBefore(element, parent.children[place]);
  });
}
