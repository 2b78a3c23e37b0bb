// Setting a table, and the matches that this browser takes part in.

import { get, post } from "../api.js";
import { byId, html, notify } from "../dom.js";
import { t } from "../text.js";
import { back, face } from "./cards.js";
import { tellOfMatch } from "./game.js";
import { forgetMatch, keepMatch, keepName, keptMatches, keptName, showing, takeFarewell } from "./seats.js";
import { nameOf, programName } from "./words.js";

const FEWEST = 2;
const MOST = 6;
const DEFAULT = "skipbo-basic";
/** @type {{level: string, spec: string}[]} */
let programs = [];

/** @typedef {{kind: string, name: string, spec: string}} Wish  kind: me, friend, other, or a spec */
/** @type {Wish[]} */
const wishes = [wish("me"), opponent()];

function wish(kind) {
  return { kind, name: kind === "me" ? keptName() : "", spec: "" };
}

/** The other seat: a program that the address names (`?p2=SPEC`), or the usual one. */
function opponent() {
  const spec = new URLSearchParams(location.search).get("p2");
  return spec ? { kind: "other", name: "", spec: spec.slice(0, 300) } : wish(DEFAULT);
}

function showSeats() {
  const list = byId("seats");
  list.replaceChildren(...wishes.map(seatRow));
  byId("add").disabled = wishes.length >= MOST;
  byId("only-programs").hidden = wishes.some((one) => one.kind === "me" || one.kind === "friend");
}

function seatRow(one, index) {
  const number = index + 1;
  const row = html("li", { class: "row" });
  const choice = html("select", { "data-seat": index });
  const others = wishes.some((other) => other !== one && other.kind === "me");
  if (!others) choice.append(new Option(t("skip-bo-setup.me"), "me"));
  choice.append(new Option(t("skip-bo-setup.friend"), "friend"));
  for (const { level, spec } of programs) {
    const words = t(`common.opponents.${level}`);
    choice.append(new Option(t("skip-bo-setup.program", { name: programName(spec), words }), spec));
  }
  choice.append(new Option(t("skip-bo-setup.other"), "other"));
  choice.value = one.kind;
  choice.addEventListener("change", () => {
    one.kind = choice.value;
    one.name = one.kind === "me" ? keptName() : "";
    showSeats();
    byId("seats").querySelector(`[data-seat="${index}"]`).focus();
  });
  row.append(html("label", {}, t("skip-bo-setup.who", { number }), choice));
  if (one.kind === "me" || one.kind === "friend") {
    const words = t(`skip-bo-setup.${one.kind === "me" ? "name" : "friend_name"}`);
    const name = html("input", { maxlength: 30, value: one.name, autocomplete: one.kind === "me" ? "nickname" : "off" });
    name.addEventListener("input", () => (one.name = name.value));
    row.append(html("label", {}, words, name));
  } else if (one.kind === "other") {
    const spec = html("input", { maxlength: 300, value: one.spec, required: true, placeholder: "skipbo-mature:block=always", spellcheck: "false" });
    spec.addEventListener("input", () => (one.spec = spec.value));
    row.append(html("label", {}, t("skip-bo-setup.spec"), spec));
  }
  if (wishes.length > FEWEST) {
    const remove = html("button", { type: "button", class: "quiet remove", text: "×", "aria-label": t("skip-bo-setup.remove", { number }) });
    remove.addEventListener("click", () => {
      wishes.splice(index, 1);
      showSeats();
      byId("add").focus();
    });
    row.append(remove);
  }
  return row;
}

/** What is sent for a seat. @param {Wish} one */
function seatOf(one) {
  if (one.kind === "me" || one.kind === "friend") return { person: one.name.trim(), invited: one.kind === "friend" };
  return { agent: one.kind === "other" ? one.spec.trim() : one.kind };
}

async function start(event) {
  event.preventDefault();
  const mine = wishes.find((one) => one.kind === "me");
  if (mine) keepName(mine.name.trim());
  const wilds = byId("wilds").checked ? ",wilds=yes" : "";
  const people = wishes.some((one) => one.kind === "me" || one.kind === "friend");
  const body = { game: `skip-bo:stock=${byId("stock").value}${wilds}`, seats: wishes.map(seatOf) };
  if (people) body.pause = Number(byId("pace").value);
  try {
    const made = await post("/api/matches", body);
    keepMatch(made.match, { token: made.token, seat: made.seat, invitations: made.invitations });
    location.href = `/skip-bo/${made.match}`;
  } catch (error) {
    tellOfMatch(error);
  }
}

/** The matches of this browser, the latest first. */
async function showMatches() {
  const kept = Object.entries(keptMatches()).sort(([, a], [, b]) => b.made - a.made).slice(0, 12);
  const rows = await Promise.all(
    kept.map(async ([match, { token }]) => {
      try {
        return matchRow(match, await get(`/api/matches/${encodeURIComponent(match)}`, {}, showing(token)));
      } catch (error) {
        if (error.status === 404 || error.status === 403) forgetMatch(match);
        return null;
      }
    }),
  );
  byId("matches").replaceChildren(...rows.filter(Boolean));
  byId("mine").hidden = !rows.some(Boolean);
}

function matchRow(match, view) {
  const players = view.seats.map((_, seat) => (seat === view.seat ? t("skip-bo.you") : nameOf(view, seat))).join(", ");
  const state = view.state === "running" && view.turn === view.seat ? "yours" : view.state;
  const left = view.seats.map((seat) => seat.stock).join(" : ");
  const row = html(
    "li",
    { "data-state": state },
    html("a", { href: `/skip-bo/${match}` }, html("strong", { text: players }), html("span", { class: "soft", text: `${t(`skip-bo-setup.${state}`)} · ${left}` })),
  );
  const forget = html("button", { class: "quiet", text: "×", "aria-label": t("skip-bo-setup.forget", { players }) });
  forget.addEventListener("click", () => {
    forgetMatch(match);
    row.remove();
    byId("mine").hidden = !byId("matches").childElementCount;
  });
  row.append(forget);
  return row;
}

byId("fan").append(...[back(), face(3), face(8), face(12), face(13)].map((card, index) => {
  card.style.setProperty("--i", index);
  return card;
}));
byId("setup").addEventListener("submit", start);
byId("add").addEventListener("click", () => {
  wishes.push(wish(DEFAULT));
  showSeats();
  byId("seats").lastChild.querySelector("select").focus();
});
const farewell = takeFarewell();
if (farewell) notify(t(`skip-bo-setup.${farewell}`), "", "info");
showMatches();
get("/api/opponents", { game: "skip-bo" })
  .then((found) => {
    programs = found;
    showSeats();
  })
  .catch(tellOfMatch);
