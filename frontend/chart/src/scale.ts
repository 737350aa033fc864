// The scale of prices: what it takes in beside the candles, and its logarithmic form.
import type { AxisRange } from "klinecharts";
import type { Shape } from "./model.ts";

/** Prices between which others are. */
export interface Range {
  from: number;
  to: number;
}

/** The least share of the highest price that a logarithmic scale shows: it has no zero. */
const LEAST = 0.001;

/** Returns a range as the library takes it: on a logarithmic scale its real values are logarithms. */
export function axisRange(prices: Range, isLog: boolean): AxisRange {
  const to = prices.to;
  const from = isLog ? Math.max(prices.from, to * LEAST) : prices.from;
  const [realFrom, realTo] = isLog ? [Math.log10(from), Math.log10(to)] : [from, to];
  const range = to - from;
  return {
    from,
    to,
    range,
    realFrom,
    realTo,
    realRange: realTo - realFrom,
    displayFrom: from,
    displayTo: to,
    displayRange: range,
  };
}

/**
 * The most that the scale grows for drawings, as a multiple of the candles' own range. A position is one decision:
 * its entry, stop and target are in view together, though the candles are lower for it.
 */
const MOST = { position: 6, other: 2.2 };
/** The most that other drawings add to a scale that a position has made larger. */
const BESIDE = 1.25;

export interface Reach {
  prices: number[];
  /** The times between which it lies; null for no end. */
  from: string | null;
  to: string | null;
}

/** Returns the prices of a shape and its times. `closed` is the end of a position. */
export function reachOf(shape: Shape, closed: string | null): Reach {
  const between = (one: string, other: string, prices: number[]): Reach =>
    one < other ? { prices, from: one, to: other } : { prices, from: other, to: one };
  switch (shape.kind) {
    case "horizontal_line":
      return { prices: [shape.price], from: null, to: null };
    case "horizontal_ray":
      return { prices: [shape.price], from: shape.start, to: null };
    case "trendline":
    case "rectangle": {
      const { from, to } = shape;
      return between(from.time, to.time, [from.price, to.price]);
    }
    case "circle": {
      const { centre, edge } = shape;
      return between(centre.time, edge.time, [centre.price, edge.price]);
    }
    case "fibonacci": {
      const { from, to } = shape;
      const prices = levelPrices(shape).map(({ price }) => price);
      const reach = between(from.time, to.time, prices);
      return shape.extend ? { ...reach, to: null } : reach;
    }
    case "position":
      return {
        prices: [shape.entry, shape.stop, shape.target],
        from: shape.start,
        to: closed,
      };
    case "marker":
      return between(shape.at.time, shape.at.time, [shape.at.price]);
  }
}

/** Returns the price of each level of a fibonacci. */
export function levelPrices(
  shape: Extract<Shape, { kind: "fibonacci" }>,
): { level: number; price: number }[] {
  // 100 % is at the first anchor and 0 % at the second.
  const [whole, none] = shape.reverse ? [shape.to, shape.from] : [shape.from, shape.to];
  return shape.levels.map((level) => {
    return { level, price: none.price + (whole.price - none.price) * level };
  });
}

/** Extends the range of the candles by the prices of positions and of others, as far as they stay readable. */
export function extended(range: Range, positions: readonly number[], others: readonly number[]): Range {
  const own = range.to - range.from;
  const most = MOST.position * own;
  const wide = reached(range, positions, most);
  return reached(wide, others, Math.max(MOST.other * own, Math.min(most, BESIDE * (wide.to - wide.from))));
}

/** Extends a range by prices, nearest first, as long as it has at most a size. */
function reached(range: Range, prices: readonly number[], most: number): Range {
  const distance = (price: number) => Math.max(range.from - price, price - range.to, 0);
  let { from, to } = range;
  for (const price of [...prices].sort((one, other) => distance(one) - distance(other))) {
    const wider = { from: Math.min(from, price), to: Math.max(to, price) };
    if (wider.to - wider.from <= most) ({ from, to } = wider);
  }
  return { from, to };
}
