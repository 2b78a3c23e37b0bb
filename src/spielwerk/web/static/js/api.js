// Talking to the server.

import { notify } from "./dom.js";
import { hasText, t } from "./text.js";

/** What the server says when something is wrong: a code and a sentence in English. */
export class Failure extends Error {
  /** @param {string} code @param {string} message @param {number} status */
  constructor(code, message, status) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/**
 * @param {string} path @param {RequestInit} [options]
 * @returns {Promise<any>} the JSON of the answer; a Failure if there is none
 */
async function ask(path, options = {}) {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Failure("unreachable", "", 0);
  }
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Failure(body.error ?? "unreachable", body.message ?? "", answer.status);
  return body;
}

/** @param {string} path @param {Record<string, any>} [query] @param {RequestInit} [options] */
export function get(path, query = {}, options = {}) {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ""));
  return ask(search.size ? `${path}?${search}` : path, options);
}

/** @param {string} path @param {any} body @param {RequestInit} [options] */
export function post(path, body, options = {}) {
  const headers = { "Content-Type": "application/json", ...options.headers };
  return ask(path, { ...options, method: "POST", headers, body: JSON.stringify(body) });
}

/** Whether a request was taken back by ourselves. @param {any} error */
export function isAborted(error) {
  return error?.name === "AbortError";
}

/** Tell people what went wrong, in their language. @param {any} error */
export function tell(error) {
  if (isAborted(error)) return;
  if (!(error instanceof Failure)) throw error;
  const key = `common.failures.${error.code}`;
  notify(hasText(key) ? t(key) : t("common.failures.other"), error.message);
}

/** A WebSocket of this server. @param {string} path @returns {WebSocket} */
export function socket(path) {
  const url = new URL(path, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return new WebSocket(url);
}
