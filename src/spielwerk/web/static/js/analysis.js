// What a program thinks of every move, beside what is exact (Thill 2012, figure 4.1).

import { get, post, isAborted, tell } from "./api.js";
import { byId, html, keyed } from "./dom.js";
import { askLive } from "./live.js";
import { makePlayerMenu } from "./player-menu.js";
import { formatNumber, t } from "./text.js";
import { exactWords, lineWords, moveNumber, moveWords, playerName, plyWords } from "./words.js";

/** The first of these in the menu analyses, until another is chosen. */
const USUAL = ["strong", "learned", "casual"];
/** Same seed, same search. */
const SEED = 1;
/** Milliseconds after which people are told why it takes so long. */
const SLOW = 2000;

export class Analysis {
  /** @param {any} session a Session */
  constructor(session) {
    this.session = session;
    /** @type {any} */ this.thought = null;
    /** @type {Record<string, any> | null} */ this.exact = null;
    /** @type {"none" | "asking" | "known" | "unknown"} */ this.state = "none";
    /** Exact values that are known already, by place. @type {Map<string, Record<string, any>>} */
    this.known = new Map();
    this.asked = "";
    /** Whether the first answer is long in coming. */ this.slow = false;
    this.timer = 0;
    this.stop = () => {};
    this.control = new AbortController();
    this.menu = makePlayerMenu(byId("analyst"), false, (spec) => this.choose(spec));
    this.list = html("ol", { class: "bars" });
    byId("bars").append(this.list);
    byId("analyse").addEventListener("click", () => this.toggle());
    byId("ask-again").addEventListener("click", () => this.askExact(this.session.place));
  }

  get on() {
    return this.session.analysis !== "";
  }

  toggle() {
    const { menu } = this.session;
    const usual = USUAL.map((level) => menu.find((/** @type {any} */ entry) => entry.level === level)).find(Boolean);
    this.session.setAnalysis(this.on ? "" : usual?.spec ?? "mcts");
  }

  /** @param {string} spec */
  async choose(spec) {
    try {
      await get("/api/player", { agent: spec, game: this.session.game });
    } catch (error) {
      tell(error);
      return false;
    }
    this.session.setAnalysis(spec);
    return true;
  }

  /** Follow the session: ask about what is on the board now. */
  update() {
    const { session } = this;
    byId("analysis").hidden = !this.on;
    byId("analyse").textContent = t(this.on ? "games.analysis.hide" : "games.analysis.show");
    byId("analyse").setAttribute("aria-expanded", String(this.on));
    if (this.on) this.menu.show(session.menu.filter((/** @type {any} */ entry) => entry.level !== "chance"), session.analysis);
    const open = this.on && session.position.outcome === "running" && !session.quiz;
    const wanted = open ? JSON.stringify([session.place, session.analysis]) : "";
    if (wanted !== this.asked) {
      this.asked = wanted;
      this.ask(open);
    }
    this.draw();
  }

  /** @param {boolean} open */
  ask(open) {
    this.stop();
    this.control.abort();
    this.stop = () => {};
    this.slow = false;
    clearTimeout(this.timer);
    this.thought = this.exact = null;
    this.state = "none";
    if (!open) return;
    const { place, analysis } = this.session;
    this.timer = setTimeout(() => {
      this.slow = !this.thought;
      this.draw();
    }, SLOW);
    this.stop = askLive(
      { do: "analyse", ...place, agent: analysis, seed: SEED },
      (message) => {
        this.thought = message.thought;
        this.draw();
      },
      (error) => tell(error),
    );
    this.askExact(place);
  }

  /** @param {any} place */
  async askExact(place) {
    const key = JSON.stringify(place);
    this.control.abort();
    this.control = new AbortController();
    const { signal } = this.control;
    this.exact = this.known.get(key) ?? null;
    this.state = this.exact ? "known" : "asking";
    this.draw();
    if (this.exact) return;
    try {
      const { exact } = await post("/api/exact", place, { signal });
      this.known.set(key, exact);
      if (signal.aborted) return;
      this.exact = exact;
      this.state = "known";
    } catch (error) {
      if (isAborted(error) || signal.aborted) return;
      this.state = "unknown";
      if (/** @type {any} */ (error).code !== "thought-too-long") tell(error);
    }
    this.draw();
  }

  /** What a review has found out need not be asked again. @param {any} place @param {Record<string, any>} exact */
  learn(place, exact) {
    this.known.set(JSON.stringify(place), exact);
  }

  draw() {
    const shown = this.asked !== "";
    byId("bars").hidden = !shown;
    byId("table").classList.toggle("analysed", shown);
    byId("ask-again").hidden = this.state !== "unknown";
    byId("opinion").textContent = shown ? this.opinionWords() : "";
    byId("exact").textContent = shown ? this.exactLine() : this.on && !this.session.quiz ? t("games.analysis.over") : "";
    if (shown) this.drawBars();
  }

  opinionWords() {
    const { thought } = this;
    const { position } = this.session;
    if (!thought) return [t("games.analysis.asking"), ...(this.slow ? [t("games.slow")] : [])].join(" ");
    const words = [t("games.analysis.would", { move: moveWords(position, thought.move) })];
    if (thought.iterations) words.push(t("games.analysis.iterations", { count: formatNumber(thought.iterations) }));
    else if (thought.nodes) words.push(t("games.analysis.nodes", { count: formatNumber(thought.nodes) }));
    // A line that is no more than the move has been said.
    if (thought.line.length > 1 || (thought.line.length === 1 && thought.line[0] !== thought.move)) words.push(t("games.analysis.line", { line: lineWords(position, thought.line) }));
    if (thought.proven) words.push(t("games.analysis.proven"));
    if (!Object.keys(thought.values).length) words.push(t("games.analysis.none"));
    return words.join(" ");
  }

  exactLine() {
    if (this.state !== "known" || !this.exact) return t(this.state === "unknown" ? "games.analysis.unknown" : "games.analysis.solving");
    const { position } = this.session;
    const best = Object.values(this.exact).reduce((one, other) => (other.score > one.score ? other : one));
    return t(`games.analysis.exact-${best.result}`, { player: playerName(position, position.mover), plies: plyWords(best.plies ?? 0) });
  }

  drawBars() {
    const { position } = this.session;
    this.list.style.setProperty("--cols", String(position.cols || position.names.length));
    byId("bars").dataset.kind = position.kind;
    const most = Math.max(1, ...Object.values(this.thought?.visits ?? {}));
    keyed(this.list, position.names, (move) => `${position.kind}-${move}`, makeBars, (element, move) => {
      this.fill(element, String(move), most);
    });
  }

  /** @param {any} element @param {string} move @param {number} most visits of any move */
  fill(element, move, most) {
    const { position } = this.session;
    const value = this.thought?.values[move];
    const visits = this.thought?.visits[move];
    const exact = this.exact?.[move];
    const parts = Object.fromEntries([...element.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
    element.dataset.move = move;
    element.classList.toggle("illegal", !position.legal.includes(move));
    element.classList.toggle("chosen", this.thought?.move === move);
    parts.name.textContent = position.kind === "nim" ? moveNumber(position, move) : move;
    setBar(parts.program, value);
    setBar(parts.exact, exact ? height(exact, position) : undefined);
    parts.exact.dataset.result = exact?.result ?? "";
    parts.value.textContent = value === undefined ? "" : `${value > 0 ? "+" : value < 0 ? "−" : ""}${formatNumber(Math.abs(value), 2)}`;
    parts.word.textContent = exact ? exactWords(exact) : "";
    parts.word.dataset.result = exact?.result ?? "";
    parts.share.style.setProperty("--share", String((visits ?? 0) / most));
    parts.share.hidden = visits === undefined;
    parts.visits.textContent = visits === undefined ? "" : `${formatNumber(visits)}×`;
  }
}

function makeBars() {
  const part = (/** @type {string} */ name, /** @type {string} */ kind) => html("span", { class: kind, "data-part": name });
  return html("li", {}, part("name", "name"),
    html("span", { class: "pair", "aria-hidden": "true" }, part("program", "bar program"), part("exact", "bar exact")),
    part("value", "value"), part("word", "word"), part("visits", "visits"), part("share", "share"));
}

/** @param {any} bar @param {number | undefined} value −1 … 1 */
function setBar(bar, value) {
  bar.hidden = value === undefined;
  bar.style.setProperty("--value", String(Math.abs(value ?? 0)));
  bar.dataset.sign = (value ?? 0) > 0 ? "up" : (value ?? 0) < 0 ? "down" : "none";
}

/** An exact value as a height: the sooner the end, the longer the bar. @param {any} exact @param {any} position */
function height(exact, position) {
  if (exact.result === "draw") return 0;
  const longest = position.rows * position.cols || position.total || 1;
  return (exact.result === "win" ? 1 : -1) * (1 - (0.6 * exact.plies) / Math.max(longest, exact.plies));
}
