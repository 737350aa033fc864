// The bars in view, and the bodies of their candles, which labels keep clear of where they can.
import type { Candle } from "./model.ts";
import type { BoxAttrs } from "./paint.ts";

/** Width of the strips in which the highest and the lowest price of a body are known, in pixels. */
const STRIP = 4;

/** Numbers of bars, both included. */
export interface Span {
  from: number;
  to: number;
}

/** The scales of the pane. */
export interface Ground {
  candles: readonly Candle[];
  /** Place of the first candle, and the distance from one to the next, in pixels. */
  first: number;
  bar: number;
  width: number;
  height: number;
  /** Prices at the edges of the pane. */
  top: number;
  bottom: number;
  isLog: boolean;
}

/** Returns the numbers of the first and the last bar with their middle in view, also of bars without a candle. */
export function barsInView({ first, bar, width }: Pick<Ground, "first" | "bar" | "width">): Span {
  return { from: Math.ceil(-first / bar), to: Math.ceil((width - first) / bar) - 1 };
}

/** Returns what tells whether a body lies in a part of the pane. */
export function bodies(on: Ground): (box: BoxAttrs) => boolean {
  const strips = Math.ceil(on.width / STRIP) + 1;
  const lows = new Float64Array(strips).fill(Number.POSITIVE_INFINITY);
  const highs = new Float64Array(strips).fill(Number.NEGATIVE_INFINITY);
  const strip = (x: number) => Math.min(strips - 1, Math.max(0, Math.floor(x / STRIP)));
  const number = (x: number) => Math.floor((x - on.first) / on.bar + 0.5);
  const last = Math.min(on.candles.length - 1, number(on.width));
  for (let index = Math.max(0, number(0)); index <= last; index += 1) {
    const candle = on.candles[index];
    if (candle === undefined) continue;
    const [open, close] = [candle[1], candle[4]];
    const middle = on.first + index * on.bar;
    for (let at = strip(middle - on.bar / 2); at <= strip(middle + on.bar / 2 - 1); at += 1) {
      lows[at] = Math.min(lows[at] as number, open, close);
      highs[at] = Math.max(highs[at] as number, open, close);
    }
  }
  const price = (y: number) => {
    const part = y / on.height;
    return on.isLog ? on.top * (on.bottom / on.top) ** part : on.top + (on.bottom - on.top) * part;
  };
  return ({ x, y, width, height }) => {
    const [high, low] = [price(y), price(y + height)];
    for (let at = strip(x); at <= strip(x + width); at += 1) {
      if ((highs[at] ?? low) >= low && (lows[at] ?? high) <= high) return true;
    }
    return false;
  };
}
