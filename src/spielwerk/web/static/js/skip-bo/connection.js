// The live connection of a table: it comes back by itself, whatever happens to the server.

import { socket } from "../api.js";

const FIRST_WAIT = 400;
const LONGEST_WAIT = 5000;

/** @typedef {import("./types.js").View} View */

export class Connection {
  /**
   * @param {string} match
   * @param {{view: (view: View) => void, state: (connected: boolean) => void,
   *   refused: (code: string) => void}} listener
   */
  constructor(match, listener) {
    this.match = match;
    this.listener = listener;
    /** @type {string | null} */
    this.token = null;
    this.hands = false;
    this.wait = FIRST_WAIT;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.timer = 0;
    addEventListener("online", () => this.open());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && this.timer) this.open();
    });
  }

  /** Connect, or connect anew. */
  open() {
    clearTimeout(this.timer);
    this.timer = 0;
    const old = this.socket;
    this.socket = null;
    old?.close();
    const now = socket(`/api/matches/${encodeURIComponent(this.match)}/live`);
    this.socket = now;
    now.addEventListener("open", () => now.send(JSON.stringify({ token: this.token, hands: this.hands })));
    now.addEventListener("message", (message) => {
      if (now !== this.socket) return;
      this.wait = FIRST_WAIT;
      this.listener.state(true);
      this.listener.view(JSON.parse(message.data));
    });
    now.addEventListener("close", (end) => {
      if (now !== this.socket) return;
      this.socket = null;
      if (end.code === 4403 || end.code === 4404) {
        this.listener.refused(end.reason);
        return;
      }
      this.listener.state(false);
      this.timer = setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    });
  }
}
