// Texts in the language of the page, as the server put them there.

const texts = JSON.parse(document.getElementById("texts").textContent);

/** The language of the page: "en" or "de". */
export const language = document.documentElement.lang;

/**
 * The text with this path (`AREA.group.name`); `{places}` are filled in.
 * @param {string} key
 * @param {Record<string, string | number>} [places]
 * @returns {string}
 */
export function t(key, places = {}) {
  let found = texts;
  for (const part of key.split(".")) found = found?.[part];
  if (typeof found !== "string") {
    console.error(`No text ${key}`);
    return key;
  }
  return found.replace(/\{(\w+)\}/g, (whole, name) => (name in places ? String(places[name]) : whole));
}

/** Whether there is such a text. @param {string} key @returns {boolean} */
export function hasText(key) {
  return typeof key.split(".").reduce((found, part) => found?.[part], texts) === "string";
}

/** A number as people of this language write it. @param {number} value @param {number} [digits] */
export function formatNumber(value, digits = 0) {
  return value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
