// A position as an address: what is in the URL, and what is made of it.

/**
 * @typedef {object} Address
 * @property {string} game      spec, e.g. "connectx:5x4,k=3"
 * @property {string} start     start position, "" for the usual one
 * @property {string} moves
 * @property {[string, string] | null} players  specs, "human" for people; null: nobody has chosen
 * @property {0 | 1 | 2} resigned  who has given up
 * @property {string} analysis  the program that analyses, "" if none does
 */

/** A person, among the specs of programs. */
export const PERSON = "human";

const USUAL = { "connect-four": "connect-four", connectx: "connectx:5x6,k=4", "tic-tac-toe": "tic-tac-toe", nim: "nim" };

/** The page that a game belongs to, undefined for games that have none here. @param {string} game */
export function pageOf(game) {
  const name = game.split(":")[0];
  return name in USUAL ? name : undefined;
}

/** @param {string} kind @param {URLSearchParams} query @returns {string} */
function gameOf(kind, query) {
  const game = query.get("game");
  if (game) return game;
  const options = (kind === "connectx" ? ["rows", "cols", "k"] : kind === "nim" ? ["n", "k"] : [])
    .filter((name) => query.get(name))
    .map((name) => `${name}=${query.get(name)}`);
  return options.length ? `${kind}:${options.join(",")}` : USUAL[kind];
}

/** What an address says. @param {string} kind the page @param {string} search @returns {Address} */
export function readAddress(kind, search) {
  const query = new URLSearchParams(search);
  const chosen = [query.get("p1"), query.get("p2")];
  const resigned = query.get("resigned");
  return {
    game: gameOf(kind, query),
    start: query.get("start") ?? "",
    moves: query.get("moves") ?? "",
    players: chosen.some(Boolean) ? [chosen[0] || PERSON, chosen[1] || PERSON] : null,
    resigned: resigned === "1" ? 1 : resigned === "2" ? 2 : 0,
    analysis: query.get("analysis") ?? "",
  };
}

/** The address of a position, path and all. @param {string} kind @param {Address} address @returns {string} */
export function writeAddress(kind, address) {
  const query = new URLSearchParams();
  if (address.game !== USUAL[kind]) query.set("game", address.game);
  if (address.start) query.set("start", address.start);
  if (address.moves) query.set("moves", address.moves);
  if (address.players) {
    query.set("p1", address.players[0]);
    query.set("p2", address.players[1]);
  }
  if (address.resigned) query.set("resigned", String(address.resigned));
  if (address.analysis) query.set("analysis", address.analysis);
  // These may stand in a query as they are, and read better so.
  const written = String(query).replace(/%3A/g, ":").replace(/%2C/g, ",").replace(/%2F/g, "/").replace(/%3D/g, "=");
  return written ? `/${kind}?${written}` : `/${kind}`;
}
