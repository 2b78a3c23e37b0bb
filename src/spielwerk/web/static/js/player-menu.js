// Choosing a player: from the menu, or any program by its spec.

import { PERSON } from "./address.js";
import { html } from "./dom.js";
import { t } from "./text.js";

const OTHER = "other";

/**
 * @param {HTMLElement} element  with a select.who and a form.spec that has an input.text
 * @param {boolean} people  whether a person may be chosen
 * @param {(spec: string) => Promise<boolean>} choose  says whether there is such a player
 */
export function makePlayerMenu(element, people, choose) {
  /** @type {any} */ const select = element.querySelector("select.who");
  /** @type {any} */ const form = element.querySelector("form.spec");
  /** @type {any} */ const input = element.querySelector("input.text");
  let shown = "";
  let now = "";

  select.addEventListener("change", async () => {
    const other = select.value === OTHER;
    form.hidden = !other;
    if (other) {
      if (!input.value && now !== PERSON) input.value = now;
      input.focus();
    } else if (!(await choose(select.value))) select.value = now;
  });
  form.addEventListener("submit", async (/** @type {Event} */ event) => {
    event.preventDefault();
    const spec = input.value.trim();
    if (spec) input.setAttribute("aria-invalid", String(!(await choose(spec))));
  });

  return {
    /** @param {{level: string, spec: string}[]} menu @param {string} spec who it is now */
    show(menu, spec) {
      const key = JSON.stringify([menu, spec]);
      if (key === shown) return;
      shown = key;
      now = spec;
      const entries = menu.map(({ level, spec: value }) => html("option", { value, text: t(`common.opponents.${level}`) }));
      if (people) entries.unshift(html("option", { value: PERSON, text: t("common.opponents.person") }));
      select.replaceChildren(...entries, html("option", { value: OTHER, text: t("common.opponents.other") }));
      const known = entries.some((entry) => entry.value === spec);
      select.value = known ? spec : OTHER;
      form.hidden = known;
      if (!known) input.value = spec;
      input.removeAttribute("aria-invalid");
    },
  };
}
