// Edits of a shape by hand. Pure: a shape and a move in, a shape out, on bars and ticks.
import type { Anchor, Extent, Position, Shape, Side } from "./model.ts";
import { type Timeline, seconds, text } from "./time.ts";

/** A place on this chart: the index of a bar and a price. */
export interface Place {
  index: number;
  price: number;
}

/** A part by which a shape can be dragged, and its place. */
export interface Grip {
  name: string;
  time: string;
  price: number;
}

/** The conversion of places to times and prices. */
export interface Grid {
  timeline: Timeline;
  digits: number;
}

/** The grip for everywhere else, which moves the whole shape. */
export const BODY = "body";

/** Rounds to the nearest quoted price. */
export function tick(price: number, digits: number): number {
  return Number(price.toFixed(digits));
}

export function anchor(place: Place, grid: Grid): Anchor {
  return { time: text(grid.timeline.time(place.index)), price: tick(place.price, grid.digits) };
}

export function grips(shape: Shape): Grip[] {
  switch (shape.kind) {
    case "horizontal_line":
    case "marker":
      return [];
    case "horizontal_ray":
      return [{ name: "start", time: shape.start, price: shape.price }];
    case "trendline":
    case "fibonacci":
      return [
        { name: "from", ...shape.from },
        { name: "to", ...shape.to },
      ];
    case "rectangle":
      return [
        { name: "from", ...shape.from },
        { name: "to", ...shape.to },
        { name: "from.time", time: shape.from.time, price: shape.to.price },
        { name: "from.price", time: shape.to.time, price: shape.from.price },
      ];
    case "circle":
      return [
        { name: "centre", ...shape.centre },
        { name: "edge", ...shape.edge },
      ];
    case "position":
      return (["entry", "stop", "target"] as const).map((name) => {
        return { name, time: shape.start, price: shape[name] };
      });
  }
}

/** Returns the shape after a drag of its grip by bars and a price; unchanged if by nothing. */
export function moved(shape: Shape, grip: string, by: Place, grid: Grid): Shape {
  const time = (old: string) =>
    by.index === 0
      ? old
      : text(grid.timeline.time(grid.timeline.index(seconds(old)) + by.index));
  const price = (old: number) => (by.price === 0 ? old : tick(old + by.price, grid.digits));
  const both = (old: Anchor): Anchor => ({ time: time(old.time), price: price(old.price) });
  const all = grip === BODY;
  const if_taken = (name: string, old: Anchor) => (all || grip === name ? both(old) : old);

  switch (shape.kind) {
    case "horizontal_line":
      return { ...shape, price: price(shape.price) };
    case "horizontal_ray":
      return { ...shape, start: time(shape.start), price: price(shape.price) };
    case "trendline":
    case "fibonacci":
      return { ...shape, from: if_taken("from", shape.from), to: if_taken("to", shape.to) };
    case "rectangle": {
      const { from, to } = shape;
      if (grip === "from.time") {
        const corner = both({ time: from.time, price: to.price });
        return {
          ...shape,
          from: { ...from, time: corner.time },
          to: { ...to, price: corner.price },
        };
      }
      if (grip === "from.price") {
        const corner = both({ time: to.time, price: from.price });
        return {
          ...shape,
          from: { ...from, price: corner.price },
          to: { ...to, time: corner.time },
        };
      }
      return { ...shape, from: if_taken("from", from), to: if_taken("to", to) };
    }
    case "circle": {
      const whole = all || grip === "centre";
      return {
        ...shape,
        centre: whole ? both(shape.centre) : shape.centre,
        edge: both(shape.edge),
      };
    }
    case "position":
      if (!all) return { ...shape, [grip]: between(shape, grip, price, grid.digits) };
      return {
        ...shape,
        start: time(shape.start),
        entry: price(shape.entry),
        stop: price(shape.stop),
        target: price(shape.target),
      };
    case "marker":
      return { ...shape, at: both(shape.at) };
  }
}

/** Moves a line of a position, which stays on its side of the others. */
function between(
  shape: Position,
  grip: string,
  price: (old: number) => number,
  digits: number,
): number {
  const least = 10 ** -digits;
  const sign = shape.side === "long" ? 1 : -1;
  const at_least = (value: number, limit: number) =>
    sign * value < sign * limit ? limit : value;
  const at_most = (value: number, limit: number) => (sign * value > sign * limit ? limit : value);
  const { entry, stop, target } = shape;
  const chosen =
    grip === "stop"
      ? at_most(price(stop), entry - sign * least)
      : grip === "target"
        ? at_least(price(target), entry + sign * least)
        : at_most(at_least(price(entry), stop + sign * least), target - sign * least);
  return tick(chosen, digits);
}

/** The drawing tools, with the number of clicks of each. */
export const TOOLS: Record<string, number> = {
  horizontal_line: 1,
  horizontal_ray: 1,
  trendline: 2,
  segment: 2,
  ray: 2,
  extended: 2,
  arrow: 2,
  rectangle: 2,
  circle: 2,
  fibonacci: 2,
  position: 2,
  long_position: 2,
  short_position: 2,
  marker: 1,
};

const LEVELS = [0, 0.236, 0.382, 0.5, 0.618, 0.786, 1];

/** Returns the shape of a drawing by hand; null if its places make none. */
export function drawn(tool: string, places: readonly Place[], grid: Grid): Shape | null {
  const first = places[0];
  const second = places[1] ?? first;
  if (first === undefined || second === undefined || places.length < (TOOLS[tool] ?? 9)) {
    return null;
  }
  const from = anchor(first, grid);
  const to = anchor(second, grid);
  if ((TOOLS[tool] ?? 0) > 1 && from.time === to.time && from.price === to.price) return null;
  switch (tool) {
    case "horizontal_line":
      return { kind: tool, price: from.price };
    case "horizontal_ray":
      return { kind: tool, start: from.time, price: from.price };
    case "trendline":
    case "segment":
      return { kind: "trendline", from, to, extent: "segment" };
    case "ray":
    case "extended":
    case "arrow":
      return { kind: "trendline", from, to, extent: tool satisfies Extent };
    case "rectangle":
      return { kind: tool, from, to };
    case "circle":
      return { kind: tool, centre: from, edge: to };
    case "fibonacci":
      return {
        kind: tool,
        from,
        to,
        levels: LEVELS,
        extend: false,
        reverse: false,
        show_prices: true,
      };
    case "marker":
      return { kind: tool, at: from, text: "", icon: "" };
    default:
      return position(tool, from, to, grid.digits);
  }
}

/** Entry at the first place, stop at the height of the second, target twice as far. Its lot is the symbol's,
 * which the server knows. */
function position(tool: string, from: Anchor, to: Anchor, digits: number): Shape | null {
  const below = to.price < from.price;
  const side: Side =
    tool === "long_position" ? "long" : tool === "short_position" || !below ? "short" : "long";
  const sign = side === "long" ? 1 : -1;
  const risk = Math.abs(from.price - to.price);
  if (risk === 0) return null;
  return {
    kind: "position",
    side,
    start: from.time,
    entry: from.price,
    stop: tick(from.price - sign * risk, digits),
    target: tick(from.price + 2 * sign * risk, digits),
  };
}
