// The values beside a scale: even steps of 1, 2 or 5. The library's are any number of its range's eighth.
import type { AxisCreateTicksCallback, AxisRange, AxisTick } from "klinecharts";

/** Least distance of two values in pixels, and that in a pane which is lower than this. */
const APART = { usual: 40, small: 16, low: 160 };
/** A value nearer to an edge would be cut, in pixels. */
const EDGE = 7;
/** A logarithmic scale that shows more than this multiple has no even steps. */
const WIDE = 2;

interface Scale {
  write(value: number, step: number): string;
  isLog?(): boolean;
  /** The only values, the most important ones first; others would say nothing. */
  values?: readonly number[] | undefined;
}

/** The smallest step of 1, 2 or 5 that is no smaller. */
function stepOf(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((it) => it * power >= least) ?? 10);
}

/** The decimals that a step has. */
export function decimalsOf(step: number): number {
  return Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
}

export function ticksOf({ write, isLog = () => false, values }: Scale): AxisCreateTicksCallback {
  return ({ range, bounding: { height }, defaultTicks }) => {
    const { from, to, realFrom, realRange } = range;
    const logarithmic = isLog();
    if (!(realRange > 0 && height > 0) || (logarithmic && to > WIDE * from)) return defaultTicks;
    const apart = height < APART.low ? APART.small : APART.usual;
    // Of one pixel, on a logarithmic scale where most of the price is in it.
    const pixel = (realRange / height) * (logarithmic ? to * Math.LN10 : 1);
    const step = stepOf(apart * pixel);
    const first = Math.ceil(from / step);
    const even = Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, n) => (first + n) * step);
    const ticks: AxisTick[] = [];
    for (const value of values ?? even) {
      const real = logarithmic ? Math.log10(value) : value;
      const coord = Math.round((1 - (real - realFrom) / realRange) * height);
      const text = write(value, step);
      const isFree = ticks.every((other) => other.text !== text && Math.abs(other.coord - coord) >= APART.small);
      if (isFree && coord > EDGE && coord < height - EDGE) ticks.push({ value, text, coord });
    }
    return ticks;
  };
}

/** The share of the height that the library leaves above and below a range. */
const GAPS = { top: 0.2, bottom: 0.1 };
/** The legend never takes more of the height. */
const MOST = 0.4;

/** Extends a range at its upper end, so that `least` of `height` pixels are free above what it was. */
export function withHead(range: AxisRange, least: number, height: number): AxisRange {
  const share = Math.min(MOST, least / Math.max(1, height));
  const all = 1 + GAPS.top + GAPS.bottom;
  const more = ((all * share - GAPS.top) / (1 + GAPS.top - all * share)) * range.realRange;
  if (more <= 0) return range;
  return { ...range, realTo: range.realTo + more, realRange: range.realRange + more };
}
