// A tournament or a ladder: who scored what against whom, and how sure that is.

import { get, post } from "../api.js";
import { byId, html, svg } from "../dom.js";
import { formatNumber, t } from "../text.js";
import { announce, fillTable, localTime, percent, repeat, shortNumber, showState, signed, tellHere } from "./common.js";

const number = byId("name").dataset.number;
const path = `/api/lab/arena/${number}`;
const STEP = 50;

/** @type {any} */ let run = null;
/** @type {any[]} */ let games = [];
let stopped = false;

/** @param {any} score */
function scoreWords(score) {
  return t("lab.arena.wins-draws-losses", { wins: formatNumber(score.wins), draws: formatNumber(score.draws), losses: formatNumber(score.losses) });
}

/** A share on its ground: the farther from half, the stronger. @param {any} score */
function shareCell(score) {
  const cell = html(
    "td",
    { class: "share", title: scoreWords(score), "data-share": score.score },
    html("strong", { text: percent(score.score) }),
    html("small", { text: `${percent(score.low, 0)}–${percent(score.high, 0)}` }),
  );
  cell.style.setProperty("--heat", score.score >= 0.5 ? "var(--accent)" : "var(--second)");
  cell.style.setProperty("--much", `${Math.round(70 * Math.abs(score.score - 0.5))}%`);
  return cell;
}

function showCross() {
  const { players, pairs } = run.tournament;
  byId("cross").hidden = false;
  const against = new Map(pairs.map((/** @type {any} */ pair) => [`${pair.player}\n${pair.opponent}`, pair]));
  const speeds = players.some((/** @type {any} */ one) => one.moves_per_second !== null);
  const cards = players.some((/** @type {any} */ one) => one.points !== null);
  const named = pairs.length > 0 && players.length > 1;
  const head = [
    html("th", { scope: "col", text: t("lab.arena.player") }),
    html("th", { scope: "col", class: "number", text: t("lab.arena.total") }),
    html("th", { scope: "col", class: "number", text: t("lab.arena.elo") }),
    ...(cards ? [t("lab.arena.points"), t("lab.arena.cards-left")].map((text) => html("th", { scope: "col", class: "number", text })) : []),
    ...(speeds ? [html("th", { scope: "col", class: "number", text: t("lab.arena.speed") })] : []),
    ...(named ? players.map((/** @type {any} */ one, /** @type {number} */ place) => html("th", { scope: "col", class: "number", title: one.spec }, `${place + 1}`, html("span", { class: "hidden", text: ` ${one.spec}` }))) : []),
  ];
  const rows = players.map((/** @type {any} */ one, /** @type {number} */ place) =>
    html(
      "tr",
      {},
      html("th", { scope: "row" }, `${place + 1} `, html("code", { text: one.spec })),
      shareCell(one),
      html("td", { class: "number", "data-elo": one.elo, text: elo(one.elo) }),
      ...(cards ? [html("td", { class: "number", text: formatNumber(one.points) }), html("td", { class: "number", text: formatNumber(one.cards_left, 1) })] : []),
      ...(speeds ? [html("td", { class: "number", text: one.moves_per_second === null ? "" : shortNumber(one.moves_per_second) })] : []),
      ...(named
        ? players.map((/** @type {any} */ other) => {
            const pair = against.get(`${one.spec}\n${other.spec}`);
            return pair ? shareCell(pair) : html("td", { class: "self", text: "–" });
          })
        : []),
    ),
  );
  byId("table").replaceChildren(html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...rows));
  byId("remarks").replaceChildren(...remarks().flatMap((text) => [text, html("br")]));
}

function remarks() {
  const { first_player: first, different_games: different, certain, seats } = run.tournament;
  const found = [];
  if (first) found.push(t("lab.arena.first-player", { share: percent(first.score), low: percent(first.low, 1), high: percent(first.high, 1) }));
  if (seats) found.push(t("lab.arena.seats", { seats: seats.map((/** @type {number} */ won) => formatNumber(won)).join(", ") }));
  if (certain) found.push(t("lab.arena.certain"));
  if (different < run.games / 2) found.push(t("lab.arena.different", { different: formatNumber(different), games: formatNumber(run.games) }));
  return found;
}

/** @param {number} points */
function elo(points) {
  return signed(points, 0);
}

function showRatings() {
  const { players } = run.tournament;
  byId("ratings").hidden = false;
  const sorted = [...players].sort((a, b) => b.elo - a.elo);
  const low = Math.min(-50, ...sorted.map((one) => one.elo_low));
  const high = Math.max(50, ...sorted.map((one) => one.elo_high));
  const width = Math.max(240, Math.min(600, byId("elo").clientWidth - 10));
  const x = (/** @type {number} */ points) => 20 + ((points - low) / (high - low)) * (width - 40);
  byId("elo").replaceChildren(
    ...sorted.map((one) => {
      const label = t("lab.arena.rating-of", { spec: one.spec, elo: elo(one.elo), low: elo(one.elo_low), high: elo(one.elo_high) });
      return html(
        "div",
        { class: "rating" },
        html("code", { text: one.spec }),
        svg(
          "svg",
          { viewBox: `0 0 ${width} 44`, role: "img", "aria-label": label },
          svg("title", { text: label }),
          svg("line", { class: "axis zero", x1: x(0), x2: x(0), y1: 0, y2: 44 }),
          svg("line", { class: "range", x1: x(one.elo_low), x2: x(one.elo_high), y1: 28, y2: 28 }),
          svg("circle", { class: "mean", cx: x(one.elo), cy: 28, r: 7 }),
          svg("text", { class: "value", x: x(one.elo), y: 14, "text-anchor": "middle", text: elo(one.elo) }),
        ),
      );
    }),
  );
}

function showLengths() {
  const { lengths, plies } = run.tournament;
  const known = Object.entries(lengths).map(([many, count]) => ({ many: Number(many), count: Number(count) }));
  byId("lengths").hidden = known.length === 0; // shown first: its width is needed
  byId("lengths-about").textContent = t("lab.arena.lengths-about", { mean: formatNumber(plies.mean, 1), least: formatNumber(plies.least), most: formatNumber(plies.most) });
  const [width, height] = [Math.max(240, byId("histogram").clientWidth || 800), 170];
  const from = plies.least;
  const span = plies.most - from + 1;
  const each = Math.max(1, Math.ceil(span / 80));
  const bins = new Map();
  for (const { many, count } of known) {
    const bin = Math.floor((many - from) / each);
    bins.set(bin, (bins.get(bin) ?? 0) + count);
  }
  const most = Math.max(...bins.values(), 1);
  const slot = width / Math.ceil(span / each);
  const bars = [...bins].map(([bin, count]) => {
    const begin = from + bin * each;
    const label = t("lab.arena.length-label", { plies: each > 1 ? `${begin}–${begin + each - 1}` : begin, count: formatNumber(count) });
    const tall = (height - 24) * (count / most);
    return svg("rect", { x: bin * slot + 0.1 * slot, y: height - 20 - tall, width: 0.8 * slot, height: tall, rx: Math.min(3, 0.2 * slot) }, svg("title", { text: label }));
  });
  const words = known.length <= 60 ? known.map(({ many, count }) => t("lab.arena.length-label", { plies: many, count: formatNumber(count) })).join("; ") : byId("lengths-about").textContent;
  byId("histogram").replaceChildren(
    svg(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words },
      svg("line", { class: "axis", x1: 0, x2: width, y1: height - 20, y2: height - 20 }),
      ...bars,
      svg("text", { class: "tick", x: slot / 2, y: height - 4, "text-anchor": "middle", text: String(from) }),
      ...(span > 1 ? [svg("text", { class: "tick", x: width - slot / 2, y: height - 4, "text-anchor": "middle", text: String(plies.most) })] : []),
    ),
  );
}

function showLadder() {
  byId("ladder").hidden = false;
  fillTable(
    byId("members"),
    ["", t("lab.arena.player"), t("lab.arena.points"), t("lab.arena.played")],
    run.members.map((/** @type {any} */ one, /** @type {number} */ place) => [
      one.left ? "" : String(place + 1),
      one.left ? `${one.spec} (${t("lab.arena.left")})` : html("code", { text: one.spec }),
      formatNumber(one.points, 1),
      formatNumber(one.games),
    ]),
    [true, false, true, true],
  );
}

/** @param {any} game */
function resultWords(game) {
  const best = Math.max(...game.result);
  return best > 0 ? t("lab.arena.won", { spec: game.players[game.result.indexOf(best)] }) : t("lab.arena.drawn");
}

async function moreGames() {
  const first = games.length ? games[games.length - 1].number + 1 : 0;
  const fresh = await get(`${path}/games`, { first, most: STEP });
  games = [...games, ...fresh];
  byId("games").hidden = games.length === 0;
  byId("more").hidden = fresh.length < STEP;
  fillTable(
    byId("list"),
    [t("lab.arena.game"), t("lab.arena.players"), t("lab.arena.result"), t("lab.arena.plies"), t("lab.arena.moves")],
    games.map((game) => [
      game.open
        ? html("a", { class: "touch", href: game.open, "aria-label": t("lab.arena.open", { number: game.number }), text: String(game.number) })
        : String(game.number),
      game.players.join(" – "),
      resultWords(game),
      formatNumber(game.plies),
      html("div", { class: "moves", text: (game.opening ? `${game.opening} ` : "") + (game.moves.length > 120 ? `${game.moves.slice(0, 120)}…` : game.moves) }),
    ]),
    [true, false, false, true, false],
  );
}

/** @param {any} next */
function show(next) {
  run = next;
  showState(byId("state"), run.state);
  const places = { game: run.game, seed: run.seed, date: localTime(run.begun), games: formatNumber(run.games), planned: formatNumber(run.planned ?? 0) };
  byId("about").textContent = t(run.planned === null || run.planned === run.games ? "lab.arena.about" : "lab.arena.about-planned", places);
  if (run.kind === "ladder") byId("name").textContent = run.name;
  const stop = byId("stop");
  if (stop) {
    const pressed = stopped && !stop.hidden;
    stop.hidden = !run.ours;
    if (pressed && stop.hidden) byId("name").focus(); // not lost with its button
  }
  const bar = byId("bar");
  bar.hidden = run.planned === null || run.games >= run.planned;
  bar.max = run.planned ?? 1;
  bar.value = run.games;
  byId("problem").textContent = run.problem ?? "";
  if (run.tournament) {
    showCross();
    showRatings();
    showLengths();
  }
  if (run.kind === "ladder") showLadder();
}

async function begin() {
  let before = "";
  await repeat(async () => {
    show(await get(path));
    if (run.planned !== null && before !== `${run.ours}`) announce(t("lab.arena.said", { games: formatNumber(run.games), planned: formatNumber(run.planned) }));
    before = `${run.ours}`;
    return run.ours;
  });
  await moreGames().catch(tellHere);
}

byId("stop")?.addEventListener("click", async () => {
  byId("stop").disabled = true;
  stopped = true;
  await post(`${path}/stop`, {}).catch(tellHere);
  byId("stop").disabled = false;
});
byId("more").addEventListener("click", () => moreGames().catch(tellHere));
begin();
