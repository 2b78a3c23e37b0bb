// The moves of a board as buttons: the same for mouse, touch, keyboard and screen readers.

import { html, keyed, set } from "../dom.js";

/**
 * @typedef {object} Choice
 * @property {string} name    of the move
 * @property {string} label   what it is called
 * @property {boolean} can    whether it may be chosen now
 * @property {string} [text]  what stands on the button
 */

/**
 * A group of buttons of which one can be reached by Tab, the others by the arrow keys.
 * @param {string} label of the group @param {(name: string, event: Event) => void} choose
 * @param {(name: string | null) => void} [look]  told which button the mouse or the cursor is on
 */
export function makeChoices(label, choose, look = () => {}) {
  const group = html("div", { class: "choices", role: "group", "aria-label": label });
  let cols = 1;
  /** The move that Tab leads to. */ let current = "";
  /** @returns {HTMLButtonElement[]} */
  const all = () => /** @type {any} */ ([...group.children]);

  group.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const steps = /** @type {Record<string, number>} */ ({
      ArrowLeft: -1, ArrowRight: 1, ArrowUp: -cols, ArrowDown: cols, Home: -Infinity, End: Infinity,
    });
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    const buttons = all();
    const now = buttons.indexOf(/** @type {any} */ (document.activeElement));
    const next = Number.isFinite(step) ? now + step : step < 0 ? 0 : buttons.length - 1;
    if (buttons[next]) focus(buttons[next]);
    event.preventDefault();
    event.stopPropagation();
  });

  /** @param {HTMLButtonElement} button */
  function focus(button) {
    button.focus();
    settle(button);
  }

  /** @param {HTMLButtonElement} button */
  function settle(button) {
    current = button.dataset.move ?? "";
    for (const other of all()) other.tabIndex = other === button ? 0 : -1;
  }

  /** @param {Choice} choice */
  function make(choice) {
    const button = html("button", { type: "button", class: "choice", "data-move": choice.name });
    button.addEventListener("click", (/** @type {Event} */ event) => button.getAttribute("aria-disabled") !== "true" && choose(choice.name, event));
    button.addEventListener("pointerenter", () => look(choice.name));
    button.addEventListener("focus", () => button.matches(":focus-visible") && look(choice.name));
    for (const event of ["pointerleave", "blur"]) button.addEventListener(event, () => look(null));
    return button;
  }

  return {
    element: group,
    /** @param {Choice[]} choices @param {number} columns */
    show(choices, columns) {
      cols = columns;
      keyed(group, choices, (choice) => choice.name, make, (button, choice) => {
        set(button, { "aria-label": choice.label, "aria-disabled": String(!choice.can) });
        if (choice.text !== undefined && button.textContent !== choice.text) button.textContent = choice.text;
      });
      const buttons = all();
      settle(buttons.find((button) => button.dataset.move === current) ?? buttons[Math.floor(buttons.length / 2)]);
    },
    /** Put the cursor on the board. */
    focus() {
      const button = all().find((one) => one.tabIndex === 0);
      if (button) focus(button);
    },
  };
}
