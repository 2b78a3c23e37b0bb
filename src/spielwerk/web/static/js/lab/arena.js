// Beginning a tournament.

import { Failure, get, post } from "../api.js";
import { byId, html } from "../dom.js";
import { t } from "../text.js";
import { gameMenu, tellHere } from "./common.js";

const form = byId("begin");

/** @returns {string[]} */
function players() {
  return form.players.value.split("\n").map((/** @type {string} */ line) => line.trim()).filter(Boolean);
}

async function showMenu() {
  try {
    const menu = await get("/api/opponents", { game: form.game.value });
    byId("menu").replaceChildren(
      ...menu.map((/** @type {any} */ one) =>
        html("button", {
          type: "button",
          text: `+ ${t(`common.opponents.${one.level}`)}`,
          title: one.spec,
          onclick: () => (form.players.value = [...new Set([...players(), one.spec])].join("\n")),
        }),
      ),
    );
    byId("wrong").textContent = "";
  } catch (error) {
    byId("menu").replaceChildren();
    wrong(error);
  }
}

/** @param {any} error */
function wrong(error) {
  if (!(error instanceof Failure && error.message) || error.code === "too-many") return tellHere(error);
  byId("wrong").lang = "en";
  byId("wrong").textContent = error.message;
}

gameMenu(form);
form.game.addEventListener("change", showMenu);
form.addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  const button = form.querySelector("button[type=submit]");
  button.disabled = true;
  try {
    const begun = await post("/api/lab/arena", {
      game: form.game.value,
      players: players(),
      games: Number(form.games.value),
      openings: form.openings.value.trim(),
      seed: form.seed.value ? Number(form.seed.value) : null,
    });
    location.href = `/lab/arena/${begun.id}`;
  } catch (error) {
    wrong(error);
    button.disabled = false;
  }
});
showMenu();
