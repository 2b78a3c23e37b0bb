// The game so far: its moves, its graph, its mistakes, and another try at them.

import { tell } from "./api.js";
import { byId, html, keyed, svg } from "./dom.js";
import { askLive } from "./live.js";
import { t } from "./text.js";
import { exactWords, moveNumber, moveWords, playerName } from "./words.js";

/** @typedef {{ply: number, mover: number, played: string | null, exact: Record<string, any>, best: any, kept: boolean | null}} Judgement */

const WIDTH = 600;
const HEIGHT = 170;
const MIDDLE = 80;

export class Review {
  /** @param {any} session a Session @param {any} analysis an Analysis */
  constructor(session, analysis) {
    this.session = session;
    this.analysis = analysis;
    /** What is reviewed. */ this.key = "";
    /** @type {Map<number, Judgement>} */ this.judged = new Map();
    this.total = 0;
    this.running = false;
    /** How the game ended, if it did. @type {{outcome: string, winner: number | null} | null} */ this.end = null;
    this.stop = () => {};
    this.frame = 0;
    for (const [id, action] of /** @type {[string, () => void][]} */ ([["review", () => this.begin()], ["stop-review", () => this.halt()]])) {
      byId(id).addEventListener("click", () => {
        action();
        byId("reviewed").focus();
      });
    }
    byId("show-answer").addEventListener("click", () => this.reveal());
    byId("next-mistake").addEventListener("click", () => this.next());
    byId("leave-quiz").addEventListener("click", () => this.leave());
  }

  /** The game whose moves are listed. */
  get line() {
    const { game, start, line } = this.session;
    return JSON.stringify([game, start, line]);
  }

  get mistakes() {
    return [...this.judged.values()].filter((one) => one.kept === false).sort((one, other) => one.ply - other.ply);
  }

  /** Follow the session. */
  update() {
    const { session } = this;
    if (this.key && this.key !== this.line) this.forget();
    if (session.ply === session.line.length) this.end = session.over ? { outcome: session.gaveUp ? "resigned" : session.position.outcome, winner: session.winner } : null;
    const finished = session.over && session.ply === session.line.length && session.line !== "";
    if (finished && this.analysis.on && !this.key) this.begin();
    this.draw();
  }

  forget() {
    this.halt();
    this.key = "";
    this.judged.clear();
  }

  halt() {
    this.stop();
    this.stop = () => {};
    this.running = false;
    this.draw();
  }

  begin() {
    const { game, start, line } = this.session;
    this.forget();
    this.key = this.line;
    this.running = true;
    this.total = line.length + (this.end && this.end.outcome !== "resigned" ? 0 : 1);
    this.stop = askLive(
      { do: "review", game, start, moves: line },
      (message) => {
        if (message.ply !== undefined) this.judged.set(message.ply, message);
        if (message.best) this.analysis.learn({ game, start, moves: line.slice(0, message.ply) }, message.exact);
        if (message.done) this.running = false;
        this.drawSoon();
      },
      (error) => {
        this.running = false;
        tell(error);
        this.draw();
      },
    );
    this.draw();
  }

  // Another try -------------------------------------------------------------------------------

  /** Ask for a better move than that. @param {Judgement} judgement */
  async ask(judgement) {
    const { session } = this;
    session.playing = false;
    const quiz = { judgement, tried: new Map(), open: true, words: this.questionWords(judgement) };
    if (!(await session.show({ ply: judgement.ply, quiz }, "replace"))) return;
    byId("quiz").scrollIntoView({ block: "nearest" });
    byId("question").focus();
  }

  /** @param {Judgement} judgement */
  questionWords(judgement) {
    const { position } = this.session;
    const player = playerName(position, judgement.mover);
    const move = moveWords(position, judgement.played ?? "");
    return t(`games.quiz.find-${judgement.best.result}`, { player, move });
  }

  /** Somebody tries a move. @param {string} move */
  answer(move) {
    const { quiz, position } = this.session;
    const exact = quiz?.judgement.exact[move];
    if (!quiz?.open || !exact) return;
    const right = exact.result === quiz.judgement.best.result;
    quiz.tried.set(move, right ? "right" : "wrong");
    quiz.open = !right;
    quiz.words = t(right ? "games.quiz.right" : "games.quiz.wrong", { move: moveWords(position, move), value: exactWords(exact) });
    this.session.change();
  }

  reveal() {
    const { quiz, position } = this.session;
    if (!quiz) return;
    const { exact, best } = quiz.judgement;
    const good = Object.keys(exact).filter((move) => exact[move].score === best.score);
    quiz.open = false;
    this.session.advice = good;
    const moves = good.map((move) => moveWords(position, move)).join(", ");
    quiz.words = t("games.quiz.answer", { moves, value: exactWords(best) });
    this.session.change();
  }

  next() {
    const { quiz } = this.session;
    const later = this.mistakes.find((one) => one.ply > quiz.judgement.ply) ?? this.mistakes[0];
    if (later) this.ask(later);
  }

  async leave() {
    await this.session.show({ ply: this.session.line.length }, "replace");
  }

  // To be seen --------------------------------------------------------------------------------

  /** Once for all answers that come before the next picture. */
  drawSoon() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  draw() {
    const { session } = this;
    if (!session.position) return;
    this.drawMoves();
    byId("no-moves").hidden = session.line !== "";
    byId("review").hidden = session.line === "" || this.key !== "";
    byId("reviewed").hidden = this.key === "";
    if (this.key) {
      byId("progress").value = this.judged.size / Math.max(1, this.total);
      if (!this.running && document.activeElement === byId("stop-review")) byId("reviewed").focus();
      byId("progress").hidden = byId("stop-review").hidden = !this.running;
      byId("progress-words").textContent = this.progressWords();
      byId("graph").replaceChildren(this.graph());
      this.drawMistakes();
    }
    this.drawQuiz();
  }

  progressWords() {
    if (this.running) return t("games.review.running", { done: this.judged.size, total: this.total });
    const unknown = this.total - [...this.judged.values()].filter((one) => one.best).length;
    if (unknown) return t("games.review.unknown", { unknown });
    return this.mistakes.length ? "" : t("games.review.clean");
  }

  drawMoves() {
    const { session } = this;
    const { position } = session;
    const moves = [...session.line].map((move, ply) => ({ move, ply, seat: session.seatAt(ply) }));
    keyed(byId("moves"), moves, ({ move, ply, seat }) => `${position.kind}-${ply}-${move}-${seat}`, ({ move, ply, seat }) => {
      const text = position.kind === "nim" ? String(moveNumber(position, move)) : move;
      const button = html("button", { type: "button", class: "quiet", "data-ply": ply + 1, onclick: () => session.goTo(ply + 1) },
        html("span", { class: "number", text: `${ply + 1}.` }),
        html("span", { class: `dot ${seat === 1 ? "first" : "second"}`, "aria-hidden": "true" }),
        text, html("span", { class: "verdict" }));
      return html("li", {}, button);
    }, (element, { move, ply, seat }) => {
      const button = element.firstChild;
      const judgement = this.judged.get(ply);
      const mistake = judgement?.kept === false && !(session.quiz?.open && session.quiz.judgement.ply === ply);
      const worth = mistake ? judgement.exact[judgement.played ?? ""] : null;
      const words = mistake ? this.mistakeWords(judgement) : t("games.moves.one", { number: ply + 1, player: playerName(position, seat), move: moveWords(position, move) });
      button.setAttribute("aria-label", words);
      button.title = words;
      if (ply + 1 === session.ply) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
      element.classList.toggle("later", ply >= session.ply);
      element.classList.toggle("mistake", mistake);
      button.lastChild.textContent = mistake ? (worth.result === "loss" && judgement.best.result === "win" ? "??" : "?") : "";
    });
  }

  /** @param {Judgement} judgement */
  mistakeWords(judgement) {
    const { position } = this.session;
    const played = judgement.played ?? "";
    const places = { number: judgement.ply + 1, player: playerName(position, judgement.mover), move: moveWords(position, played) };
    return t(`games.mistake.${judgement.best.result}-${judgement.exact[played].result}`, places);
  }

  drawMistakes() {
    keyed(byId("mistakes"), this.mistakes, (one) => `${this.key}-${one.ply}`, (one) =>
      html("li", { "data-ply": one.ply },
        html("span", { text: this.mistakeWords(one) }),
        html("button", { type: "button", onclick: () => this.ask(one), text: t("games.quiz.again") })));
    const order = [...byId("mistakes").children].sort((one, other) => one.dataset.ply - other.dataset.ply);
    if (order.some((child, index) => byId("mistakes").children[index] !== child)) byId("mistakes").append(...order);
  }

  drawQuiz() {
    const { quiz } = this.session;
    byId("quiz").hidden = !quiz;
    if (!quiz) return;
    if (byId("question").textContent !== quiz.words) byId("question").textContent = quiz.words;
    byId("show-answer").hidden = !quiz.open;
    byId("next-mistake").hidden = this.mistakes.length < 2;
  }

  /** What every position was worth to who plays the first colour, from 1 (won soon) to −1; by ply. */
  worths() {
    const { line, position } = this.session;
    const longest = position.rows * position.cols || position.total || 1;
    /** @type {(number | null)[]} */
    const worths = [];
    for (let ply = 0; ply <= line.length; ply++) {
      const judgement = this.judged.get(ply);
      if (judgement?.best) {
        const { result, plies } = judgement.best;
        const size = result === "draw" ? 0 : 1 - (0.6 * plies) / Math.max(plies, longest);
        worths.push(size * (result === "win" ? 1 : -1) * (judgement.mover === 1 ? 1 : -1));
      } else if (ply === line.length && this.end && this.end.outcome !== "resigned") {
        worths.push(this.end.winner ? (this.end.winner === 1 ? 1 : -1) : 0);
      } else worths.push(null);
    }
    return worths;
  }

  graph() {
    const { session } = this;
    const worths = this.worths();
    const x = (/** @type {number} */ ply) => 24 + ((WIDTH - 48) * ply) / Math.max(1, worths.length - 1);
    const y = (/** @type {number | null} */ worth) => MIDDLE - (worth ?? 0) * (MIDDLE - 12);
    const known = worths.map((worth, ply) => ({ worth, ply })).filter((one) => one.worth !== null);
    const line = known.map(({ worth, ply }, index) => `${index && known[index - 1].ply === ply - 1 ? "L" : "M"}${x(ply)} ${y(worth)}`).join("");
    const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": t("games.review.graph") },
      svg("rect", { class: "upper", x: 0, y: 0, width: WIDTH, height: MIDDLE }),
      svg("rect", { class: "lower", x: 0, y: MIDDLE, width: WIDTH, height: MIDDLE }),
      svg("line", { class: "zero", x1: 0, x2: WIDTH, y1: MIDDLE, y2: MIDDLE }),
      svg("text", { x: 8, y: 20, text: t("games.review.better", { player: playerName(session.position, 1) }) }),
      svg("text", { x: 8, y: 2 * MIDDLE - 8, text: t("games.review.better", { player: playerName(session.position, 2) }) }),
      svg("line", { class: "now", x1: x(session.ply), x2: x(session.ply), y1: 0, y2: 2 * MIDDLE }),
      svg("path", { class: "curve", d: line }));
    worths.forEach((worth, ply) => {
      const mistake = this.judged.get(ply - 1)?.kept === false;
      const point = svg("g", { class: `point${mistake ? " mistake" : ""}`, transform: `translate(${x(ply)} ${y(worth)})`, "data-ply": ply, onclick: () => session.goTo(ply) },
        svg("rect", { class: "target", x: -14, y: -y(worth), width: 28, height: 2 * MIDDLE }),
        worth === null ? svg("text", { class: "unknown", y: 5, text: this.running ? "·" : "?" }) : svg("circle", { r: ply === session.ply ? 8 : 5 }));
      picture.append(point);
    });
    return picture;
  }
}
