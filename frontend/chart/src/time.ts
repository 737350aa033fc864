// Times. The records have RFC 3339, the candles Unix seconds, the library milliseconds, and a chart
// counts bars: everything is converted here.
import type { Period } from "klinecharts";
import type { SessionHours } from "./model.ts";

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const HOUR = 3_600;
const DAY = 24 * HOUR;

/** The bars computed ahead of the newest one; later ones are counted by the clock. */
const AHEAD = 2_000;

export function isTime(value: unknown): value is string {
  return typeof value === "string" && TIME.test(value) && !Number.isNaN(Date.parse(value));
}

export function seconds(time: string): number {
  return Date.parse(time) / 1_000;
}

export function text(unix: number): string {
  return new Date(unix * 1_000).toISOString().replace(".000Z", "Z");
}

export function milliseconds(unix: number): number {
  return unix * 1_000;
}

/** Formats a number of seconds: its largest unit and the next, such as `2 d 12 h`. */
export function duration(all: number): string {
  const minutes = Math.round(Math.abs(all) / 60);
  const units: [number, string][] = [
    [Math.floor(minutes / 1_440), "d"],
    [Math.floor(minutes / 60) % 24, "h"],
    [minutes % 60, "min"],
  ];
  const first = units.findIndex(([count]) => count > 0);
  const parts = first < 0 ? [] : units.slice(first, first + 2).filter(([count]) => count > 0);
  const words = parts.map(([count, unit]) => `${count} ${unit}`).join(" ") || "0 min";
  return all < 0 ? `-${words}` : words;
}

/** Seconds from bar to bar, and the library's name for that. */
export function frame(timeframe: string): { step: number; period: Period } {
  const minutes = /^M(\d+)$/.exec(timeframe);
  if (minutes) {
    return { step: Number(minutes[1]) * 60, period: { type: "minute", span: Number(minutes[1]) } };
  }
  switch (timeframe) {
    case "H4":
      return { step: 4 * HOUR, period: { type: "hour", span: 4 } };
    case "D1":
      return { step: DAY, period: { type: "day", span: 1 } };
    case "W1":
      return { step: 7 * DAY, period: { type: "week", span: 1 } };
    case "MN":
      return { step: 30 * DAY, period: { type: "month", span: 1 } };
    default:
      return { step: HOUR, period: { type: "hour", span: 1 } };
  }
}

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/**
 * Returns which bars are in a session: also the one within which it opens. Without hours, all are.
 */
export function sessions(hours: SessionHours | null, step: number): (unix: number) => boolean {
  if (hours === null) return () => true;
  const { zone, opens, closes, days } = hours;
  const local = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const isOvernight = closes <= opens;
  const isOpen = (unix: number): boolean => {
    const parts = local.formatToParts(milliseconds(unix));
    const part = (type: string) => parts.find((it) => it.type === type)?.value ?? "";
    const minute = Number(part("hour")) * 60 + Number(part("minute"));
    const day = DAYS.indexOf(part("weekday"));
    // A session has the day on which it closes.
    if (isOvernight && minute >= opens) return days.includes((day + 1) % 7);
    return days.includes(day) && minute < closes && (isOvernight || minute >= opens);
  };
  const end = Math.min(step, HOUR) - 60;
  return (unix) => isOpen(unix) || isOpen(unix + end);
}

/**
 * Bars by number. A time inside the data belongs to the bar that contains it, on a weekend to the
 * last before it. Ahead of the data bars follow the sessions of the symbol, so that a drawing from
 * Friday into Monday stays there when Monday's bars come; before the data they are counted by the
 * clock.
 */
export class Timeline {
  private readonly ahead: number[] = [];

  constructor(
    readonly bars: readonly number[],
    readonly step: number,
    private readonly isOpen: (unix: number) => boolean,
  ) {}

  index(unix: number): number {
    const first = this.bars[0];
    const last = this.bars.at(-1);
    if (first === undefined || last === undefined) return 0;
    if (unix < first) return Math.floor((unix - first) / this.step);
    if (unix < last) return floor(this.bars, unix);
    while (this.ahead.length < AHEAD && (this.ahead.at(-1) ?? last) <= unix) this.lay();
    const end = this.bars.length - 1;
    const edge = this.ahead.at(-1) ?? last;
    if (unix > edge) {
      return end + this.ahead.length + Math.floor((unix - edge) / this.step);
    }
    return end + floor(this.ahead, unix) + 1;
  }

  /** Seconds from bar to bar on average, with the hours that have none. */
  spacing(): number {
    const [first, last] = [this.bars[0], this.bars.at(-1)];
    if (first === undefined || last === undefined || first === last) return this.step;
    return Math.max(this.step, (last - first) / (this.bars.length - 1));
  }

  time(index: number): number {
    const first = this.bars[0] ?? 0;
    if (index < 0) return first + index * this.step;
    const inside = this.bars[index];
    if (inside !== undefined) return inside;
    const at = index - this.bars.length;
    while (this.ahead.length <= Math.min(at, AHEAD - 1)) this.lay();
    const laid = this.ahead[at];
    return laid ?? (this.ahead.at(-1) ?? first) + (at - this.ahead.length + 1) * this.step;
  }

  /** Adds one more bar ahead, in the next session if this one is over. */
  private lay(): void {
    const last = this.ahead.at(-1) ?? this.bars.at(-1) ?? 0;
    let next = last + this.step;
    // Longer bars open with the session, whose hour is another one once the clocks have changed.
    const stride = Math.min(this.step, HOUR);
    for (let tries = 0; tries < 4_000 && !this.isOpen(next); tries += 1) next += stride;
    this.ahead.push(next);
  }
}

/** Returns the index of the last value that is not above; -1 if there is none. */
function floor(values: readonly number[], value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
