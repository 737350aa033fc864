// Gaps: stretches of a session without candles. The bars on both sides are neighbours, so nothing else
// would show that something is missing. Hours in which no session is open are none, on any timeframe.
import type { Stage } from "./drawings.ts";
import { Layer } from "./layer.ts";
import { type BoxAttrs, type Figure, labelBox } from "./paint.ts";
import { FONT_SIZE, faded } from "./theme.ts";
import { duration, text } from "./time.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** Least distance of the times that are checked between two bars, in seconds. */
const STRIDE = 900;
/** Space between two labels, in pixels. */
const SPACE = 6;

type Hours = (unix: number) => boolean;

export class Gaps {
  /** Numbers of the bars behind a gap. */
  private behind: number[] = [];
  /** For two times, true if there is a gap between them: looking up the hours is slow. */
  private readonly known = new Map<string, boolean>();
  private hours: Hours | null = null;
  private boxes: BoxAttrs[] = [];
  private readonly layer: Layer;

  constructor(
    private readonly stage: Stage,
    private readonly isOpen: () => Hours,
  ) {
    this.layer = new Layer(stage.chart, "gaps", () => this.figures());
  }

  /** Finds them again, for other bars or hours. */
  align(): void {
    const hours = this.isOpen();
    if (hours !== this.hours) this.known.clear();
    this.hours = hours;
    const { timeline, step } = this.stage;
    const { bars } = timeline;
    this.behind = [];
    this.boxes = [];
    for (let index = 1; index < bars.length; index += 1) {
      const [from, to] = [bars[index - 1] ?? 0, bars[index] ?? 0];
      if (to - from > step && this.isGap(from, to, hours)) this.behind.push(index);
    }
    if (this.behind.length > 0) this.layer.show();
    else this.layer.hide();
  }

  private isGap(from: number, to: number, hours: Hours): boolean {
    const { step } = this.stage;
    // Longer bars open with a session, at the same times each week: one look is enough for all weeks.
    const key = step > HOUR ? `${from % WEEK} ${to - from}` : `${from} ${to}`;
    let is = this.known.get(key);
    if (is === undefined) {
      is = false;
      const stride = Math.max(Math.min(step, HOUR), STRIDE);
      for (let time = from + covered(step); time < to && !is; time += stride) is = hours(time);
      this.known.set(key, is);
    }
    return is;
  }

  /** The places of its labels, which those of drawings keep clear of. */
  labels(): BoxAttrs[] {
    return this.boxes;
  }

  private figures(): Figure[] {
    const on = this.stage.canvas();
    const { theme } = on;
    const styles = { color: theme.soft, halo: theme.panel, font: `${FONT_SIZE}px ${theme.family}`, size: FONT_SIZE };
    const figures: Figure[] = [];
    this.boxes = [];
    let edge = Number.NEGATIVE_INFINITY;
    for (const { to, label } of this.state()) {
      const x = on.x(text(to)) - on.bar / 2;
      if (x < 0 || x > on.width) continue;
      const coordinates = [
        { x, y: 0 },
        { x, y: on.height },
      ];
      const line = { color: faded(theme.soft, 60), size: 1, dash: [2, 4] };
      figures.push({ type: "stroke", key: "", attrs: { coordinates }, styles: line });
      const attrs = { x, y: on.height - 2, text: label, align: "center" as const, above: true };
      const box = labelBox(attrs, styles);
      // Of several close together the first is named.
      if (box.x < edge) continue;
      edge = box.x + box.width + SPACE;
      this.boxes.push(box);
      figures.push({ type: "label", key: "", attrs, styles });
    }
    return figures;
  }

  /** The bars on both sides of each, in Unix seconds, and its label. */
  state(): { from: number; to: number; label: string }[] {
    const { timeline, step } = this.stage;
    return this.behind.map((index) => {
      const [from, to] = [timeline.bars[index - 1] ?? 0, timeline.bars[index] ?? 0];
      return { from, to, label: `No data for ${duration(to - from - step)}` };
    });
  }
}

/** Seconds that one bar can cover: a day is an hour longer when clocks go back, and a month has up to 31. */
function covered(step: number): number {
  if (step < DAY) return step;
  return (step > WEEK ? 31 * DAY : step) + HOUR;
}
