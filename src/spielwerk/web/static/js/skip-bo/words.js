// What happens, in words.

import { hasText, t } from "../text.js";
import { WILD } from "./cards.js";

/** @typedef {import("./types.js").View} View @typedef {import("./types.js").Event} Event */

/** What a program is called. @param {string} spec */
export function programName(spec) {
  const key = `skip-bo.programs.${spec}`;
  return hasText(key) ? t(key) : spec;
}

/** What the player in a seat is called. @param {View} view @param {number} seat */
export function nameOf(view, seat) {
  const one = view.seats[seat];
  const person = one.name || t("skip-bo.seat", { number: seat + 1 });
  if (one.agent === null) return person;
  const program = programName(one.agent);
  if (one.left) return t("skip-bo.for_somebody", { program, name: person });
  const alike = view.seats.filter((other) => other.agent === one.agent && !other.left);
  return alike.length > 1 ? `${program} ${alike.indexOf(one) + 1}` : program;
}

/** A card by name: "7", "wild". @param {number} card */
export function cardName(card) {
  return t(`skip-bo.card.${card}`);
}

/** "a 7", "a wild as 7". @param {number} card @param {number} [value] */
export function aCard(card, value = 0) {
  return card === WILD && value ? t("skip-bo.wild_as", { value }) : t(`skip-bo.a_card.${card}`);
}

/** A move in a sentence, and what came of it. @param {Event} event @param {View} view after it */
export function sayEvent(event, view) {
  const own = event.seat === view.seat;
  const name = nameOf(view, event.seat);
  const key = (word) => `skip-bo.log.${word}${own ? "_you" : ""}`;
  const said = [];
  if (event.target === "none") said.push(t(key("pass"), { name }));
  else if (event.value) {
    const card = aCard(event.card, event.value);
    said.push(t(key("lay"), { name, card, from: t(`skip-bo.from.${event.source}`), pile: event.target }));
  } else said.push(t(key("discard"), { name, card: aCard(event.card), pile: event.target }));
  if (event.completed) said.push(t("skip-bo.log.completed"));
  if (event.drawn) said.push(t(key("drew"), { name, count: event.drawn }));
  if (event.shuffled) said.push(t("skip-bo.log.shuffled"));
  return said.join(" ");
}
