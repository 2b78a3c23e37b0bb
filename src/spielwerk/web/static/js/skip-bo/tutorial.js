// The tutorial: a real match on the server, and a coach who explains the position as it is.

import { get, post } from "../api.js";
import { byId, html } from "../dom.js";
import { t } from "../text.js";
import { WILD } from "./cards.js";
import { mayMove, pause } from "./flights.js";
import { Game, tellOfMatch } from "./game.js";
import { keptName, showing } from "./seats.js";
import { aCard } from "./words.js";

/**
 * @typedef {import("./types.js").View} View @typedef {import("./types.js").Event} Event
 * @typedef {import("./types.js").LegalMove} LegalMove
 * @typedef {{words: string, source?: Element | null, target?: Element | null}} Advice
 */

const KEY = "skip-bo.tutorial";
const OWN_PILES = ["a", "b", "c", "d"];
const TOPICS = ["aim", "lay", "stock", "wild", "discard", "memory", "five", "twelve"];
/** Pixels between what the coach means and the edge of what can be seen. */
const ROOM = 26;
const INTRODUCTION = [null, ["stock"], ["1", "2", "3", "4"], ["hand"], ["a", "b", "c", "d"]];

class Coach {
  constructor() {
    this.panel = byId("coach");
    this.words = html("p", { class: "coach-words", "aria-live": "polite" });
    this.buttons = html("div", { class: "row" });
    this.topics = html("ul", { class: "topics", "aria-label": t("skip-bo-tutorial.topics.title") });
    this.count = html("span");
    const counter = html("span", { class: "topic-count" }, html("span", { class: "hidden", text: `${t("skip-bo-tutorial.topics.title")}: ` }), this.count);
    this.panel.append(html("h2", {}, t("skip-bo-tutorial.coach"), " ", counter), this.words, this.buttons, this.topics);
    this.seen = new Set();
    this.page = 0;
    /** @type {Game | null} */
    this.game = null;
    this.missed = false;
    this.reaction = "";
    this.showTopics();
  }

  /** @param {string} words @param {(Element | null | undefined)[]} [pointed] @param {any[]} [buttons] */
  say(words, pointed = [], buttons = []) {
    if (this.words.textContent !== words) this.words.textContent = words;
    for (const element of document.querySelectorAll(".pointed")) element.classList.remove("pointed");
    for (const element of pointed) element?.classList.add("pointed");
    const leave = html("button", { class: "quiet", text: t("skip-bo-tutorial.leave"), onclick: leaveTutorial });
    this.buttons.replaceChildren(...buttons, leave);
    this.reveal(pointed.filter(Boolean));
  }

  /** Scroll to what is meant, where it cannot be seen, once no card is in the air. @param {Element[]} pointed */
  async reveal(pointed) {
    while (document.querySelector(".flying")) await pause(60);
    const boxes = pointed.filter((one) => one.isConnected && one.classList.contains("pointed")).map((one) => one.getBoundingClientRect());
    if (!boxes.length) return;
    const sticks = getComputedStyle(this.panel).position === "sticky";
    const from = (sticks ? this.panel.offsetHeight : 0) + ROOM;
    const to = innerHeight - (sticks ? document.querySelector(".tools.bar").offsetHeight : 0) - ROOM;
    const top = Math.min(...boxes.map((box) => box.top));
    const bottom = Math.max(...boxes.map((box) => box.bottom));
    const by = top < from ? top - from : bottom > to ? Math.min(bottom - to, top - from) : 0;
    if (by) scrollBy({ top: by, behavior: mayMove() ? "smooth" : "instant" });
  }

  learn(topic) {
    this.seen.add(topic);
    this.showTopics();
  }

  showTopics() {
    this.count.textContent = `${this.seen.size}/${TOPICS.length}`;
    this.topics.replaceChildren(
      ...TOPICS.map((topic) => html("li", { class: this.seen.has(topic) ? "seen" : "", text: t(`skip-bo-tutorial.topics.${topic}`) })),
    );
  }

  // Before the first move.

  introduce(view) {
    const places = INTRODUCTION[this.page] ?? [];
    const elements = places.map((place) => this.game.table.place(view.seat, place));
    const words = t(`skip-bo-tutorial.intro.${this.page + 1}`, { top: view.seats[view.seat].top });
    if (this.page >= 1) this.learn("aim");
    const last = this.page === INTRODUCTION.length - 1;
    const next = html("button", { class: "main", id: "coach-next", text: t("skip-bo-tutorial.next") });
    next.addEventListener("click", () => {
      this.page += 1;
      if (last) this.advise(view);
      else this.introduce(view);
      byId("coach-next")?.focus();
    });
    this.say(words, elements, [next]);
  }

  // During the match.

  /** @param {View} view @param {LegalMove} move */
  made(view, move) {
    this.page = INTRODUCTION.length;
    const ends = OWN_PILES.includes(move.target);
    this.missed = ends && view.legal.some((one) => one.source === "stock");
  }

  /** @param {View} view @param {Event[]} events */
  shown(view, events) {
    for (const event of events) this.react(view, event);
    if (view.state === "over") this.conclude(view);
    else if (view.turn !== view.seat) this.say(join(this.reaction, t("skip-bo-tutorial.waiting")));
    else if (view.number === 0 && this.page < INTRODUCTION.length) this.introduce(view);
    else this.advise(view);
  }

  /** @param {View} view @param {Event} event */
  react(view, event) {
    const key = (name, places = {}) => t(`skip-bo-tutorial.reaction.${name}`, places);
    const stock = view.seats[event.seat].stock;
    const said = [];
    if (event.seat !== view.seat) {
      if (event.source === "stock" && stock) said.push(key("other_stock", { count: stock }));
      if (event.card === WILD && event.source === "hand") said.push(key("other_wild"));
    } else if (event.value) {
      this.learn("lay");
      if (event.source === "stock") {
        this.learn("stock");
        if (stock) said.push(key("stock", { count: stock }));
      } else if (event.card !== WILD && !event.completed) said.push(key("laid"));
      if (OWN_PILES.includes(event.source)) this.learn("memory");
      if (event.card === WILD) {
        this.learn("wild");
        said.push(key("wild", { value: event.value }));
      }
      if (event.drawn) {
        this.learn("five");
        said.push(key("five"));
      }
    } else {
      if (this.missed) said.push(key("missed"));
      else if (!this.seen.has("discard")) said.push(key("discard"));
      this.learn("discard");
    }
    if (event.completed) {
      this.learn("twelve");
      said.push(key("twelve"));
    }
    // What the other one does must not wipe out what was said of the own move at once.
    if (said.length || event.seat === view.seat || event.turn === view.seat) this.reaction = said.join(" ");
  }

  advise(view) {
    const { words, source, target } = adviceFor(view, this.game.table);
    this.say(join(this.reaction, words), [source, target]);
    this.reaction = "";
  }

  conclude(view) {
    const winner = view.result.winner;
    const how = winner === null ? "drawn" : winner === view.seat ? "won" : "lost";
    localStorage.removeItem(KEY);
    this.say(t(`skip-bo-tutorial.${how}`), [], [
      html("a", { class: "button main", href: "/skip-bo", text: t("skip-bo-tutorial.play") }),
      html("button", { text: t("skip-bo-tutorial.once_more"), onclick: () => location.reload() }),
    ]);
  }
}

/**
 * What is good here. The server says what is legal; this chooses and explains.
 * @param {View} view @param {import("./table.js").Table} table
 * @returns {Advice}
 */
function adviceFor(view, table) {
  const key = (name, places = {}) => t(`skip-bo-tutorial.advice.${name}`, places);
  const own = view.seats[view.seat];
  const place = (where) => table.place(view.seat, where);
  const held = (card) => document.querySelector(`.hand [data-card="${card}"]`);
  const building = (one) => "1234".includes(one.target);

  const stock = view.legal.find((one) => one.source === "stock");
  if (stock) {
    const words = stock.card === WILD ? key("stock_wild") : key("stock", { card: aCard(stock.card), pile: stock.target });
    return { words, source: place("stock"), target: place(stock.target) };
  }
  const step = stepTowards(view);
  if (step) {
    const { pile, need, source, card } = step;
    const words = key(card === WILD ? "towards_wild" : "towards", { top: own.top, pile, need });
    return { words, source: source === "hand" ? held(card) : place(source), target: place(pile) };
  }
  const memory = view.legal.find((one) => OWN_PILES.includes(one.source));
  if (memory) {
    const words = key("memory", { card: aCard(memory.card), source: memory.source, pile: memory.target });
    return { words, source: place(memory.source), target: place(memory.target) };
  }
  const hand = view.legal.find((one) => one.source === "hand" && building(one) && one.card !== WILD);
  if (hand) return { words: key("hand", { card: aCard(hand.card), pile: hand.target }), source: held(hand.card), target: place(hand.target) };
  const discards = view.legal.filter((one) => OWN_PILES.includes(one.target) && one.card !== WILD);
  if (discards.length) {
    const tops = own.discards.map((cards) => cards.at(-1) ?? 0);
    const top = (one) => tops[OWN_PILES.indexOf(one.target)];
    const fitting = discards.find((one) => top(one) === one.card) ?? discards.find((one) => top(one) === one.card + 1);
    const free = discards.filter((one) => top(one) === 0).at(-1);
    const high = free && discards.find((one) => one.card === free.card && top(one) === 0);
    const good = fitting ?? high ?? discards.at(-1);
    const words = key(fitting ? "discard_same" : "discard", { card: aCard(good.card), pile: good.target });
    return { words, source: held(good.card), target: place(good.target) };
  }
  return { words: key(view.legal.some((one) => one.source === "none") ? "pass" : "wild_only") };
}

/**
 * The next card on the shortest way to the top of the stock, if the whole way can be gone now.
 * @param {View} view
 * @returns {{pile: string, need: number, source: string, card: number} | null}
 */
function stepTowards(view) {
  const own = view.seats[view.seat];
  const tops = own.discards.map((cards) => cards.at(-1) ?? 0);
  const wilds = [...view.hand, ...tops].filter((card) => card === WILD).length;
  let best = null;
  view.piles.forEach((pile, index) => {
    const way = own.top - 1 - pile.height;
    if (way < 1) return;
    const needs = Array.from({ length: way }, (_, i) => pile.height + 1 + i);
    const missing = needs.filter((need) => !view.hand.includes(need) && !tops.includes(need));
    if (missing.length > wilds || (best && best.way <= way)) return;
    best = { way, pile: String(index + 1), need: needs[0] };
  });
  if (!best) return null;
  const { pile, need } = best;
  const move = view.legal.find((one) => one.target === pile && one.card === need) ?? view.legal.find((one) => one.target === pile && one.card === WILD);
  return move ? { pile, need, source: move.source, card: move.card } : null;
}

function join(...parts) {
  return parts.filter(Boolean).join(" ");
}

async function leaveTutorial() {
  const kept = JSON.parse(localStorage.getItem(KEY) ?? "null");
  localStorage.removeItem(KEY);
  if (kept) await post(`/api/matches/${kept.match}/resign`, {}, showing(kept.token)).catch(() => {});
  location.href = "/skip-bo";
}

/** The lesson that was begun, or a new one. */
async function lesson() {
  const kept = JSON.parse(localStorage.getItem(KEY) ?? "null");
  if (kept) {
    const view = await get(`/api/matches/${kept.match}`, {}, showing(kept.token)).catch(() => null);
    if (view?.state === "running") return kept;
  }
  const made = await post("/api/matches/tutorial", { name: keptName() });
  localStorage.setItem(KEY, JSON.stringify(made));
  return made;
}

const coach = new Coach();
lesson()
  .then(({ match, token }) => {
    coach.game = new Game(match, token, {
      shown: (view, events) => coach.shown(view, events),
      made: (view, move) => coach.made(view, move),
    });
    coach.game.isLesson = true;
    coach.game.open();
  })
  .catch(tellOfMatch);
