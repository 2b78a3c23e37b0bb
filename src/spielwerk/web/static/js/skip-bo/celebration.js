// How a match ends: cards dance for the winner, a house of cards falls for the others.

import { html } from "../dom.js";
import { back, face } from "./cards.js";

/** @param {Element} scene */
export function celebrate(scene) {
  scene.className = "scene won";
  const cards = Array.from({ length: 14 }, (_, index) => {
    const card = html("span", { class: "dancer" }, face(index % 13 === 12 ? 13 : (index % 12) + 1));
    card.style.setProperty("--i", String(index));
    card.style.setProperty("--x", `${((index * 37) % 100) - 50}`);
    card.style.setProperty("--turn", `${((index * 83) % 120) - 60}deg`);
    return card;
  });
  scene.replaceChildren(...cards, html("span", { class: "crown" }, face(13)));
}

/** @param {Element} scene */
export function commiserate(scene) {
  scene.className = "scene lost";
  const house = [];
  for (const [floor, places] of [[0, [-2, 0, 2]], [1, [-1, 1]], [2, [0]]]) {
    for (const x of places) {
      for (const lean of [-1, 1]) {
        const card = html("span", { class: "wall" }, back());
        card.style.setProperty("--x", String(x + lean * 0.48));
        card.style.setProperty("--y", String(floor));
        card.style.setProperty("--lean", `${-lean * 16}deg`);
        card.style.setProperty("--fall", `${lean * (60 + 25 * floor)}deg`);
        card.style.setProperty("--i", String(house.length));
        house.push(card);
      }
    }
  }
  scene.replaceChildren(...house);
}

/** @param {Element} scene */
export function clearScene(scene) {
  scene.className = "scene";
  scene.replaceChildren();
}
