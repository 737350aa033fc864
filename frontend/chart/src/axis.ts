// The times below the chart: where a day, a month or a year begins, and round hours between them.
// The library writes one at every so many bars, whatever time that is. A bar of a day or longer has the
// date of its session, which may open on the evening before.
import type { AxisCreateTicksCallback, Chart, ConvertFilter, FormatDateParams } from "klinecharts";
import type { SessionHours } from "./model.ts";
import { milliseconds, type Timeline } from "./time.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30 * DAY;
/** Room for one label, in pixels. */
const ROOM = 90;
/** Labels nearer to an edge than this would be cut. */
const EDGE = 24;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A distance between labels: its usual length in seconds, and the number of a local time's part. */
interface Unit {
  length: number;
  part(local: number): number;
}

const clock = (length: number): Unit => ({ length, part: (local) => Math.floor(local / length) });
const months = (count: number): Unit => ({
  length: count * MONTH,
  part: (local) => {
    const date = new Date(milliseconds(local));
    return Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / count);
  },
});
const UNITS: readonly Unit[] = [
  ...[5, 15, 30].map((count) => clock(count * MINUTE)),
  ...[1, 3, 6, 12].map((count) => clock(count * HOUR)),
  clock(DAY),
  // Weeks begin on Monday; the first day of all was a Thursday.
  { length: 7 * DAY, part: (local) => Math.floor((local + 3 * DAY) / (7 * DAY)) },
  ...[1, 3, 6, 12, 60, 120].map(months),
];

export interface TimeLabel {
  index: number;
  text: string;
}

/** Returns the labels of the bars from `from` to `to`, usually `apart` bars from each other. */
export function timeLabels(
  timeline: Timeline,
  { from, to, apart }: { from: number; to: number; apart: number },
  offset: (unix: number) => number,
): TimeLabel[] {
  const local = (index: number): number => {
    const unix = timeline.time(index);
    return unix + offset(unix);
  };
  // Within a day bars follow each other; days and weeks have hours without any.
  const seconds = (unit: Unit) => apart * (unit.length < DAY ? timeline.step : timeline.spacing());
  const unit = UNITS.find((it) => it.length >= seconds(it)) ?? UNITS.at(-1);
  if (unit === undefined) return [];
  const found: (TimeLabel & { rank: number })[] = [];
  // A little earlier, so that labels stay what they are while the bars move out of view.
  let before = local(from - Math.ceil(2 * apart) - 1);
  for (let index = from - Math.ceil(2 * apart); index <= to; index += 1) {
    const now = local(index);
    if (unit.part(now) !== unit.part(before)) {
      const label = { index, ...written(now, Math.min(before, now - unit.length), unit) };
      const last = found.at(-1);
      const isNear = last !== undefined && index - last.index < apart * 0.7;
      // Closed hours bring bars together that are far apart in time: a short Sunday gives way.
      if (isNear && label.rank >= last.rank) found.pop();
      if (!isNear || label.rank >= last.rank) found.push(label);
    }
    before = now;
  }
  return found;
}

/** A label names what has changed since the one before it; the larger that is, the higher its rank. */
function written(now: number, before: number, unit: Unit): { text: string; rank: number } {
  const [date, earlier] = [new Date(milliseconds(now)), new Date(milliseconds(before))];
  const year = date.getUTCFullYear();
  const month = MONTHS[date.getUTCMonth()] ?? "";
  const day = `${date.getUTCDate()} ${month}`;
  const isMonths = unit.length >= 28 * DAY;
  if (year !== earlier.getUTCFullYear()) return { text: isMonths ? `${year}` : `${day} ${year}`, rank: 3 };
  if (isMonths) return { text: month, rank: 2 };
  if (Math.floor(now / DAY) !== Math.floor(before / DAY)) return { text: day, rank: 1 };
  return { text: date.toISOString().slice(11, 16), rank: 0 };
}

/** Seconds that clocks in a zone are ahead of UTC; asked once for each hour. */
export function zoneOffset(zone: string): (unix: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  const known = new Map<number, number>();
  return (unix) => {
    const hour = Math.floor(unix / HOUR);
    const kept = known.get(hour);
    if (kept !== undefined) return kept;
    const parts = format.formatToParts(milliseconds(hour * HOUR));
    const [year = 0, month = 0, day = 0, hours = 0, minutes = 0] = (
      ["year", "month", "day", "hour", "minute"] as const
    ).map((type) => Number(parts.find((it) => it.type === type)?.value));
    const offset = Date.UTC(year, month - 1, day, hours, minutes) / 1_000 - hour * HOUR;
    known.set(hour, offset);
    return offset;
  };
}

/** Seconds that the date of a session is ahead of UTC when its first bar opens. */
function sessionOffset(hours: SessionHours | null): (unix: number) => number {
  if (hours === null) return () => 0;
  const { zone, opens, closes } = hours;
  const offset = zoneOffset(zone);
  // It has the date on which it closes, and its first bar opens at a full hour.
  const ahead = closes <= opens ? DAY - Math.floor((opens * MINUTE) / HOUR) * HOUR : 0;
  return (unix) => offset(unix) + ahead;
}

/** The axis of a chart, which writes its labels, and the time under the pointer. */
export class TimeAxis {
  private ofZone = zoneOffset("UTC");
  private ofSession = sessionOffset(null);
  private shown: { x: number; text: string }[] = [];
  /** The time that was last under the pointer. */
  private under = "";

  constructor(
    private readonly chart: Chart,
    private readonly pane: ConvertFilter,
    private readonly timeline: () => Timeline,
  ) {
    chart.overrideXAxis({ createTicks: this.ticks });
  }

  setZone(zone: string): void {
    this.ofZone = zoneOffset(zone);
    this.chart.setTimezone(zone);
  }

  setSession(hours: SessionHours | null): void {
    this.ofSession = sessionOffset(hours);
  }

  private readonly offset = (unix: number): number => {
    return this.timeline().step < DAY ? this.ofZone(unix) : this.ofSession(unix);
  };

  /** Formats the time under the pointer as the library wants it, such as `YYYY-MM-DD HH:mm`. */
  pointed({ timestamp, template }: FormatDateParams): string {
    const timeline = this.timeline();
    const last = timeline.bars.length - 1;
    let unix = timestamp / 1_000;
    // After the newest bar the library counts by the clock, and months by the calendar.
    const ahead = Math.round((unix - timeline.time(last)) / timeline.step);
    if (ahead > 0 && timeline.step < MONTH) unix = timeline.time(last + ahead);
    const local = new Date(milliseconds(unix + this.offset(unix)));
    this.under = local.toISOString().slice(0, template.length).replace("T", " ");
    return this.under;
  }

  state(): { axis: { x: number; text: string }[]; pointed: string } {
    return { axis: this.shown, pointed: this.under };
  }

  private readonly ticks: AxisCreateTicksCallback = ({ range, bounding }) => {
    const timeline = this.timeline();
    if (timeline.bars.length === 0) return [];
    const apart = ROOM / this.chart.getBarSpace().bar;
    const [from, to] = [Math.max(0, Math.floor(range.realFrom)), Math.ceil(range.realTo)];
    const ticks = timeLabels(timeline, { from, to, apart }, this.offset).map(({ index, text }) => {
      const pixel = this.chart.convertToPixel({ dataIndex: index }, this.pane);
      const coord = (Array.isArray(pixel) ? pixel[0] : pixel)?.x ?? -1;
      return { coord, text, value: milliseconds(timeline.time(index)) };
    });
    const inside = ticks.filter(({ coord }) => coord > EDGE && coord < bounding.width - EDGE);
    this.shown = inside.map(({ coord, text }) => ({ x: coord, text }));
    return inside;
  };
}
