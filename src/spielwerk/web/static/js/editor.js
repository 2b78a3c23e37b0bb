// Another start position: stones put together on the board, or pasted as text.

import { byId, clearNotice, html } from "./dom.js";
import { t } from "./text.js";
import { playerName } from "./words.js";

const SYMBOLS = ".XO";

export class Editor {
  /** @param {any} session a Session @param {() => void} redraw */
  constructor(session, redraw) {
    this.session = session;
    this.redraw = redraw;
    /** The cells while they are put together: 0, 1 or 2, row by row. @type {number[] | null} */ this.cells = null;
    byId("edit")?.addEventListener("click", () => this.begin());
    byId("edit-clear")?.addEventListener("click", () => this.change(this.cells?.fill(0)));
    byId("edit-use")?.addEventListener("click", () => this.use());
    byId("edit-cancel")?.addEventListener("click", () => this.change(null));
    byId("paste").addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      this.paste(byId("pasted").value.trim());
    });
    byId("usual-start").addEventListener("click", () => session.renew({ start: "" }));
    session.addEventListener("begun", () => this.change(null));
  }

  get editing() {
    return this.cells !== null;
  }

  begin() {
    const { session } = this;
    const { position } = session;
    session.playing = false;
    session.begin();
    const cells = new Array(position.rows * position.cols).fill(0);
    for (const { cell, owner } of position.pieces) cells[cell] = owner;
    this.change(cells);
    byId("editing").scrollIntoView({ block: "nearest" });
    this.focus();
  }

  /** Put the cursor where one begins: on the stone that is chosen. */
  focus() {
    /** @type {any} */ (document.querySelector("#brush input:checked")).focus();
  }

  /** @param {number[] | null | undefined} cells */
  change(cells) {
    this.cells = cells ?? null;
    byId("refused").textContent = "";
    this.session.change();
  }

  /** The position on the board while it is edited. */
  get position() {
    const { position } = this.session;
    const pieces = (this.cells ?? []).flatMap((owner, cell) => (owner ? [{ key: `e${cell}`, cell, owner }] : []));
    return { ...position, pieces, line: [], outcome: "running", legal: [], moves: "" };
  }

  get brush() {
    const chosen = /** @type {any} */ (document.querySelector("#brush input:checked"));
    return Number(chosen.value);
  }

  /** A stone into a column, or a mark into a cell; or away with it. @param {string} move */
  put(move) {
    const { cells, brush } = this;
    if (!cells) return;
    const { kind, cols, names } = this.session.position;
    const place = names.indexOf(move);
    if (kind === "tic-tac-toe") cells[place] = cells[place] === brush ? 0 : brush;
    else {
      const column = cells.map((_, cell) => cell).filter((cell) => cell % cols === place);
      const top = column.find((cell) => cells[cell]);
      const free = column.filter((cell) => !cells[cell]).pop();
      if (brush === 0 && top !== undefined) cells[top] = 0;
      else if (brush !== 0 && free !== undefined) cells[free] = brush;
    }
    this.change(cells);
  }

  async use() {
    const { cells } = this;
    if (!cells) return;
    const { rows, cols } = this.session.position;
    const drawn = Array.from({ length: rows }, (_, row) => cells.slice(row * cols, (row + 1) * cols).map((cell) => SYMBOLS[cell]).join(""));
    await this.renew({ start: cells.some(Boolean) ? drawn.join("/") : "" });
  }

  /** Moves, a drawing, Kaggle's list, or the address of a position. @param {string} text */
  async paste(text) {
    if (!text) return;
    if (/^https?:/.test(text)) {
      const query = new URLSearchParams(text.split("?")[1] ?? "");
      const moves = query.get("moves") ?? "";
      await this.renew({ start: query.get("start") ?? "", line: moves, ply: moves.length });
    } else if (/[.[/\n|XO]/.test(text)) {
      await this.renew({ start: text.startsWith("[") ? text.replace(/\s+/g, " ") : text.replace(/\s*\n\s*/g, "/") });
    } else await this.renew({ start: "", line: text, ply: text.length });
  }

  /** @param {Record<string, any>} target */
  async renew(target) {
    const { cells } = this;
    if (await this.session.renew(target)) {
      clearNotice();
      this.change(null);
      byId("pasted").value = "";
    } else {
      this.cells = cells;
      this.refuse();
      this.redraw();
    }
  }

  /** Say that nothing has changed, and why. The server writes X and O, whatever the colours are. */
  refuse() {
    const { refusal, position } = this.session;
    const parts = [t("games.start.refused")];
    if (refusal) parts.push(" ", html("span", { lang: "en", text: refusal }));
    if (position.kind === "connectx" && /\b[XO]\b/.test(refusal)) {
      parts.push(" ", t("games.start.letters", { first: playerName(position, 1), second: playerName(position, 2) }));
    }
    byId("refused").replaceChildren(...parts);
  }

  /** Follow the session. */
  update() {
    const { position, start } = this.session;
    for (const name of document.querySelectorAll(".brush-name")) {
      const seat = Number(/** @type {any} */ (name).dataset.brush);
      if (seat) name.textContent = playerName(position, seat);
    }
    byId("usual-start").hidden = !start;
    if (byId("edit")) {
      byId("edit").disabled = this.editing;
      byId("editing").hidden = !this.editing;
    }
  }
}
