// The page of a match: an invitation to answer, a room to wait in, then the table.

import { get, post } from "../api.js";
import { byId, html } from "../dom.js";
import { t } from "../text.js";
import { Game, tellOfMatch } from "./game.js";
import { keepMatch, keepName, keptMatch, keptName } from "./seats.js";
import { nameOf } from "./words.js";

const match = decodeURIComponent(location.pathname.split("/").pop());
const link = new URLSearchParams(location.hash.slice(1));
const invitation = link.get("invitation");
const kept = keptMatch(match);

if (invitation) byId("language").hash = location.hash; // not lost by another language

if (invitation && !kept?.token) invite();
else begin(kept?.token ?? null);

/** Ask whoever has come by a link for their name. */
async function invite() {
  let view;
  try {
    view = await get(`/api/matches/${encodeURIComponent(match)}`);
  } catch (error) {
    if (error.status === 404) byId("missing").hidden = false;
    else tellOfMatch(error);
    return;
  }
  const dead = whyDead(view);
  byId("look-on").addEventListener("click", () => begin(null));
  if (dead) {
    showDead(dead);
    return;
  }
  const names = view.seats.flatMap((seat, number) => (seat.taken ? [nameOf(view, number)] : []));
  byId("invited-by").textContent = t("skip-bo.invitation.text", { names: names.join(", ") });
  byId("coming-name").value = keptName();
  byId("invitation").hidden = false;
  byId("coming-name").focus();
  byId("coming").addEventListener("submit", (event) => {
    event.preventDefault();
    come(byId("coming-name").value.trim());
  });
}

/**
 * Why nobody can sit down by this link any more; "" if somebody can. The link says which seat it is
 * for; without that, it is dead when no seat is free.
 */
function whyDead(view) {
  if (view.state === "over") return "over";
  const free = (seat) => seat && !seat.taken && seat.agent === null;
  const number = link.has("seat") ? Number(link.get("seat")) - 1 : null;
  const open = number === null ? view.seats.some(free) : free(view.seats[number]);
  return open ? "" : "taken";
}

/** Nothing to accept: one can look on, or make a table. @param {string} why */
function showDead(why) {
  byId("invitation-title").textContent = t(`skip-bo.invitation.${why}`);
  byId("invited-by").textContent = t(`skip-bo.invitation.${why}_text`);
  byId("coming").hidden = true;
  byId("own-table").hidden = false;
  byId("invitation").hidden = false;
  byId("invitation-title").focus();
}

async function come(name) {
  try {
    const taken = await post(`/api/matches/${encodeURIComponent(match)}/seats`, { invitation, name });
    keepName(name);
    keepMatch(match, taken);
    history.replaceState(null, "", location.pathname + location.search);
    begin(taken.token);
  } catch (error) {
    if (error.code === "seat-taken") showDead("taken");
    else if (error.code === "over") showDead("over");
    else tellOfMatch(error);
  }
}

/** @param {string | null} token */
function begin(token) {
  byId("invitation").hidden = true;
  if (token && location.hash) history.replaceState(null, "", location.pathname + location.search);
  const game = new Game(match, token);
  game.waiting = (view) => showWaiting(view, game);
  game.open();
}

/** Who is here, and the links for those who are not. */
function showWaiting(view, game) {
  const links = keptMatch(match)?.invitations ?? [];
  byId("waiting-text").textContent = t(`skip-bo.waiting.${links.length ? "text" : "guest"}`);
  const others = view.seats.some((seat, number) => number !== view.seat && seat.agent === null && seat.taken);
  const cancel = byId("cancel");
  cancel.hidden = view.seat === null;
  cancel.textContent = t(`skip-bo.waiting.${others && view.seats.length > 2 ? "leave" : "cancel"}`);
  cancel.onclick = () => game.leave();
  const key = JSON.stringify(view.seats.map((seat) => [seat.name, seat.taken, seat.present, seat.agent]));
  const list = byId("waiting-seats");
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren(...view.seats.map((seat, number) => waitingSeat(view, seat, number, links, game)));
}

function waitingSeat(view, seat, number, links, game) {
  const state = seat.agent !== null ? "program" : !seat.taken ? "open" : seat.present ? "here" : "away";
  const name = number === view.seat ? `${nameOf(view, number)} (${t("skip-bo.you")})` : nameOf(view, number);
  const item = html(
    "li",
    { "data-state": state },
    html("span", { class: "sign", "aria-hidden": "true", text: { program: "⚙", open: "…", here: "✓", away: "–" }[state] }),
    html("strong", { text: name }),
    html("span", { class: "soft", text: t(`skip-bo.waiting.${state}`) }),
  );
  if (seat.taken) return item;
  const link = links.find((one) => one.seat === number);
  if (link) item.append(linkRow(number, link.invitation));
  if (view.seat !== null) {
    const label = t("skip-bo.tools.replace_label", { name });
    item.append(html("button", { class: "quiet", text: t("skip-bo.tools.replace"), "aria-label": label, onclick: () => game.replace(number) }));
  }
  return item;
}

function linkRow(number, secret) {
  const address = `${location.origin}/skip-bo/${match}#invitation=${secret}&seat=${number + 1}`;
  const input = html("input", { readonly: true, value: address, class: "invitation-link", "aria-label": t("skip-bo.waiting.link", { number: number + 1 }) });
  input.addEventListener("focus", () => input.select());
  const button = html("button", { class: "main", text: t("skip-bo.waiting.copy") });
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(address);
    } catch {
      input.select(); // pages without encryption have no clipboard
      document.execCommand("copy");
    }
    button.textContent = t("skip-bo.waiting.copied");
    byId("told").textContent = t("skip-bo.waiting.copied");
  });
  return html("div", { class: "link-row" }, input, button);
}
