// Stones: two colours, and a sign on each, so that nobody needs the colour.

import { svg } from "../dom.js";

/** @param {number} owner 1 or 2 @param {number} radius @returns {any} */
export function makeStone(owner, radius) {
  const r = radius * 0.36;
  const sign =
    owner === 1
      ? svg("circle", { class: "sign", r })
      : svg("path", { class: "sign", d: `M${-r} ${-r}L${r} ${r}M${-r} ${r}L${r} ${-r}` });
  return svg(
    "g",
    { class: `stone ${owner === 1 ? "first" : "second"}` },
    svg("circle", { class: "body", r: radius }),
    svg("circle", { class: "rim", r: radius * 0.78 }),
    sign,
  );
}
