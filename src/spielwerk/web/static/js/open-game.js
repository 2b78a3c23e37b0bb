// The page of an open game: the session in the middle, around it what shows and changes it.

import { pageOf } from "./address.js";
import { Analysis } from "./analysis.js";
import { tell } from "./api.js";
import { byId, html, notify } from "./dom.js";
import { Editor } from "./editor.js";
import { listenToKeys } from "./keys.js";
import { makePlayerMenu } from "./player-menu.js";
import { Review } from "./review.js";
import { Session } from "./session.js";
import { t } from "./text.js";
import { moveWords, playerName, ruleWords, statusWords } from "./words.js";

const kind = byId("table").dataset.kind;
const BOARDS = { connectx: "connectx", "connect-four": "connectx", "tic-tac-toe": "tic-tac-toe", nim: "nim" };

/** A board of ConnectX has a bit for every cell, and one more for every column. */
const MOST_BITS = 64;

const session = new Session(kind);
const analysis = new Analysis(session);
const review = new Review(session, analysis);
const editor = new Editor(session, draw);
const menus = [1, 2].map((seat) =>
  makePlayerMenu(byId(`player${seat}`), true, (spec) => session.setPlayer(/** @type {1 | 2} */ (seat), spec)),
);

/** @type {any} */ let board = null;

/**
 * Somebody has chosen a move: in a game, a question, or the editor.
 * @param {string} move @param {any} [event]  the click, if it was one
 */
function choose(move, event) {
  if (editor.editing) editor.put(move);
  // The second half of a double click is not the other player's move.
  else if (event?.detail > 1 && event.pointerType === "mouse") return;
  else if (session.quiz) review.answer(move);
  else session.play(move);
}

function drawBoard() {
  const quizzed = session.quiz?.open;
  board.show({
    position: editor.editing ? editor.position : session.position,
    can: !editor.editing && (session.quiz ? quizzed : session.canMove),
    editing: editor.editing,
    advice: editor.editing ? [] : session.advice,
    verdicts: session.quiz?.tried,
    seat: session.position.mover ?? 1,
  });
}

function drawStatus() {
  const { thinking, position } = session;
  byId("status").textContent = editor.editing ? t("games.status.editing") : session.quiz ? t("games.status.quiz") : statusWords(session);
  byId("status").dataset.seat = editor.editing ? "" : session.over ? session.winner ?? "" : position.mover ?? "";
  byId("status").classList.toggle("over", session.over);
  byId("status").classList.toggle("thinking", Boolean(thinking));
  byId("cancel").hidden = !thinking;
  byId("slow").hidden = !thinking?.slow;
}

function drawControls() {
  const busy = editor.editing || Boolean(session.quiz);
  enable("undo", !busy && session.canUndo);
  enable("redo", !busy && session.redoPly >= 0);
  enable("hint", !busy && session.canMove);
  enable("resign", !busy && session.resigner !== 0);
  enable("swap", !busy);
  const programs = session.persons === 0;
  byId("auto").hidden = busy || session.over || (!programs && (!session.programToMove || session.playing));
  byId("run").replaceChildren(html("span", { "aria-hidden": "true", text: session.playing ? "⏸" : "▶" }), ` ${t(session.playing ? "games.pause" : programs ? "games.run" : "games.go-on")}`);
  byId("step").hidden = byId("speed-label").hidden = !programs;
  menus.forEach((menu, index) => {
    menu.show(session.menu, session.players[index]);
    const element = byId(`player${index + 1}`);
    element.querySelector(".seat").textContent = playerName(session.position, index + 1);
    element.classList.toggle("to-move", session.mover === index + 1);
  });
}

/** A button that cannot be used now keeps the focus. @param {string} id @param {boolean} can */
function enable(id, can) {
  byId(id).setAttribute("aria-disabled", String(!can));
}

/** Do something, and if it hides what has the focus, put the focus where one goes on. @param {() => void} action */
function keepFocus(action) {
  const before = /** @type {any} */ (document.activeElement);
  action();
  if (!byId("table").contains(before) && before?.isConnected) return;
  if (before.isConnected && !before.disabled && before.offsetParent !== null) return;
  if (session.quiz) byId("question").focus();
  else if (editor.editing) editor.focus();
  else board.choices.focus();
}

function draw() {
  if (!session.position) return;
  keepFocus(drawAll);
}

function drawAll() {
  drawBoard();
  drawStatus();
  drawControls();
  editor.update();
  const language = byId("language");
  const [path, query] = session.address.split("?");
  if (byId("rule").textContent !== ruleWords(kind, session.position)) byId("rule").textContent = ruleWords(kind, session.position);
  language.href = `${path}?${query ? `${query}&` : ""}lang=${language.hreflang}`;
}

/** Tell it to those who cannot see the board. @type {string[]} */
let told = [];

/** @param {string} words */
function say(words) {
  told = [...told.slice(-1), words];
  const status = session.over || session.canMove ? statusWords(session) : "";
  byId("told").textContent = [...told, status].filter(Boolean).join(" ");
}

/** Something that leaves what was told before behind. @param {string} words */
function sayAnew(words) {
  told = [];
  say(words);
}

/** The thinking that was told. @type {any} */
let toldThinking = null;

/** Those who cannot see that a program thinks for long are told. */
function sayThinking() {
  const { thinking } = session;
  if (!thinking?.slow || thinking === toldThinking) return;
  toldThinking = thinking;
  byId("told").textContent = [...told, statusWords(session), t("games.slow")].join(" ");
}

session.addEventListener("change", () => {
  if (!session.position) return;
  keepFocus(() => {
    drawAll();
    analysis.update();
    review.update();
  });
  sayThinking();
});
session.addEventListener("moved", (/** @type {any} */ event) => {
  const { seat, move } = event.detail;
  say(t("games.said", { player: playerName(session.position, seat), move: moveWords(session.position, move) }));
});
session.addEventListener("begun", (/** @type {any} */ event) => {
  if (event.detail) sayAnew(t(`games.told.${event.detail}`));
  else {
    told = [];
    byId("told").textContent = "";
  }
});

/** @param {string} id @param {() => any} action */
function onClick(id, action) {
  byId(id).addEventListener("click", () => {
    if (byId(id).getAttribute("aria-disabled") !== "true") Promise.resolve(action()).catch(tell);
  });
}

onClick("undo", async () => {
  const moves = session.undoPly >= 0;
  if ((await session.undo()) && moves) sayAnew(t("games.told.undo"));
});
onClick("redo", async () => {
  if (await session.redo()) sayAnew(t("games.told.redo"));
});
onClick("hint", async () => {
  await session.hint();
  if (session.advice.length) say(t("games.advised", { move: moveWords(session.position, session.advice[0]) }));
});
onClick("swap", () => session.swap());
onClick("resign", () => {
  session.resign();
  say("");
});
onClick("new", () => session.renew());
onClick("cancel", () => session.cancel());
onClick("run", () => session.run());
onClick("step", () => session.step());
onClick("copy", async () => {
  session.save("replace");
  try {
    await navigator.clipboard.writeText(location.href);
    notify(t("games.copied"), "", "info");
  } catch {
    notify(t("games.not-copied"), location.href, "info");
  }
});
byId("speed").addEventListener("input", () => (session.speed = Number(byId("speed").value)));
byId("size")?.addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const form = new FormData(byId("size"));
  const wrong = sizeWords(form);
  if (wrong) {
    byId("size-words").textContent = wrong;
    byId("size").elements.namedItem("rows").focus();
    return;
  }
  const options = [...form].map(([name, value]) => `${name}=${value}`).join(",");
  session.renew({ game: `${kind}:${options}`, start: "" });
});
byId("size")?.addEventListener("input", () => {
  const form = new FormData(byId("size"));
  byId("size-words").textContent = sizeWords(form) || lineWords(form);
});

/** Why a board cannot be that large, "" if it can. @param {FormData} form */
function sizeWords(form) {
  const [rows, cols] = [Number(form.get("rows")), Number(form.get("cols"))];
  const size = cols * (rows + 1);
  return kind === "connectx" && size > MOST_BITS ? t("games.size.too-large", { rows, cols, size, most: MOST_BITS }) : "";
}

/** That nobody can win, "" if somebody can. @param {FormData} form */
function lineWords(form) {
  const [rows, cols, k] = ["rows", "cols", "k"].map((name) => Number(form.get(name)));
  return kind === "connectx" && rows && cols && k > Math.max(rows, cols) ? t("games.size.no-line", { k }) : "";
}

session.addEventListener("begun", () => {
  const form = byId("size");
  const { rows, cols, k, total } = session.position;
  for (const [name, value] of Object.entries({ rows, cols, k, n: total })) {
    const field = form?.elements.namedItem(name);
    if (field) field.value = value;
  }
  if (form) byId("size-words").textContent = lineWords(new FormData(form));
});
listenToKeys(
  () => session.position?.names ?? [],
  choose,
  { u: "undo", r: "redo", h: "hint", s: "swap", n: "new", a: "analyse", p: "run", ".": "step" },
  () => board.choices.focus(),
);

async function open() {
  const other = pageOf(new URLSearchParams(location.search).get("game") ?? kind);
  if (other && other !== kind) {
    location.replace(`/${other}${location.search}`);
    return;
  }
  const { makeBoard } = await import(`./boards/${BOARDS[kind]}.js`);
  board = makeBoard(byId("board"), choose);
  const stage = byId("stage");
  const watch = new ResizeObserver(() => (byId("scroll-cue").hidden = stage.scrollWidth <= stage.clientWidth + 1));
  for (const element of [stage, byId("board"), byId("bars")]) watch.observe(element);
  await session.open(history.state, true);
  byId("table").inert = false;
}

open();
