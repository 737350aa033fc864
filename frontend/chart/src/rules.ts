// The level lines of drawings, on which the labels of others do not stand.
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
  // Where the first line on a row of pixels begins, and where the last one ends.
  const rows = Math.ceil(on.height) + 1;
  const starts = new Float64Array(rows).fill(Number.POSITIVE_INFINITY);
  const ends = new Float64Array(rows).fill(Number.NEGATIVE_INFINITY);
  for (const { prices, from, to } of levels) {
    const [start, end] = [from === null ? 0 : on.x(from), to === null ? Number.POSITIVE_INFINITY : on.x(to)];
    for (const price of prices) {
      const row = Math.round(on.y(price));
      if (row < 0 || row >= rows) continue;
      starts[row] = Math.min(starts[row] ?? start, start);
      ends[row] = Math.max(ends[row] ?? end, end);
    }
  }
  return ({ x, y, width, height }) => {
    for (let row = Math.ceil(y + MARGIN); row <= y + height - MARGIN; row += 1) {
      if ((starts[row] ?? x + width) < x + width && (ends[row] ?? x) > x) return true;
    }
    return false;
  };
}
