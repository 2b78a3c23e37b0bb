// The table: every card in its place, what lights up, and what a click, a key or a drag means.

import { byId, html, set } from "../dom.js";
import { t } from "../text.js";
import { back, face, WILD } from "./cards.js";
import { come, fly, mayMove, pause } from "./flights.js";
import { cardName, nameOf } from "./words.js";

/**
 * @typedef {import("./types.js").View} View @typedef {import("./types.js").Event} Event
 * @typedef {import("./types.js").LegalMove} LegalMove
 */

const OWN_PILES = ["a", "b", "c", "d"];
const BUILDING_PILES = ["1", "2", "3", "4"];
const DRAG_FROM = 8;
const SHOWN = { own: 6, other: 3 };
/** Milliseconds: a card on its way, drawing, between two cards that are drawn. */
const LAY = 320;
const DRAW = 260;
const STAGGER = 55;

export class Table {
  /** @param {{onMove: (move: LegalMove) => void, onReplace: (seat: number) => void, onHold?: () => void}} listener */
  constructor(listener) {
    this.listener = listener;
    /** @type {View | null} */
    this.view = null;
    /** @type {{source: string, card: number, element: Element} | null} */
    this.held = null;
    /** @type {Element | null} */
    this.played = null;
    this.locked = false;
    /** @type {string | null} */
    this.hinted = null;
    /** @type {Map<string, any>} */
    this.slots = new Map();
    this.built = "";
    this.felt = byId("middle").parentElement;
    this.felt.addEventListener("keydown", (event) => this.key(event));
    this.felt.addEventListener("click", (event) => {
      if (!event.target.closest("button, label, select, input")) this.drop();
    });
  }

  // Places.

  /** The element of a place: of a seat's, or in the middle. @param {number | null} seat @param {string} where */
  place(seat, where) {
    return this.slots.get(BUILDING_PILES.includes(where) || where === "draw" || where === "aside" ? where : `${seat}:${where}`);
  }

  /** Make the places anew if other people sit here. @param {View} view */
  build(view) {
    const kind = `${view.seat}/${view.seats.length}`;
    if (this.built === kind) return;
    this.built = kind;
    this.slots.clear();
    const count = view.seats.length;
    const first = view.seat === null ? 0 : view.seat + 1;
    const others = Array.from({ length: view.seat === null ? count : count - 1 }, (_, i) => (first + i) % count);
    byId("others").replaceChildren(...others.map((seat) => this.buildOther(seat)));
    byId("others").dataset.count = String(others.length);
    byId("game").classList.toggle("crowded", others.length > 3);
    byId("middle").replaceChildren(
      this.slot("draw", "div", "draw"),
      ...BUILDING_PILES.map((pile) => this.slot(pile, "button", "pile", pile)),
      this.slot("aside", "div", "aside"),
    );
    const own = byId("own");
    own.hidden = view.seat === null;
    own.replaceChildren();
    if (view.seat === null) return;
    const hand = html("div", { class: "hand", role: "group", "aria-label": t("skip-bo.table.hand") });
    this.slots.set(`${view.seat}:hand`, hand);
    own.append(
      html(
        "div",
        { class: "piles" },
        this.slot(`${view.seat}:stock`, "button", "stock", "stock"),
        ...OWN_PILES.map((pile) => this.slot(`${view.seat}:${pile}`, "button", "discard", pile)),
      ),
      hand,
    );
  }

  buildOther(seat) {
    const hand = html("div", { class: "backs", role: "img" });
    this.slots.set(`${seat}:hand`, hand);
    const panel = html(
      "section",
      { class: "seat", "data-seat": seat },
      html("div", { class: "who" }, html("span", { class: "name" }), hand),
      html(
        "div",
        { class: "piles" },
        this.slot(`${seat}:stock`, "div", "stock"),
        ...OWN_PILES.map((pile) => this.slot(`${seat}:${pile}`, "div", "discard")),
      ),
    );
    this.slots.set(`${seat}:panel`, panel);
    return panel;
  }

  /** A place for cards. With `where` it can be clicked. */
  slot(key, tag, kind, where) {
    const slot = html(tag, { class: `slot ${kind}`, "data-place": where ?? null });
    if (tag === "button") {
      slot.type = "button";
      slot.addEventListener("click", (event) => this.click(event, where, this.topOf(where), slot));
      slot.addEventListener("dblclick", () => this.quick(where, this.topOf(where), slot));
      this.draggable(slot, () => [where, this.topOf(where)]);
    } else slot.setAttribute("role", "img");
    const caption = { draw: t("skip-bo.table.draw_short"), aside: t("skip-bo.table.aside_short"), stock: t("skip-bo.table.stock_short") }[kind] ?? where ?? "";
    slot.append(html("span", { class: "stack" }), html("span", { class: "tag", text: caption }), html("span", { class: "badge" }));
    this.slots.set(key, slot);
    return slot;
  }

  /** The card that an own place would give. */
  topOf(where) {
    const own = this.view?.seats[this.view.seat ?? -1];
    if (!own) return 0;
    if (where === "stock") return own.top;
    return OWN_PILES.includes(where) ? own.discards[OWN_PILES.indexOf(where)].at(-1) ?? 0 : 0;
  }

  // Drawing.

  /** Show a view as it is. @param {View} view */
  render(view) {
    this.build(view);
    this.view = view;
    this.show(this.slots.get("draw"), view.draw ? ["back"] : [], view.draw, t("skip-bo.table.draw", { count: view.draw }));
    this.show(this.slots.get("aside"), view.aside ? ["back"] : [], view.aside, t("skip-bo.table.aside", { count: view.aside }));
    view.piles.forEach((pile, index) => this.renderPile(pile, index));
    view.seats.forEach((seat, number) => (number === view.seat ? this.renderOwn(seat, number) : this.renderOther(seat, number)));
    if (this.held && !this.movesFrom(this.held.source, this.held.card).length) this.held = null;
    this.refresh();
  }

  renderPile(pile, index) {
    const slot = this.slots.get(BUILDING_PILES[index]);
    const cards = [];
    for (let value = Math.max(1, pile.height - 1); value <= pile.height; value++) {
      cards.push(pile.wilds.includes(value) ? `${WILD}/${value}` : `${value}`);
    }
    const top = pile.wilds.includes(pile.height) ? "pile_wild" : "pile_top";
    const words = pile.height ? t(`skip-bo.table.${top}`, { value: pile.height, next: pile.height + 1 }) : t("skip-bo.table.pile_empty");
    this.show(slot, cards, 0, t("skip-bo.table.pile", { pile: index + 1, top: words }));
    slot.dataset.next = String(pile.height + 1);
  }

  renderOwn(seat, number) {
    const stock = seat.stock ? t("skip-bo.table.stock", { card: cardName(seat.top), count: seat.stock }) : t("skip-bo.table.stock_empty");
    this.show(this.slots.get(`${number}:stock`), seat.stock ? [`${seat.top}`] : [], seat.stock, stock);
    OWN_PILES.forEach((pile, index) => {
      const cards = seat.discards[index];
      const words = cards.map(cardName).join(", ") || t("skip-bo.table.discard_empty");
      const label = t("skip-bo.table.discard", { pile, cards: words });
      this.show(this.slots.get(`${number}:${pile}`), cards.slice(-SHOWN.own).map(String), cards.length > SHOWN.own ? cards.length : 0, label);
    });
    this.renderHand(this.slots.get(`${number}:hand`));
  }

  renderHand(hand) {
    hand.dataset.empty = this.view.state === "running" ? t("skip-bo.table.hand_empty") : "";
    const counts = new Map();
    const old = new Map([...hand.children].map((child) => [child.dataset.key, child]));
    let before = null;
    for (const card of this.view.hand) {
      const nth = (counts.get(card) ?? 0) + 1;
      counts.set(card, nth);
      const key = `${card}:${nth}`;
      const element = old.get(key) ?? this.handCard(card, key);
      old.delete(key);
      const place = before ? before.nextSibling : hand.firstChild;
      if (element !== place) hand.insertBefore(element, place);
      before = element;
    }
    for (const gone of old.values()) gone.remove();
  }

  handCard(card, key) {
    const element = html("button", { class: "slot own-card", type: "button", "data-key": key, "data-place": "hand", "data-card": card }, face(card));
    element.addEventListener("click", (event) => this.click(event, "hand", card, element));
    element.addEventListener("dblclick", () => this.quick("hand", card, element));
    this.draggable(element, () => ["hand", card]);
    return element;
  }

  renderOther(seat, number) {
    const name = nameOf(this.view, number);
    const stock = seat.stock ? t("skip-bo.table.stock_of", { name, card: cardName(seat.top), count: seat.stock }) : t("skip-bo.table.stock_empty_of", { name });
    this.show(this.slots.get(`${number}:stock`), seat.stock ? [`${seat.top}`] : [], seat.stock, stock);
    OWN_PILES.forEach((pile, index) => {
      const cards = seat.discards[index];
      const words = cards.map(cardName).join(", ") || t("skip-bo.table.discard_empty");
      const label = t("skip-bo.table.discard_of", { pile, name, cards: words });
      this.show(this.slots.get(`${number}:${pile}`), cards.slice(-SHOWN.other).map(String), 0, label, label);
    });
    const hand = this.slots.get(`${number}:hand`);
    const cards = seat.hand ? seat.hand.map(String) : Array(seat.held).fill("back");
    hand.classList.toggle("open", seat.hand !== null);
    hand.setAttribute("aria-label", t("skip-bo.table.hand_of", { name, count: seat.held }));
    this.fill(hand, cards);
    this.renderPanel(seat, number, name);
  }

  renderPanel(seat, number, name) {
    const panel = this.slots.get(`${number}:panel`);
    panel.setAttribute("aria-label", name);
    panel.classList.toggle("turn", this.view.turn === number && this.view.state === "running");
    panel.classList.toggle("absent", seat.agent === null && !seat.present);
    panel.classList.toggle("person", seat.agent === null);
    const shown = panel.querySelector(".name");
    if (shown.textContent !== name) shown.textContent = name;
    const offered = this.view.state === "running" && this.view.seat !== null && seat.agent === null && !seat.present;
    let button = panel.querySelector("button.replace");
    if (!offered) button?.remove();
    else if (!button) {
      button = html("button", { class: "replace", type: "button", text: t("skip-bo.tools.replace"), onclick: () => this.listener.onReplace(number) });
      button.setAttribute("aria-label", t("skip-bo.tools.replace_label", { name }));
      panel.append(button);
    }
  }

  /** Cards, a number and words for a place. */
  show(slot, cards, count, label, title) {
    this.fill(slot.firstChild, cards);
    slot.lastChild.textContent = count ? String(count) : "";
    slot.classList.toggle("empty", !cards.length);
    slot.dataset.label = label;
    slot.setAttribute("aria-label", label);
    if (title) slot.title = title;
  }

  fill(stack, cards) {
    const key = cards.join(" ");
    if (stack.dataset.cards === key) return;
    stack.dataset.cards = key;
    stack.replaceChildren(
      ...cards.map((card, index) => {
        const [number, value] = card.split("/");
        const element = card === "back" ? back() : face(Number(number), Number(value ?? 0));
        element.style.setProperty("--i", index);
        return element;
      }),
    );
    stack.style.setProperty("--n", cards.length);
  }

  // What may be done.

  /** @returns {LegalMove[]} */
  movesFrom(source, card) {
    if (!this.view || this.locked) return [];
    return this.view.legal.filter((move) => move.source === source && (source !== "hand" || move.card === card));
  }

  /** Light up what can be taken, and where the card that is held can go. */
  refresh() {
    const targets = new Set(this.held ? this.movesFrom(this.held.source, this.held.card).map((move) => move.target) : []);
    for (const element of this.felt.querySelectorAll("button.slot")) {
      const where = element.dataset.place;
      const card = where === "hand" ? Number(element.dataset.card) : this.topOf(where);
      const held = this.held?.element === element;
      const can = this.movesFrom(where, card).length > 0;
      const target = where !== "hand" && targets.has(where);
      const words = where === "hand" ? t("skip-bo.table.hand_card", { card: cardName(card) }) : element.dataset.label;
      element.classList.toggle("can", can && !this.held);
      element.classList.toggle("held", held);
      element.classList.toggle("target", target);
      element.classList.toggle("hinted", target && where === this.hinted);
      const discards = OWN_PILES.includes(where);
      const say = target ? (discards ? "discard_here" : "lay_here") : held ? "held" : can ? "play" : null;
      set(element, { "aria-label": say ? t(`skip-bo.table.${say}`, { place: words }) : words, "aria-pressed": held ? "true" : null });
      set(element, { "aria-disabled": target || can || held ? null : "true" });
    }
    this.felt.classList.toggle("holding", this.held !== null);
    this.listener.onHold?.();
  }

  targetElements() {
    return [...this.felt.querySelectorAll("button.slot.target")];
  }

  pick(source, card, element) {
    this.held = { source, card, element };
    this.hinted = null;
    this.refresh();
  }

  /** Put down what is held. */
  drop() {
    if (!this.held) return;
    this.held = null;
    this.refresh();
  }

  make(move) {
    this.played = this.held?.element ?? null;
    this.held = null;
    this.locked = true;
    this.refresh();
    this.listener.onMove(move);
  }

  /** The server has answered: moves can be made again. */
  unlock() {
    this.locked = false;
    this.played = null;
    this.refresh();
  }

  click(event, where, card, element) {
    if (this.dragged) return;
    const keyboard = event.detail === 0;
    if (this.held && where !== "hand") {
      const move = this.movesFrom(this.held.source, this.held.card).find((one) => one.target === where);
      if (move) {
        this.make(move);
        return;
      }
    }
    if (this.held?.element === element) {
      this.drop();
      return;
    }
    const moves = this.movesFrom(where, card);
    if (!moves.length) this.drop();
    else if (keyboard && moves.length === 1) {
      this.pick(where, card, element);
      this.make(moves[0]);
    } else {
      this.pick(where, card, element);
      if (keyboard) this.targetElements()[0]?.focus();
    }
  }

  /** A double click: on the building pile that is meant, if there is no question which. */
  quick(where, card, element) {
    const moves = this.movesFrom(where, card).filter((move) => BUILDING_PILES.includes(move.target));
    const heights = new Set(moves.map((move) => this.view.piles[Number(move.target) - 1].height));
    if (heights.size !== 1) return;
    this.pick(where, card, element);
    this.make(moves[0]);
  }

  /** Light up a move. @param {LegalMove} move */
  hint(move) {
    const own = this.view.seat;
    const source = move.source === "hand" ? this.felt.querySelector(`.hand [data-card="${move.card}"]`) : this.place(own, move.source);
    if (!source) return;
    this.pick(move.source, move.card, source);
    this.hinted = move.target;
    this.refresh();
  }

  // Keys and dragging.

  key(event) {
    if (event.key === "Escape" && this.held) {
      const { element } = this.held;
      this.drop();
      if (element.isConnected) element.focus();
      event.preventDefault();
      return;
    }
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step || event.target.closest("select, input") || event.altKey || event.ctrlKey || event.metaKey) return;
    const from = center(event.target);
    let best = null;
    let least = Infinity;
    for (const element of this.felt.querySelectorAll("button")) {
      if (element === event.target || !element.getClientRects().length) continue;
      const to = center(element);
      const along = (to.x - from.x) * step[0] + (to.y - from.y) * step[1];
      const aside = Math.abs((to.x - from.x) * step[1]) + Math.abs((to.y - from.y) * step[0]);
      // Left and right stay in the row; up and down may go far to the side.
      if (along < 12 || aside > (step[0] ? 50 : 2.5 * along + 60)) continue;
      const distance = along + 2 * aside;
      if (distance < least) [best, least] = [element, distance];
    }
    if (best) {
      best.focus();
      event.preventDefault();
    }
  }

  draggable(element, what) {
    element.addEventListener("pointerdown", (down) => {
      if (down.button !== 0) return;
      const [source, card] = what();
      if (!this.movesFrom(source, card).length) return;
      if (this.held && this.movesFrom(this.held.source, this.held.card).some((move) => move.target === source)) return;
      this.follow(element, source, card, down);
    });
  }

  follow(element, source, card, down) {
    let ghost = null;
    const moved = (event) => {
      const [x, y] = [event.clientX - down.clientX, event.clientY - down.clientY];
      if (!ghost && Math.hypot(x, y) < DRAG_FROM) return;
      if (!ghost) {
        this.pick(source, card, element);
        const picture = [...element.querySelectorAll(".face")].at(-1);
        const box = picture.getBoundingClientRect();
        ghost = html("div", { class: "flying", "aria-hidden": "true" }, picture.cloneNode(true));
        Object.assign(ghost.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px` });
        document.body.append(ghost);
        element.classList.add("dragged");
      }
      ghost.style.transform = `translate(${x}px, ${y}px) rotate(${Math.max(-8, Math.min(8, x / 12))}deg) scale(1.05)`;
    };
    const end = (event) => {
      element.removeEventListener("pointermove", moved);
      element.removeEventListener("pointerup", end);
      element.removeEventListener("pointercancel", end);
      element.classList.remove("dragged");
      if (!ghost) return;
      const box = ghost.getBoundingClientRect();
      ghost.remove();
      this.dragged = true;
      setTimeout(() => (this.dragged = false));
      const under = event.type === "pointerup" ? document.elementFromPoint(event.clientX, event.clientY)?.closest("button.slot") : null;
      const move = under && this.movesFrom(source, card).find((one) => one.target === under.dataset.place);
      if (!move) {
        this.drop();
        return;
      }
      this.dropped = box;
      this.make(move);
    };
    element.setPointerCapture(down.pointerId);
    element.addEventListener("pointermove", moved);
    element.addEventListener("pointerup", end);
    element.addEventListener("pointercancel", end);
  }

  // Moving.

  /** The card that an event takes away, before it does. @param {Event} event */
  startOf(event) {
    if (this.dropped && event.seat === this.view.seat) {
      const { dropped } = this;
      this.dropped = null;
      return dropped;
    }
    const place = this.place(event.seat, event.source);
    if (event.source === "hand" && event.seat === this.view.seat) {
      const played = this.played?.isConnected ? this.played : place?.querySelector(`[data-card="${event.card}"]`);
      return played?.getBoundingClientRect() ?? null;
    }
    const faces = [...(place?.querySelectorAll(".face") ?? [])];
    const one = event.source === "hand" ? faces[Math.floor(faces.length / 2)] : faces.at(-1);
    return (one ?? place)?.getBoundingClientRect() ?? null;
  }

  /**
   * Show what has happened, and then the view.
   * @param {View} view @param {Event} event @param {number} speed 1: as usual, less: faster
   */
  async play(view, event, speed) {
    const from = this.view && event.target !== "none" ? this.startOf(event) : null;
    const hand = this.slots.get(`${view.seat}:hand`);
    const cards = new Map([...(hand?.children ?? [])].map((card) => [card.dataset.key, card.getBoundingClientRect()]));
    this.render(view);
    if (!mayMove() || speed <= 0) return;
    this.dealt(hand, cards, view, event, speed);
    if (!from) return;
    const slot = this.place(event.seat, event.target);
    const top = event.completed ? null : [...slot.querySelectorAll(".face")].at(-1);
    const to = (top ?? slot).getBoundingClientRect();
    top?.classList.add("arriving");
    await fly(face(event.card, event.value), from, to, LAY * speed);
    top?.classList.remove("arriving");
    slot.classList.add("landed");
    setTimeout(() => slot.classList.remove("landed"), 450);
    if (event.completed) {
      slot.classList.add("completed");
      setTimeout(() => slot.classList.remove("completed"), 900);
      await fly(face(event.card, event.value), to, this.slots.get("aside").getBoundingClientRect(), LAY * speed);
    }
    await pause(40 * speed);
  }

  /** Cards come from the draw pile; those that stay in the hand make room. */
  dealt(hand, before, view, event, speed) {
    const pile = this.slots.get("draw").getBoundingClientRect();
    let nth = 0;
    for (const card of hand?.children ?? []) {
      const old = before.get(card.dataset.key);
      come(card, old ?? pile, DRAW * speed, old ? 0 : (LAY / 2 + STAGGER * nth++) * speed);
    }
    const [seat, count] = event.turn !== null ? [event.turn, event.turn_drawn] : [event.seat, event.drawn];
    if (seat === view.seat) return;
    const place = this.place(seat, "hand");
    const to = (place?.querySelector(".face") ?? place)?.getBoundingClientRect();
    for (let card = 0; to && card < count; card++) {
      fly(back(), pile, to, DRAW * speed, (LAY / 2 + STAGGER * card) * speed);
    }
  }
}

function center(element) {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}
