// One training run, watched as it goes.

import { get, post } from "../api.js";
import { byId } from "../dom.js";
import { formatNumber, language, t } from "../text.js";
import { announce, duration, fillTable, percent, repeat, shortNumber, showSettings, showState, showTiles, tellHere } from "./common.js";
import { drawCurve, whenThemeChanges } from "./curve.js";

const name = byId("name").dataset.name;
const path = `/api/lab/runs/${encodeURIComponent(name)}`;
const SHOWN = 300;
const LOOK_BACK = 15_000;

/** @type {any} */ let run = null;
/** @type {any[]} */ let rows = [];
/** @type {{time: number, done: number}[]} */ let seen = [];
let said = "";

/** Games per second, over the last seconds. */
function speed() {
  const now = performance.now();
  if (run.state !== "running" && run.state !== "elsewhere") {
    seen = [];
    return null;
  }
  if (seen.length && seen[seen.length - 1].done > run.done) seen = [];
  if (!seen.length || seen[seen.length - 1].done !== run.done) seen.push({ time: now, done: run.done });
  while (seen.length > 2 && now - seen[0].time > LOOK_BACK) seen.shift();
  const [from, to] = [seen[0], seen[seen.length - 1]];
  return to.time > from.time ? (1000 * (to.done - from.done)) / (to.time - from.time) : null;
}

function tiles() {
  /** @type {[string, string, string?][]} */ const found = [];
  found.push([t("lab.run.games"), formatNumber(run.done), t("lab.run.of-games", { games: formatNumber(run.games) })]);
  const last = rows[rows.length - 1];
  if (last) {
    found.push([t("lab.run.success"), `${percent(last.success)} %`]);
    found.push([t("lab.run.best"), `${percent(Math.max(...rows.map((row) => row.success)))} %`]);
    if (last.mistakes !== null) found.push([t("lab.run.mistakes"), formatNumber(last.mistakes)]);
    if (last.epsilon !== null) found.push([t("lab.run.epsilon"), shortNumber(last.epsilon)]);
    if (last.alpha !== null) found.push([t("lab.run.alpha"), shortNumber(last.alpha)]);
  }
  const rate = speed();
  if (rate) {
    found.push([t("lab.run.speed"), shortNumber(rate)]);
    found.push([t("lab.run.left"), duration((run.games - run.done) / rate)]);
  }
  showTiles(byId("tiles"), found);
}

const COLUMNS = ["games", "success", "mistakes", "epsilon", "epsilon_first", "alpha", "error", "plies", "turns"];

function table() {
  const used = COLUMNS.filter((column) => rows.some((row) => row[column] !== null));
  const shown = rows.slice(-SHOWN).reverse();
  fillTable(
    byId("rows"),
    used.map((column) => t(`lab.run.${column.replace("_", "-")}`) + (column === "success" ? " (%)" : "")),
    shown.map((row) =>
      used.map((column) => {
        if (row[column] === null) return "";
        if (column === "success") return percent(row.success);
        return column === "games" ? formatNumber(row.games) : shortNumber(row[column]);
      }),
    ),
    used.map(() => true),
  );
}

function curve() {
  const there = rows.length > 0;
  byId("no-curve").hidden = there;
  byId("curve").hidden = !there;
  byId("numbers").hidden = !there;
  if (there) drawCurve(byId("curve"), rows, run.games).catch(tellHere);
}

/** Write in words where it stands, always; and now and then tell those who listen. */
function say() {
  const state = t(`lab.states.${run.state}`);
  const last = rows[rows.length - 1];
  const places = { state, done: formatNumber(run.done), games: formatNumber(run.games) };
  const words = last ? t("lab.run.said", { ...places, share: percent(last.success) }) : t("lab.run.said-begin", places);
  byId("now").textContent = words[0].toLocaleUpperCase() + words.slice(1);
  const tenth = Math.floor((10 * run.done) / run.games);
  if (`${run.state} ${tenth}` === said) return;
  said = `${run.state} ${tenth}`;
  announce(words);
}

/** @param {any} next */
function show(next) {
  const fresh = next.whole || next.rows.length > 0;
  rows = next.whole ? next.rows : [...rows, ...next.rows];
  run = next;
  showState(byId("state"), run.state);
  byId("about").textContent = t("lab.run.about", { game: run.game, features: run.features, seed: String(run.seed) });
  const opponent = run.opponent === "perfect" ? t("lab.run.perfect") : run.opponent;
  byId("curve-about").textContent = t("lab.run.curve-about", { opponent });
  const bar = byId("bar");
  bar.max = run.games;
  bar.value = run.done;
  const ours = run.state === "running";
  if (byId("stop")) byId("stop").hidden = !ours;
  if (byId("resume")) byId("resume").hidden = !["stopped", "failed"].includes(run.state);
  moveFocus();
  byId("play").hidden = !run.play;
  byId("inside").hidden = run.state !== "finished";
  if (run.play) byId("play").href = run.play;
  byId("spec").hidden = !run.play;
  byId("spec").textContent = t("lab.run.spec", { spec: `${run.agent}:${run.name}` });
  byId("output").textContent = run.output.join("\n") || t("lab.run.no-output");
  byId("output").lang = run.output.length ? "en" : language;
  byId("command").textContent = run.command;
  showSettings(byId("settings"), run.settings);
  tiles();
  say();
  if (fresh) {
    table();
    curve();
  }
}

async function look() {
  const last = rows.length ? rows[rows.length - 1].games : -1;
  show(await get(path, { after: String(last) }));
}

let watching = false;

async function watch() {
  if (watching) return;
  watching = true;
  await repeat(async () => {
    await look();
    return run.state === "running" || run.state === "elsewhere";
  });
  watching = false;
}

/** The button that takes the place of one that was pressed. */
let following = "";

/** Whoever pressed Stop stands on "Go on" when it is there, and the other way round. */
function moveFocus() {
  const button = following && byId(following);
  if (!button || button.hidden) return;
  following = "";
  button.focus();
}

/** @param {string} what */
async function change(what) {
  const button = byId(what);
  following = what === "stop" ? "resume" : "stop";
  button.disabled = true;
  try {
    await post(`${path}/${what}`, {});
  } catch (error) {
    following = "";
    tellHere(error);
  }
  button.disabled = false;
  watch();
}

byId("stop")?.addEventListener("click", () => change("stop"));
byId("resume")?.addEventListener("click", () => change("resume"));
whenThemeChanges(() => run && curve());
watch();
