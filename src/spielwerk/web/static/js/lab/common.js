// What the pages of the lab share: words, tables, small boards.

import { Failure, tell } from "../api.js";
import { byId, html, notify, svg } from "../dom.js";
import { formatNumber, hasText, language, t } from "../text.js";

/** Tell what went wrong; the lab has words of its own for some of it. @param {any} error */
export function tellHere(error) {
  const key = `lab.failures.${error?.code}`;
  if (error instanceof Failure && hasText(key)) notify(t(key), error.message);
  else tell(error);
}

/** A share as a percentage. @param {number} share @param {number} [digits] */
export function percent(share, digits = 1) {
  return formatNumber(100 * share, digits);
}

/** A number with as many digits as tell something. @param {number} value */
export function shortNumber(value) {
  return value.toLocaleString(language, { maximumSignificantDigits: 3 });
}

/** A number with its sign, and a true minus. @param {number} value @param {number} [digits] */
export function signed(value, digits = 4) {
  return written(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** The same for one of several of which the largest is `most`: of tiny ones, digits that mean something.
 * @param {number} value @param {number} most */
export function signedBeside(value, most) {
  return most >= 0.001 ? signed(value) : written(value, { notation: "scientific", maximumSignificantDigits: 4 });
}

/** @param {number} value @param {Intl.NumberFormatOptions} options */
function written(value, options) {
  return value.toLocaleString(language, { ...options, signDisplay: "exceptZero" }).replaceAll("-", "−");
}

/** The server's times are UTC, also where they do not say so. @param {string} time */
function moment(time) {
  return new Date(/(Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time.replace(" ", "T")}Z`);
}

/** A time by the reader's clock. @param {string} time */
export function localTime(time) {
  return moment(time).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
}

/** A day by the reader's clock. @param {string} time */
export function localDay(time) {
  return moment(time).toLocaleDateString(language, { dateStyle: "medium" });
}

let silence = 0;

/** Tell who listens; it does not stay, so that nobody reads old numbers. @param {string} words */
export function announce(words) {
  byId("said").textContent = words;
  clearTimeout(silence);
  silence = setTimeout(() => (byId("said").textContent = ""), 8000);
}

/**
 * A menu of games; its last entry opens a field for any other.
 * @param {any} form with the field `game`, which holds the answer
 */
export function gameMenu(form) {
  const menu = byId("game-menu");
  const own = byId("game-own");
  const fits = [...menu.options].some((one) => one.value === form.game.value);
  menu.value = fits ? form.game.value : "";
  own.hidden = fits;
  menu.addEventListener("change", () => {
    own.hidden = menu.value !== "";
    if (menu.value) {
      form.game.value = menu.value;
      form.game.dispatchEvent(new Event("change"));
    } else form.game.select();
  });
}

/** @param {number} seconds */
export function duration(seconds) {
  if (seconds < 90) return t("lab.run.seconds", { count: formatNumber(Math.round(seconds)) });
  if (seconds < 5400) return t("lab.run.minutes", { count: formatNumber(Math.round(seconds / 60)) });
  return t("lab.run.hours", { count: formatNumber(seconds / 3600, 1) });
}

/** Say where something stands. @param {HTMLElement} element @param {string} state */
export function showState(element, state) {
  element.dataset.state = state;
  element.textContent = t(`lab.states.${state}`);
}

/**
 * Numbers, each with what it is.
 * @param {HTMLElement} list a <dl> @param {[string, string, string?][]} tiles name, value, remark
 */
export function showTiles(list, tiles) {
  list.replaceChildren(
    ...tiles.map(([name, value, remark]) =>
      html("div", {}, html("dt", { text: name }), html("dd", {}, value, ...(remark ? [html("small", { text: remark })] : []))),
    ),
  );
}

/**
 * Fill a table. Cells that begin with a digit or sign stand to the right.
 * @param {HTMLTableElement} table @param {string[]} head @param {(string | Node)[][]} rows
 * @param {boolean[]} [numeric] which columns hold numbers
 */
export function fillTable(table, head, rows, numeric = []) {
  const side = (/** @type {number} */ place) => (numeric[place] ? "number" : null);
  const names = head.map((name, place) => html(name ? "th" : "td", { scope: name ? "col" : null, class: side(place), text: name }));
  const body = rows.map((row) => html("tr", {}, ...row.map((cell, place) => html("td", { class: side(place) }, cell))));
  table.replaceChildren(...(head.length ? [html("thead", {}, html("tr", {}, ...names))] : []), html("tbody", {}, ...body));
}

/** Settings by name. @param {HTMLElement} list a <dl> @param {Record<string, any>} settings */
export function showSettings(list, settings) {
  list.replaceChildren(
    ...Object.entries(settings).map(([name, value]) =>
      html("div", { class: String(value).length > 24 ? "long" : null }, html("dt", {}, html("code", { text: name })), html("dd", {}, html("code", { text: String(value) }))),
    ),
  );
}

/**
 * A small board with some cells marked.
 * @param {number} rows @param {number} cols @param {number[]} cells by rows from the top, from 0
 */
export function thumb(rows, cols, cells) {
  const marked = new Set(cells);
  const x = (/** @type {number} */ cell) => 10 * (cell % cols) + 7;
  const y = (/** @type {number} */ cell) => 10 * Math.floor(cell / cols) + 7;
  const others = Array.from({ length: rows * cols }, (_, cell) => cell).filter((cell) => !marked.has(cell));
  const [width, height] = [10 * cols + 4, 10 * rows + 4];
  return svg(
    "svg",
    { class: "thumb", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    svg("rect", { width, height, rx: 5 }),
    svg("path", { d: others.map((cell) => `M${x(cell) - 3.2} ${y(cell)}a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0 -6.4 0`).join("") }),
    ...cells.map((cell) => svg("circle", { cx: x(cell), cy: y(cell), r: 4, "data-cell": cell })),
  );
}

/** Cells as people count them. @param {number[]} cells @returns {string} */
export function cellNames(cells) {
  return cells.map((cell) => cell + 1).join("-");
}

/** A bar from the middle to one side. @param {number} value @param {number} most */
export function bar(value, most) {
  const inner = html("i");
  inner.style.setProperty("--size", String(most ? Math.min(1, Math.abs(value) / most) : 0));
  return html("div", { class: value < 0 ? "bar minus" : "bar", "aria-hidden": "true" }, inner);
}

/** Say that the server cannot be reached, or take it back. @param {boolean} reached */
function showReach(reached) {
  const words = reached ? "" : t("lab.offline");
  if (byId("offline").textContent !== words) byId("offline").textContent = words;
}

/**
 * Do something now and then, one after the other, more seldom while nobody looks. Where the server
 * cannot be reached it is tried again until it can; what is not there ends it.
 * @param {() => Promise<boolean>} work  whether to go on @param {number} [pause] milliseconds
 */
export async function repeat(work, pause = 1000) {
  for (;;) {
    try {
      const goOn = await work();
      showReach(true);
      if (!goOn) return;
    } catch (error) {
      const away = error instanceof Failure && error.code === "unreachable";
      showReach(!away);
      if (!away) tellHere(error);
      if (error instanceof Failure && error.status === 404) return;
    }
    await new Promise((done) => setTimeout(done, document.hidden ? 5 * pause : pause));
  }
}
