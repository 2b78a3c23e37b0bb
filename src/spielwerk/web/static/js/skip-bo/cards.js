// How a card looks. Numbers say what it is; a colour and a mark tell low, middle and high apart.

import { svg } from "../dom.js";

export const WILD = 13;
const STAR = star(0, 0, 1);

/** A five-pointed star. @param {number} x @param {number} y @param {number} size */
function star(x, y, size) {
  const points = [];
  for (let corner = 0; corner < 10; corner++) {
    const far = corner % 2 ? 0.42 * size : size;
    const angle = (corner * Math.PI) / 5 - Math.PI / 2;
    points.push(`${(x + far * Math.cos(angle)).toFixed(2)},${(y + far * Math.sin(angle)).toFixed(2)}`);
  }
  return points.join(" ");
}

/** @param {number} card @returns {"low" | "mid" | "high" | "wild"} */
export function toneOf(card) {
  if (card === WILD) return "wild";
  return card <= 4 ? "low" : card <= 8 ? "mid" : "high";
}

function mark(tone, x, y, size) {
  if (tone === "low") return svg("circle", { cx: x, cy: y, r: size * 0.8 });
  if (tone === "mid") return svg("path", { d: `M${x} ${y - size}l${size} ${1.8 * size}h${-2 * size}z` });
  if (tone === "high") return svg("rect", { x: x - size * 0.8, y: y - size * 0.8, width: 1.6 * size, height: 1.6 * size });
  return svg("polygon", { points: star(x, y, 1.25 * size) });
}

function corner(text, tone, turned) {
  const group = svg("g", { class: "corner", transform: turned ? "rotate(180 30 42)" : null });
  const x = text.length > 1 ? 11.5 : 10;
  if (text) group.append(svg("text", { x, y: 15.5, text }));
  group.append(mark(tone, text ? x : 11, text ? 22 : 12, text ? 2.8 : 4.8));
  return group;
}

/**
 * A card from the front.
 * @param {number} card 1 … 12, or a wild
 * @param {number} [value] what a wild counts where it lies
 * @returns {SVGElement}
 */
export function face(card, value = 0) {
  const tone = toneOf(card);
  const number = card === WILD ? (value ? String(value) : "") : String(card);
  const middle = number
    ? svg("text", { class: number.length > 1 ? "big two" : "big", x: 29.5, y: number.length > 1 ? 51.5 : 53.5, text: number, "text-anchor": "middle" })
    : svg("g", { class: "big", transform: "translate(30 42)" }, svg("polygon", { points: STAR, transform: "scale(17)" }));
  return svg(
    "svg",
    { class: "face", viewBox: "0 0 60 84", "data-tone": tone, "aria-hidden": "true", focusable: "false" },
    svg("rect", { class: "paper", x: 0.75, y: 0.75, width: 58.5, height: 82.5, rx: 7.5 }),
    svg("rect", { class: "body", x: 3.5, y: 3.5, width: 53, height: 77, rx: 5.5 }),
    svg("ellipse", { class: "eye", cx: 30, cy: 42, rx: 20, ry: 31, transform: "rotate(22 30 42)" }),
    middle,
    corner(number, tone, false),
    corner(number, tone, true),
  );
}

let backs = 0;

/** A card from behind. @returns {SVGElement} */
export function back() {
  const lattice = [];
  for (let x = -72; x < 132; x += 12) lattice.push(`M${x} 0l84 84M${x} 84l84-84`);
  const id = `back-${backs++}`;
  return svg(
    "svg",
    { class: "face back", viewBox: "0 0 60 84", "aria-hidden": "true", focusable: "false" },
    svg("clipPath", { id }, svg("rect", { x: 5, y: 5, width: 50, height: 74, rx: 4.5 })),
    svg("rect", { class: "paper", x: 0.75, y: 0.75, width: 58.5, height: 82.5, rx: 7.5 }),
    svg("rect", { class: "body", x: 5, y: 5, width: 50, height: 74, rx: 4.5 }),
    svg("path", { class: "lattice", d: lattice.join(""), "clip-path": `url(#${id})` }),
    svg("circle", { class: "eye", cx: 30, cy: 42, r: 13 }),
    svg("g", { class: "big", transform: "translate(30 42)" }, svg("polygon", { points: STAR, transform: "scale(9)" })),
  );
}
