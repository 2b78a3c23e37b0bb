// The keyboard. A letter that names a move is a move; other letters are commands.

import { byId } from "./dom.js";

const KEPT = "shortcuts";

/**
 * @param {() => string[]} moves  names of the moves
 * @param {(move: string) => void} choose
 * @param {Record<string, string>} buttons  key → id of the button that it presses
 * @param {() => void} enter  puts the cursor on the board
 */
export function listenToKeys(moves, choose, buttons, enter) {
  const box = byId("shortcuts");
  box.checked = localStorage.getItem(KEPT) !== "off";
  box.addEventListener("change", () => localStorage.setItem(KEPT, box.checked ? "on" : "off"));
  document.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (target.closest("input, select, textarea")) return;
    if (event.key === "Escape") press("cancel");
    if (!box.checked) return;
    if (moves().includes(event.key)) choose(event.key);
    else if (event.key in buttons) press(buttons[event.key]);
    else if (event.key.startsWith("Arrow") && (target === document.body || target.id === "main")) enter();
    else return;
    event.preventDefault();
  });
}

/** @param {string} id */
function press(id) {
  const button = byId(id);
  if (button && button.getAttribute("aria-disabled") !== "true" && !button.disabled && button.offsetParent !== null) button.click();
}
