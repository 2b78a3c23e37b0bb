// Games in words.

import { t } from "./text.js";

/** What a player is called. @param {any} position @param {number} seat */
export function playerName(position, seat) {
  return t(`games.names.${position.players[seat - 1]}`);
}

/** The number that a move stands for, from 1: a column, a cell, how many are taken. @param {any} position @param {string} move */
export function moveNumber(position, move) {
  return position.names.indexOf(move) + 1;
}

/** A move: "column 4", "cell 5", "takes 2". @param {any} position @param {string} move */
export function moveWords(position, move) {
  return t(`games.move.${position.kind}`, { move, number: moveNumber(position, move) });
}

/** What a move is worth: "wins in 9". @param {{result: string, plies: number | null}} exact */
export function exactWords(exact) {
  return t(`games.exact.${exact.result}`, { plies: exact.plies ?? 0 });
}

/** How long it takes: "5 plies". @param {number} count */
export function plyWords(count) {
  return t(count === 1 ? "games.plies.one" : "games.plies.many", { count });
}

/** Moves one after another, as people call them. @param {any} position @param {string[]} moves */
export function lineWords(position, moves) {
  return position.kind === "nim" ? moves.map((move) => moveWords(position, move)).join(", ") : moves.join(" ");
}

/** What it is about; in Nim with the most that may be taken. @param {string} kind the page @param {any} position */
export function ruleWords(kind, position) {
  if (kind !== "nim") return t(`games.rule.${kind}`);
  return t(position.k === 1 ? "games.rule.nim-one" : "games.rule.nim-many", { k: position.k });
}

/** How a game ended, or who is to move. @param {any} session a Session */
export function statusWords(session) {
  const { position, you } = session;
  const name = (/** @type {number} */ seat) => playerName(position, seat);
  if (session.gaveUp) {
    const key = session.gaveUp === you ? "you" : "other";
    return t(`games.status.resigned-${key}`, { player: name(session.gaveUp), winner: name(session.winner) });
  }
  if (position.outcome === "drawn") return t("games.status.drawn");
  if (position.outcome === "won") {
    const key = !you ? "wins" : you === position.winner ? "you-win" : "you-lose";
    return t(`games.status.${key}`, { player: name(position.winner) });
  }
  const player = name(position.mover);
  if (session.thinking) return t(session.thinking.hint ? "games.status.hint" : "games.status.thinking", { player });
  if (session.programToMove) return t(session.playing ? "games.status.thinking" : "games.status.paused", { player });
  return t(you ? "games.status.your-move" : "games.status.to-move", { player });
}
