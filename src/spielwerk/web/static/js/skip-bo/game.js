// A match in the browser: what the server tells is shown move by move, what people do is sent.

import { Failure, post, tell } from "../api.js";
import { byId, html, notify } from "../dom.js";
import { hasText, t } from "../text.js";
import { celebrate, clearScene, commiserate } from "./celebration.js";
import { Connection } from "./connection.js";
import { mayMove, pause } from "./flights.js";
import { forgetMatch, keepFarewell, keepMatch, showing } from "./seats.js";
import { Table } from "./table.js";
import { aCard, nameOf, sayEvent } from "./words.js";

/** @typedef {import("./types.js").View} View @typedef {import("./types.js").Event} Event */

const LONGEST_LOG = 300;
const TITLE = document.title;
/** Milliseconds between two moves that are watched. */
const SPEEDS = { slow: 1300, normal: 550, fast: 180, fastest: 0 };

/** Tell what went wrong, by the words for matches where there are some. @param {any} error */
export function tellOfMatch(error) {
  const key = `skip-bo.failures.${error?.code}`;
  if (error instanceof Failure && hasText(key)) notify(t(key));
  else tell(error);
}

export class Game {
  /**
   * @param {string} match @param {string | null} token
   * @param {{shown?: (view: View, events: Event[]) => void, made?: (view: View, move: any) => void}} [coach]
   */
  constructor(match, token, coach = {}) {
    this.match = match;
    this.coach = coach;
    /** @type {View | null} */
    this.view = null;
    /** @type {View[]} */
    this.queue = [];
    this.working = false;
    this.connected = true;
    this.paused = false;
    /** Moves that are to be shown although it is paused. */
    this.steps = 0;
    this.ended = false;
    /** A coach stands beside it, who also knows how to leave and to begin anew. */
    this.isLesson = false;
    this.table = new Table({
      onMove: (move) => this.send(move),
      onReplace: (seat) => this.replace(seat),
      onHold: () => this.showStatus(),
    });
    this.connection = new Connection(match, {
      view: (view) => this.receive(view),
      state: (connected) => {
        this.connected = connected;
        this.showStatus();
      },
      refused: (code) => this.refused(code),
    });
    this.connection.token = token;
    this.listen();
  }

  get token() {
    return this.connection.token;
  }

  open() {
    this.connection.open();
  }

  /** @param {string} path @param {any} [body] */
  ask(path, body = {}) {
    return post(`/api/matches/${encodeURIComponent(this.match)}/${path}`, body, showing(this.token));
  }

  listen() {
    byId("hint").addEventListener("click", () => this.hint());
    byId("pass").addEventListener("click", () => {
      const move = this.view?.legal.find((one) => one.source === "none");
      if (move) this.table.make(move);
    });
    byId("leave").addEventListener("click", () => this.askToLeave());
    byId("leave-no").addEventListener("click", () => byId("leaving").close());
    byId("leave-yes").addEventListener("click", () => this.leave());
    for (const id of ["again", "result-again"]) byId(id).addEventListener("click", () => this.again());
    byId("result-close").addEventListener("click", () => byId("result").close());
    byId("pause").addEventListener("click", () => this.setPaused(!this.paused));
    byId("step").addEventListener("click", () => {
      this.setPaused(true);
      this.steps += 1;
      this.work();
    });
    byId("hands")?.addEventListener("change", (event) => {
      this.connection.hands = event.target.checked;
      this.connection.open();
    });
  }

  refused(code) {
    if (code === "no-match") {
      forgetMatch(this.match);
      byId("game").hidden = byId("waiting").hidden = true;
      byId("missing").hidden = false;
      return;
    }
    // The seat is not ours any more: look on.
    if (this.token) notify(t("skip-bo.failures.not-your-seat"));
    forgetMatch(this.match);
    this.connection.token = null;
    this.connection.open();
  }

  // What the server tells.

  /** @param {View} view */
  receive(view) {
    const last = this.queue.at(-1) ?? this.view;
    if (last && view.number < last.number) return;
    this.queue.push(view);
    this.work();
  }

  /** Show what waits, one after the other. */
  async work() {
    if (this.working) return;
    this.working = true;
    try {
      while (this.queue.length && (!this.paused || this.steps > 0 || !this.view)) {
        const behind = this.queue.length;
        const view = this.queue.shift();
        const events = view.events.filter((event) => event.number > (this.view?.number ?? -1));
        const next = this.view !== null && events.length === 1 && events[0].number === this.view.number + 1;
        if (this.paused && events.length) this.steps = Math.max(0, this.steps - 1);
        await this.show(view, events, next, behind);
      }
    } finally {
      this.working = false;
    }
  }

  /** @param {View} view @param {Event[]} events @param {boolean} next */
  async show(view, events, next, behind) {
    const before = this.view;
    this.view = view;
    const watching = isWatched(view);
    this.showParts(view, watching);
    if (next) {
      const wait = watching ? SPEEDS[byId("speed").value] : 0;
      const speed = watching ? Math.min(1, wait / 500) : behind > 6 ? 0 : behind > 2 ? 0.4 : 1;
      this.note(events, before);
      const playing = this.table.play(view, events[0], speed);
      this.showStatus();
      this.coach.shown?.(view, events);
      await playing;
      if (watching) await pause(Math.max(0, wait - (mayMove() ? 360 * speed : 0)));
    } else {
      this.table.render(view);
      this.note(events, before);
      this.showStatus();
      this.coach.shown?.(view, events);
    }
    if (view.state === "over") this.finish();
  }

  showParts(view, watching) {
    const waiting = view.state === "waiting";
    Object.assign(byId("game").dataset, { number: view.number, state: view.state });
    byId("waiting").hidden = !waiting;
    byId("game").hidden = waiting;
    if (waiting) this.waiting?.(view);
    const seated = view.seat !== null;
    byId("hint").hidden = !seated || view.state !== "running";
    byId("leave").hidden = !seated || view.state !== "running" || this.isLesson;
    byId("again").hidden = view.state !== "over" || (!seated && !watching) || this.isLesson;
    byId("pass").hidden = !view.legal.some((move) => move.source === "none");
    byId("watch").hidden = !watching || view.state === "over" && !this.queue.length;
    const following = byId("following");
    following.hidden = !view.next;
    if (view.next && !following.childElementCount) {
      following.append(t("skip-bo.tools.follow"), " ", html("button", { class: "main", text: t("skip-bo.tools.follow_go"), onclick: () => this.follow(view.next) }));
    }
  }

  /** Log what has happened, and say it. */
  note(events, before) {
    const view = this.view;
    const said = [];
    if (before) {
      view.seats.forEach((seat, number) => {
        const old = before.seats[number];
        if (seat.left && !old.left) said.push(t("skip-bo.log.left", { name: seat.name || t("skip-bo.seat", { number: number + 1 }) }));
        else if (seat.taken && !old.taken) said.push(t("skip-bo.log.came", { name: nameOf(view, number) }));
      });
    }
    if (view.number === 0 && view.state === "running" && before?.state !== "running") {
      said.push(t(`skip-bo.log.begins${view.turn === view.seat ? "_you" : ""}`, { name: nameOf(view, view.turn) }));
    }
    said.push(...events.map((event) => sayEvent(event, view)));
    const list = byId("log");
    for (const sentence of said) list.prepend(html("li", { text: sentence }));
    while (list.childElementCount > LONGEST_LOG) list.lastChild.remove();
    const turned = view.turn !== null && view.turn === view.seat && (before?.turn !== view.turn || !before) && view.state === "running";
    const latest = before ? said.slice(-4) : [];
    if (turned) latest.push(t("skip-bo.log.your_turn"));
    if (latest.length) byId("told").textContent = latest.join(" ");
  }

  showStatus() {
    const view = this.view;
    if (!view) return;
    const status = byId("status");
    const own = view.turn !== null && view.turn === view.seat;
    let words = "";
    if (!this.connected) words = t("skip-bo.status.lost_connection");
    else if (view.state === "over") words = t("skip-bo.status.over");
    else if (own && this.table.held) words = t("skip-bo.status.pick");
    else if (own) words = t("skip-bo.status.your_turn");
    else if (view.turn !== null) {
      const seat = view.seats[view.turn];
      const absent = seat.agent === null && !seat.present;
      words = t(`skip-bo.status.${absent ? "absent" : "turn"}`, { name: nameOf(view, view.turn) });
    }
    if (status.textContent !== words) status.textContent = words;
    document.title = own && view.state === "running" ? `● ${TITLE}` : TITLE;
    status.classList.toggle("mine", own && this.connected && view.state === "running");
    status.classList.toggle("trouble", !this.connected);
  }

  // What people do.

  async send(move) {
    this.coach.made?.(this.view, move);
    try {
      this.receive(await this.ask("moves", { move: move.move, after: this.view.number }));
    } catch (error) {
      tellOfMatch(error);
      if (error.code === "stale" || error.code === "not-your-seat") this.connection.open();
    } finally {
      this.table.unlock();
    }
  }

  async hint() {
    const button = byId("hint");
    if (this.view?.turn !== this.view?.seat) {
      notify(t("skip-bo.failures.not-your-turn"), "", "info");
      return;
    }
    button.disabled = true;
    try {
      const found = await this.ask("hint");
      while (this.working) await pause(50);
      const move = this.view.legal.find((one) => one.move === found.move);
      if (!move || found.after !== this.view.number) return;
      if (move.source === "none") byId("told").textContent = t("skip-bo.tools.hint_pass");
      else {
        this.table.hint(move);
        const discards = "abcd".includes(move.target);
        const places = { card: aCard(move.card), from: t(`skip-bo.from.${move.source}`), pile: move.target };
        const words = t(`skip-bo.tools.${discards ? "hint_discard" : "hint_lay"}`, places);
        byId("told").textContent = words;
        byId("status").textContent = words;
      }
    } catch (error) {
      tellOfMatch(error);
    } finally {
      button.disabled = false;
      button.focus();
    }
  }

  async replace(seat) {
    try {
      this.receive(await this.ask(`seats/${seat}/program`));
    } catch (error) {
      tellOfMatch(error);
    }
  }

  askToLeave() {
    const { seats, seat } = this.view;
    const others = seats.some((one, number) => number !== seat && one.agent === null && one.taken);
    const how = seats.length === 2 ? "leave_two" : others ? "leave_more" : "leave_last";
    byId("leaving-text").textContent = t(`skip-bo.tools.${how}`);
    byId("leaving").showModal();
  }

  async leave() {
    byId("leaving").close();
    try {
      const after = await this.ask("resign");
      keepFarewell(this.view.state === "waiting" && after.state === "over" ? "cancelled" : "left");
    } catch (error) {
      tellOfMatch(error);
      return;
    }
    forgetMatch(this.match);
    location.href = "/skip-bo";
  }

  async again() {
    try {
      if (this.view.seat === null) {
        const seats = this.view.seats.map((seat) => ({ agent: seat.agent }));
        const made = await post("/api/matches", { game: this.view.game, seats });
        keepMatch(made.match, made);
        location.href = `/skip-bo/${made.match}`;
      } else this.follow((await this.ask("again")).match);
    } catch (error) {
      tellOfMatch(error);
    }
  }

  /** To the match that the same players have begun: the token is the same. */
  follow(next) {
    if (this.token) keepMatch(next, { token: this.token });
    location.href = `/skip-bo/${next}`;
  }

  setPaused(paused) {
    this.paused = paused;
    if (!paused) this.steps = 0;
    byId("pause").textContent = t(`skip-bo.watch.${paused ? "go_on" : "pause"}`);
    if (!paused) this.work();
  }

  /** The end: who has won, with an animation for who took part. */
  finish() {
    if (this.ended) return;
    this.ended = true;
    const { view } = this;
    const { winner, reason, points } = view.result;
    const name = winner === null ? "" : nameOf(view, winner);
    let what = "over";
    if (winner === null) what = reason === "drawn" ? "drawn" : "abandoned";
    else if (winner === view.seat) what = "won";
    else if (view.seat !== null) what = "lost";
    const left = reason === "left" ? "_left" : "_text";
    const count = view.seat === null ? 0 : view.seats[view.seat].stock;
    byId("result-title").textContent = t(`skip-bo.result.${what}`, { name });
    const ending = what === "won" || what === "lost" ? left : "_text";
    byId("result-text").textContent = t(`skip-bo.result.${what}${ending}`, { name, points, count });
    byId("result-again").hidden = byId("again").hidden;
    const scene = byId("scene");
    if (what === "won") celebrate(scene);
    else if (what === "lost") commiserate(scene);
    else clearScene(scene);
    const title = byId("result-title").textContent;
    byId("told").textContent = `${title}${/[.!?]$/.test(title) ? "" : "."} ${byId("result-text").textContent}`;
    byId("leaving").close();
    byId("result").dataset.what = what;
    byId("result").showModal();
  }
}

/** Whether programs play among themselves. @param {View} view */
function isWatched(view) {
  return view.seats.every((seat) => seat.agent !== null && !seat.left);
}
