// Types of what the server sends (see skipbo_views.py and skipbo_play.py).

/**
 * @typedef {"stock" | "hand" | "a" | "b" | "c" | "d" | "none"} Source
 * @typedef {"1" | "2" | "3" | "4" | "a" | "b" | "c" | "d" | "none"} Target
 * @typedef {{move: string, source: Source, card: number, target: Target}} LegalMove
 * @typedef {{number: number, seat: number, source: Source, card: number, target: Target,
 *   value: number, completed: boolean, drawn: number, turn: number | null, turn_drawn: number,
 *   shuffled: boolean}} Event
 * @typedef {{name: string, agent: string | null, taken: boolean, present: boolean, left: boolean,
 *   stock: number, top: number, held: number, discards: number[][], hand: number[] | null}} Seat
 * @typedef {{match: string, game: string, stock: number, wilds: boolean, seat: number | null,
 *   state: "waiting" | "running" | "over", number: number, turn: number | null,
 *   piles: {height: number, wilds: number[]}[], draw: number, aside: number, seats: Seat[],
 *   hand: number[], legal: LegalMove[], events: Event[],
 *   result: {winner: number | null, reason: "stock" | "drawn" | "left" | "abandoned", points: number} | null,
 *   next: string | null}} View
 */

export {};
