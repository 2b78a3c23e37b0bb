// Cards that move from place to place.

import { html } from "../dom.js";

const EASE = "cubic-bezier(.3,.7,.3,1)";
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether things may move. */
export function mayMove() {
  return !still.matches && !document.hidden;
}

/**
 * Let a picture of a card fly.
 * @param {Element} card @param {DOMRect} from @param {DOMRect} to @param {number} duration
 * @param {number} [delay]
 * @returns {Promise<void>} when it has landed
 */
export async function fly(card, from, to, duration, delay = 0) {
  if (!mayMove() || !from.width || !to.width) return;
  const flying = html("div", { class: "flying", "aria-hidden": "true" }, card);
  Object.assign(flying.style, { left: `${to.left}px`, top: `${to.top}px`, width: `${to.width}px` });
  document.body.append(flying);
  const away = `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${from.width / to.width})`;
  const lift = `translate(${(from.left - to.left) * 0.4}px, ${(from.top - to.top) * 0.4 - 14}px) scale(${1.08 * (0.4 * (from.width / to.width) + 0.6)})`;
  const moving = flying.animate(
    [{ transform: away }, { transform: lift, offset: 0.55 }, { transform: "none" }],
    { duration, delay, easing: EASE, fill: "backwards" },
  );
  await moving.finished.catch(() => {});
  flying.remove();
}

/**
 * Let an element that is where it belongs come from somewhere else.
 * @param {Element} element @param {DOMRect} from @param {number} duration @param {number} [delay]
 */
export function come(element, from, duration, delay = 0) {
  const to = element.getBoundingClientRect();
  if (!mayMove() || !from.width || (from.left === to.left && from.top === to.top)) return;
  const x = from.left + from.width / 2 - (to.left + to.width / 2);
  const y = from.top + from.height / 2 - (to.top + to.height / 2);
  const away = { transform: `translate(${x}px, ${y}px) scale(${from.width / to.width})` };
  element.animate([away, { transform: "none" }], { duration, delay, easing: EASE, fill: "backwards" });
}

/** @param {number} duration milliseconds */
export function pause(duration) {
  return new Promise((done) => setTimeout(done, duration));
}
