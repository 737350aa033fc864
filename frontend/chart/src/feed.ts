// Candles for the library, which requests them: the first page, older ones, and each new bar.
import type { DataLoader, KLineData } from "klinecharts";
import type { Candle } from "./model.ts";
import { milliseconds } from "./time.ts";

type Give = (data: KLineData[], more: { forward: boolean; backward: boolean }) => void;

export class Feed {
  /** Oldest first. */
  private all: Candle[] = [];
  /** Those in the chart: all, or those that a replay has reached. */
  candles: Candle[] = [];
  /** Opening of the last bar that a replay has reached; null without one. */
  end: number | null = null;
  /** True if there are older ones. */
  private more = false;
  private older: Give | null = null;
  /** True after an answer without candles: to be requested again, but only after a movement. */
  private failed = false;
  private push: ((bar: KLineData) => void) | null = null;

  constructor(private readonly ask: (before: number) => void) {}

  readonly loader: DataLoader = {
    getBars: ({ type, callback }) => {
      if (type === "init") {
        callback(this.candles.map(bar), { forward: this.more, backward: false });
      } else if (type === "forward" && this.candles[0]) {
        // In the library's words `forward` is older. It requests once and waits for the answer.
        this.older = callback;
        this.ask(this.candles[0][0]);
      } else {
        callback([], { forward: false, backward: false });
      }
    },
    subscribeBar: ({ callback }) => {
      this.push = callback;
    },
    unsubscribeBar: () => {
      this.push = null;
    },
  };

  /** Replaces the candles that the library gets at its next load. */
  replace(candles: Candle[], more: boolean): void {
    this.all = candles;
    this.candles = this.reached();
    this.more = more && candles.length > 0;
    this.older = null;
    this.failed = false;
  }

  /** Answers the request for older candles; returns whether there was one. */
  prepend(candles: Candle[], more: boolean): boolean {
    const give = this.older;
    const first = this.candles[0]?.[0];
    if (give === null || first === undefined) return false;
    const older = candles.filter((candle) => candle[0] < first);
    if (older.length === 0 && more) {
      this.failed = true;
      return true;
    }
    this.older = null;
    this.more = more;
    this.all = [...older, ...this.all];
    this.candles = this.reached();
    // A page without anything older ends it, or the library would request forever.
    give(older.map(bar), { forward: more && older.length > 0, backward: false });
    return true;
  }

  /** Repeats a failed request. */
  retry(): void {
    if (!this.failed || this.older === null || !this.candles[0]) return;
    this.failed = false;
    this.ask(this.candles[0][0]);
  }

  /** Adds the newest bar, changed or new; returns whether it is new in the chart. */
  add(candle: Candle): boolean {
    const last = this.all.at(-1)?.[0] ?? Number.NEGATIVE_INFINITY;
    if (candle[0] < last) return false;
    const fresh = candle[0] > last;
    if (fresh) this.all.push(candle);
    else this.all[this.all.length - 1] = candle;
    // In a replay it waits.
    if (this.end !== null) return false;
    this.push?.(bar(candle));
    return fresh;
  }

  /** Sets the end of a replay; returns whether the library has to load again. */
  limit(end: number | null): boolean {
    const goesOn = this.end !== null && end !== null && end >= this.end;
    const known = this.candles.length;
    this.end = end;
    this.candles = this.reached();
    if (!goesOn) return true;
    for (const candle of this.candles.slice(known)) this.push?.(bar(candle));
    return false;
  }

  private reached(): Candle[] {
    const { all, end } = this;
    return end === null ? all : all.filter((candle) => candle[0] <= end);
  }
}

function bar([time, open, high, low, close, volume]: Candle): KLineData {
  return { timestamp: milliseconds(time), open, high, low, close, volume };
}
