// The WebSocket of open games: several things may be asked for at once, each answer has a number.

import { Failure, socket } from "./api.js";

/** @type {WebSocket | null} */
let open = null;
let number = 0;
/** @type {Map<number, {answer: (message: any) => void, fail: (error: Failure) => void}>} */
const waiting = new Map();

/** @returns {WebSocket} */
function connection() {
  if (open && open.readyState <= WebSocket.OPEN) return open;
  const made = socket("/api/live");
  made.addEventListener("message", (event) => {
    const message = JSON.parse(event.data);
    const asked = waiting.get(message.id);
    if (message.done) waiting.delete(message.id);
    if (message.error) asked?.fail(new Failure(message.error, message.message, 0));
    else asked?.answer(message);
  });
  made.addEventListener("close", (event) => {
    if (open !== made) return;
    open = null;
    const lost = [...waiting.values()];
    waiting.clear();
    for (const { fail } of lost) fail(new Failure(event.reason || "unreachable", "", 0));
  });
  open = made;
  return made;
}

/** @param {any} message */
function send(message) {
  const to = connection();
  const text = JSON.stringify(message);
  if (to.readyState === WebSocket.OPEN) to.send(text);
  else to.addEventListener("open", () => to.send(text), { once: true });
}

/**
 * Ask for something that is answered bit by bit.
 * @param {any} wish @param {(message: any) => void} answer @param {(error: Failure) => void} fail
 * @returns {() => void} stops it
 */
export function askLive(wish, answer, fail) {
  const id = (number = (number + 1) % 2 ** 31);
  waiting.set(id, { answer, fail });
  send({ ...wish, id });
  return () => {
    if (waiting.delete(id)) send({ do: "stop", id });
  };
}
