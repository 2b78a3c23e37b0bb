// The seats that this browser has. Tokens stay here: they are sent to the server, never in an address.

const KEY = "skip-bo.matches";
const MOST = 50;

/**
 * @typedef {{token: string | null, seat: number | null, made: number,
 *   invitations?: {seat: number, invitation: string}[]}} Kept
 */

/** @returns {Record<string, Kept>} */
export function keptMatches() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

function write(matches) {
  const latest = Object.entries(matches).sort(([, a], [, b]) => b.made - a.made).slice(0, MOST);
  localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(latest)));
}

/** @param {string} match @returns {Kept | undefined} */
export function keptMatch(match) {
  return keptMatches()[match];
}

/** @param {string} match @param {Partial<Kept>} kept */
export function keepMatch(match, kept) {
  const matches = keptMatches();
  matches[match] = { token: null, seat: null, made: Date.now(), ...matches[match], ...kept };
  write(matches);
}

/** @param {string} match */
export function forgetMatch(match) {
  const matches = keptMatches();
  delete matches[match];
  write(matches);
}

/** How this browser left a match, to be told in the lobby. @param {"left" | "cancelled"} how */
export function keepFarewell(how) {
  sessionStorage.setItem("skip-bo.farewell", how);
}

/** How this browser has just left a match, told once. @returns {string | null} */
export function takeFarewell() {
  const how = sessionStorage.getItem("skip-bo.farewell");
  sessionStorage.removeItem("skip-bo.farewell");
  return how;
}

/** The name that people gave last. */
export function keptName() {
  return localStorage.getItem("skip-bo.name") ?? "";
}

/** @param {string} name */
export function keepName(name) {
  localStorage.setItem("skip-bo.name", name);
}

/** Headers that show the token of a seat. @param {string | null | undefined} token */
export function showing(token) {
  return token ? { headers: { Authorization: `Bearer ${token}` } } : {};
}
