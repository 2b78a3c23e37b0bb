// A game at the table: who plays, where it stands, and what the server says of it.

import { Failure, get, isAborted, post, tell } from "./api.js";
import { PERSON, readAddress, writeAddress } from "./address.js";

/** @typedef {any} Position  as /api/position sends it */

/** Milliseconds after which people are told why it takes so long. */
const SLOW = 2000;
/** Seconds between two moves of programs, by the place of the speed control. */
const PAUSES = [4, 2.5, 1.5, 1, 0.6, 0.25, 0];

/**
 * Tells of itself by events: "change" after anything has changed, "moved" (detail: seat and move) after
 * a move, "begun" (detail: "new", "back" or "" for a page that is opened) when another game is on the table.
 */
export class Session extends EventTarget {
  /** @param {string} kind the page: connect-four, connectx, tic-tac-toe, nim */
  constructor(kind) {
    super();
    this.kind = kind;
    /** @type {string} */ this.game = "";
    this.start = "";
    /** All moves, also those that were taken back. */ this.line = "";
    /** How many of them are on the board. */ this.ply = 0;
    /** Who has given up at the end of the line. @type {0 | 1 | 2} */ this.resigned = 0;
    /** @type {[string, string]} */ this.players = [PERSON, PERSON];
    this.chosen = false;
    this.analysis = "";
    /** @type {Position} */ this.position = null;
    /** @type {{level: string, spec: string, hints: boolean}[]} */ this.menu = [];
    /** Programs move when it is their turn. */ this.playing = false;
    /** @type {{seat: number, slow: boolean, hint: boolean} | null} */ this.thinking = null;
    /** Moves that are marked as advice. @type {string[]} */ this.advice = [];
    /** A question instead of a game: the board asks, nothing is played. @type {any} */ this.quiz = null;
    /** The game that a new one has replaced; taking back brings it back. @type {any} */ this.replaced = null;
    /** Why the server has refused what was last asked. */ this.refusal = "";
    this.speed = 4;
    /** @type {Promise<any>} */ this.queue = Promise.resolve();
    this.control = new AbortController();
    addEventListener("popstate", (event) => this.open(event.state, false));
  }

  get moves() {
    return this.line.slice(0, this.ply);
  }

  /** Where we are, as the server wants it. */
  get place() {
    return { game: this.game, start: this.start, moves: this.moves };
  }

  /** Who moves after so many moves. @param {number} ply @returns {1 | 2} */
  seatAt(ply) {
    return (this.position.began + ply) % 2 ? 1 : 2;
  }

  /** @param {number} seat */
  isPerson(seat) {
    return this.players[seat - 1] === PERSON;
  }

  get persons() {
    return this.players.filter((player) => player === PERSON).length;
  }

  /** The only person at the table, 0 if there is none or two. */
  get you() {
    return this.persons === 1 ? this.players.indexOf(PERSON) + 1 : 0;
  }

  /** Who has given up in the position on the board. */
  get gaveUp() {
    return this.ply === this.line.length ? this.resigned : 0;
  }

  get over() {
    return this.gaveUp !== 0 || this.position.outcome !== "running";
  }

  /** Who is to move, 0 when the game is over. */
  get mover() {
    return this.over ? 0 : this.position.mover;
  }

  get programToMove() {
    return this.mover !== 0 && !this.isPerson(this.mover);
  }

  /** Whether a person may move now. */
  get canMove() {
    return this.mover !== 0 && this.isPerson(this.mover) && !this.thinking;
  }

  get winner() {
    return this.gaveUp ? 3 - this.gaveUp : this.position.winner;
  }

  /** Where taking back leads to: people go back to a move of their own. -1: nowhere. */
  get undoPly() {
    if (this.gaveUp) return this.ply;
    for (let ply = this.ply - 1; ply >= 0; ply--) if (!this.you || this.isPerson(this.seatAt(ply))) return ply;
    return -1;
  }

  get canUndo() {
    return this.undoPly >= 0 || this.replaced !== null;
  }

  get redoPly() {
    const last = this.line.length;
    if (this.ply >= last) return -1;
    for (let ply = this.ply + 1; ply < last; ply++) if (!this.you || this.isPerson(this.seatAt(ply))) return ply;
    return last;
  }

  change() {
    this.dispatchEvent(new Event("change"));
  }

  /** Stop what was begun; whatever comes next can be stopped by the signal returned. */
  begin() {
    this.control.abort();
    this.control = new AbortController();
    this.thinking = null;
    return this.control.signal;
  }

  /**
   * Open what the address says. If that is wrong the server says why, and a fresh game is shown.
   * @param {{later: string, resigned: 0 | 1 | 2} | null} kept  moves that were taken back, and who gave up after them
   * @param {boolean} playing  whether programs may go on at once
   */
  async open(kept, playing) {
    const { players, moves, ...address } = readAddress(this.kind, location.search);
    const plain = moves.replace(/[\s,]/g, "");
    const resigned = address.resigned || (kept?.resigned ?? 0);
    const target = { ...address, resigned, line: plain + (kept?.later ?? ""), ply: plain.length };
    this.chosen = players !== null;
    this.replaced = null;
    let shown = await this.show(target, "none");
    let wrong = !shown && this.refusal !== "";
    if (!shown && !this.position) {
      const usual = readAddress(this.kind, "").game;
      shown =
        (await this.show({ game: address.game, start: "", line: "", ply: 0 }, "none", true)) ||
        (await this.show({ game: usual, start: "", line: "", ply: 0 }, "none", true));
      if (shown) this.change();
    }
    if (shown) {
      this.players = players ?? this.usualPlayers();
      if (players && !(await this.checkPlayers())) {
        this.players = this.usualPlayers();
        wrong = true;
      }
    }
    // What was refused is not to be reloaded, copied or kept.
    if (wrong && this.position) history.replaceState(this.kept, "", this.address);
    if (!shown) return;
    this.begun("");
    this.playing = playing && this.persons === 1;
    this.change();
    this.go();
  }

  /** Somebody who plays now and then. */
  get casual() {
    return (this.menu.find((entry) => entry.level === "casual") ?? this.menu[0])?.spec ?? PERSON;
  }

  /** A person where the next move is made, and a program. */
  usualPlayers() {
    /** @type {[string, string]} */
    const players = [PERSON, this.casual];
    return this.seatAt(this.ply) === 2 ? /** @type {[string, string]} */ (players.reverse()) : players;
  }

  async checkPlayers() {
    for (const player of this.players) if (!(await this.plays(player))) return false;
    return true;
  }

  /** Whether the server knows this player; if not, its reason is told. @param {string} spec */
  async plays(spec) {
    if (spec === PERSON || this.menu.some((entry) => entry.spec === spec)) return true;
    try {
      await get("/api/player", { agent: spec, game: this.game });
      return true;
    } catch (error) {
      tell(error);
      return false;
    }
  }

  /**
   * Ask the server for a position and show it. Nothing changes if it refuses.
   * @param {Record<string, any>} target  what is to be different
   * @param {"push" | "replace" | "none"} how  to remember it in the browser's history
   * @param {boolean} [quiet]  do not tell why it is refused
   * @returns {Promise<boolean>}
   */
  async show(target, how, quiet = false) {
    const signal = this.begin();
    this.refusal = "";
    const wanted = { game: this.game, start: this.start, line: this.line, ply: this.ply, ...target };
    const moves = wanted.line.slice(0, wanted.ply);
    const place = { game: wanted.game, start: wanted.start, moves };
    try {
      const another = wanted.game !== this.game;
      const [position, menu] = await Promise.all([
        get("/api/position", place, { signal }),
        another ? get("/api/opponents", { game: wanted.game }, { signal }) : this.menu,
      ]);
      if (signal.aborted) return false;
      const resigned = wanted.line === this.line ? this.resigned : 0;
      Object.assign(this, { resigned, advice: [], quiz: null, ...target, position, menu });
      // Spaces and commas in a pasted game are gone.
      if (position.moves.length !== moves.length) {
        this.line = position.moves + wanted.line.slice(wanted.ply);
        this.ply = position.moves.length;
      }
    } catch (error) {
      if (error instanceof Failure) this.refusal = error.message;
      if (!quiet) tell(error);
      this.change();
      return false;
    }
    this.save(how);
    this.change();
    return true;
  }

  /** Write the address. @param {"push" | "replace" | "none"} how */
  save(how) {
    if (how !== "none") this.chosen = true;
    const url = this.address;
    if (how === "push" && url !== location.pathname + location.search) history.pushState(this.kept, "", url);
    else if (how !== "none") history.replaceState(this.kept, "", url);
  }

  /** What the browser remembers beside the address. */
  get kept() {
    return { later: this.line.slice(this.ply), resigned: this.resigned };
  }

  /** @param {"new" | "back" | ""} how */
  begun(how) {
    this.dispatchEvent(new CustomEvent("begun", { detail: how }));
  }

  /** The address of what is to be seen. */
  get address() {
    const { game, start, moves, gaveUp: resigned, analysis } = this;
    const players = this.chosen ? this.players : null;
    return writeAddress(this.kind, { game, start, moves, players, resigned, analysis });
  }

  /** A person's move. Those who are quick need not wait for the answer to their last one. @param {string} move */
  play(move) {
    this.queue = this.queue.catch(() => {}).then(() => this.put(move));
    return this.queue;
  }

  /** @param {string} move */
  async put(move) {
    if (!this.canMove || !this.position.legal.includes(move)) return;
    const seat = this.mover;
    const same = this.line[this.ply] === move;
    const line = same ? this.line : this.moves + move;
    if (!(await this.show({ line, ply: this.ply + 1, resigned: 0 }, "push"))) return;
    this.moved(seat, move);
    this.playing = this.persons === 1;
    this.go();
  }

  /** @param {number} seat @param {string} move */
  moved(seat, move) {
    this.dispatchEvent(new CustomEvent("moved", { detail: { seat, move } }));
  }

  /** Let programs move as long as it is their turn. */
  async go() {
    while (this.playing && this.programToMove && !this.quiz) {
      const begun = performance.now();
      if (!(await this.think())) return;
      if (this.persons > 0) continue;
      if (!(await pause(PAUSES[this.speed] * 1000 - (performance.now() - begun), this.control.signal))) return;
    }
    if (this.persons === 0 && this.over && this.playing) {
      this.playing = false;
      this.change();
    }
  }

  /** One move of the program whose turn it is. @returns {Promise<boolean>} whether it has moved */
  async think() {
    const seat = this.mover;
    const answer = await this.ask(this.players[seat - 1], seat, false);
    if (!answer) return false;
    const { move } = answer.thought;
    if (this.line[this.ply] !== move) this.line = this.moves + move;
    this.ply += 1;
    this.position = answer.position;
    this.advice = [];
    this.save(this.persons === 1 || this.playing ? "replace" : "push");
    this.moved(seat, move);
    this.change();
    return true;
  }

  /**
   * Ask a program for a move. @param {string} agent @param {number} seat @param {boolean} hint
   * @returns {Promise<any>} null if it was stopped or failed
   */
  async ask(agent, seat, hint) {
    const signal = this.begin();
    const thinking = { seat, slow: false, hint };
    this.thinking = thinking;
    this.change();
    const timer = setTimeout(() => {
      thinking.slow = true;
      if (this.thinking === thinking) this.change();
    }, SLOW);
    try {
      const answer = await post("/api/move", { ...this.place, agent }, { signal });
      return signal.aborted ? null : answer;
    } catch (error) {
      if (!isAborted(error)) {
        if (!hint) this.playing = false;
        tell(error);
      }
      return null;
    } finally {
      clearTimeout(timer);
      if (this.thinking === thinking) {
        this.thinking = null;
        this.change();
      }
    }
  }

  /** Stop thinking; the program waits until it is told to go on. */
  cancel() {
    if (!this.thinking) return;
    if (!this.thinking.hint) this.playing = false;
    this.begin();
    this.change();
  }

  /** Let programs go on, or pause them. */
  run() {
    if (this.playing) {
      this.playing = false;
      this.begin();
      this.change();
      return;
    }
    this.playing = true;
    this.change();
    this.go();
  }

  /** One move of a program. */
  async step() {
    this.playing = false;
    if (this.programToMove) await this.think();
  }

  /** Show the position after so many moves of this game. @param {number} ply */
  async goTo(ply) {
    if (ply < 0 || ply > this.line.length) return false;
    this.playing = false;
    return this.show({ ply }, "push");
  }

  /** Take a move back, or at the beginning of a game the game itself. @returns {Promise<boolean>} */
  async undo() {
    const ply = this.undoPly;
    if (ply < 0) return this.bringBack();
    this.playing = false;
    return this.show(this.gaveUp ? { resigned: 0 } : { ply }, "push");
  }

  /** The game before this one. */
  async bringBack() {
    const { replaced } = this;
    if (!replaced) return false;
    this.playing = false;
    if (!(await this.show(replaced, "push"))) return false;
    this.replaced = null;
    this.begun("back");
    this.change();
    return true;
  }

  redo() {
    return this.goTo(this.redoPly);
  }

  /** Mark the move of a strong program. */
  async hint() {
    if (!this.canMove) return;
    const adviser = this.menu.find((entry) => entry.hints) ?? this.menu[this.menu.length - 1];
    const answer = await this.ask(adviser.spec, this.mover, true);
    if (!answer) return;
    this.advice = [answer.thought.move];
    this.change();
  }

  /** Who gives up when a person says so: who is to move, or the only person. 0: nobody can. */
  get resigner() {
    if (this.over || this.quiz) return 0;
    return this.you || (this.persons === 2 ? this.mover : 0);
  }

  resign() {
    const seat = this.resigner;
    if (!seat) return;
    this.begin();
    this.playing = false;
    this.line = this.moves;
    this.resigned = /** @type {1 | 2} */ (seat);
    this.save("push");
    this.change();
  }

  swap() {
    this.sit([this.players[1], this.players[0]]);
  }

  /** Other players. @param {[string, string]} players */
  sit(players) {
    this.begin();
    this.players = players;
    this.playing = this.persons === 1;
    this.save("replace");
    this.change();
    this.go();
  }

  /** @param {1 | 2} seat @param {string} spec @returns {Promise<boolean>} */
  async setPlayer(seat, spec) {
    if (!(await this.plays(spec))) return false;
    this.sit(seat === 1 ? [spec, this.players[1]] : [this.players[0], spec]);
    return true;
  }

  /** Another game: new, of another size, from another position. @param {Record<string, any>} target */
  async renew(target = {}) {
    const { game, start, line, ply, resigned } = this;
    /** @type {[string, string]} */ const players = [...this.players];
    if (!(await this.show({ line: "", ply: 0, resigned: 0, ...target }, "none"))) return false;
    if (line || start !== this.start) this.replaced = { game, start, line, ply, resigned, players };
    // Not every program plays a game of another size.
    if (target.game) {
      for (const seat of [0, 1]) if (!(await this.plays(this.players[seat]))) this.players[seat] = this.casual;
      if (this.analysis && !(await this.plays(this.analysis))) this.analysis = "";
    }
    this.playing = this.persons === 1;
    this.save("push");
    this.begun("new");
    this.change();
    this.go();
    return true;
  }

  /** The program that analyses, "" for none. @param {string} spec */
  setAnalysis(spec) {
    this.analysis = spec;
    this.save("replace");
    this.change();
  }
}

/** Wait. @param {number} time milliseconds @param {AbortSignal} signal @returns {Promise<boolean>} false if stopped */
function pause(time, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(!signal.aborted), Math.max(0, time));
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve(false);
    });
  });
}
