// Making and finding elements.

import { t } from "./text.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {Record<string, any>} Attributes  `on*` are listeners, `text` is the content, `class` the
 *   class; `true` sets an empty attribute, `false` and `null` none.
 */

/**
 * An HTML element.
 * @param {string} name @param {Attributes} [attributes] @param {...(Node | string)} children
 * @returns {any}
 */
export function html(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/**
 * An SVG element.
 * @param {string} name @param {Attributes} [attributes] @param {...(Node | string)} children
 * @returns {any}
 */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(element, attributes, children) {
  set(element, attributes);
  element.append(...children);
  return element;
}

/** Set attributes of an element. @param {Element} element @param {Attributes} attributes */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") element.textContent = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : value);
  }
}

/** The element with this id. @param {string} id @returns {any} */
export function byId(id) {
  return document.getElementById(id);
}

/**
 * Keep one element per item: new ones are made, changed ones updated, others removed. Elements stay
 * the same as long as their key does, so that CSS can animate them.
 * @template T
 * @param {Element} parent @param {T[]} items @param {(item: T) => string} key
 * @param {(item: T) => Element} make @param {(element: any, item: T) => void} [update]
 */
export function keyed(parent, items, key, make, update = () => {}) {
  const old = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  for (const item of items) {
    const name = key(item);
    let element = old.get(name);
    if (element) old.delete(name);
    else {
      element = make(item);
      element.dataset.key = name;
    }
    update(element, item);
    if (element.parentNode !== parent) parent.append(element);
  }
  for (const gone of old.values()) gone.remove();
}

let hiding = 0;

/**
 * Tell something at the bottom of the page; errors are read out at once.
 * @param {string} message @param {string} [detail] @param {"error" | "info"} [kind]
 */
export function notify(message, detail = "", kind = "error") {
  const notice = byId("notice");
  notice.dataset.kind = kind;
  const close = html("button", { class: "quiet close", type: "button", text: "×", "aria-label": t("common.close"), onclick: clearNotice });
  notice.replaceChildren(message, close, ...(detail ? [html("small", { lang: "en", text: detail })] : []));
  clearTimeout(hiding);
  hiding = setTimeout(() => notice.replaceChildren(), 6000 + 40 * (message.length + detail.length));
}

/** Take the notice away. */
export function clearNotice() {
  byId("notice").replaceChildren();
}
