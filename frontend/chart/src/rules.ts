// The level lines of drawings, which go on to the right edge: labels of others do not stand on them
// where they can.
import type { BoxAttrs } from "./paint.ts";
import type { Reach } from "./scale.ts";

/** Room above and below the letters of a label, where a line crosses none of them, in pixels. */
export const MARGIN = 3;

/** The scales of the pane. */
interface Rows {
  height: number;
  x(time: string): number;
  y(price: number): number;
}

/** Returns what tells whether one of these lines crosses a part of the pane. */
export function ruled(levels: readonly Reach[], on: Rows): (box: BoxAttrs) => boolean {
  // Where the first line on a row of pixels begins.
  const starts = new Float64Array(Math.ceil(on.height) + 1).fill(Number.POSITIVE_INFINITY);
  for (const { prices, from } of levels) {
    const x = from === null ? 0 : on.x(from);
    for (const price of prices) {
      const row = Math.round(on.y(price));
      const start = starts[row];
      if (start !== undefined) starts[row] = Math.min(start, x);
    }
  }
  return ({ x, y, width, height }) => {
    for (let row = Math.ceil(y + MARGIN); row <= y + height - MARGIN; row += 1) {
      if ((starts[row] ?? Number.POSITIVE_INFINITY) < x + width) return true;
    }
    return false;
  };
}
