// Measures from one place to another: difference of prices, percent, bars and time. Nothing is kept.
import type { Coordinate } from "klinecharts";
import type { Stage } from "./drawings.ts";
import type { Hand } from "./hand.ts";
import { Layer } from "./layer.ts";
import type { ChartEvent } from "./model.ts";
import { type Figure, labelBox } from "./paint.ts";
import { tick } from "./shape.ts";
import { FONT_SIZE, faded } from "./theme.ts";
import { duration, text } from "./time.ts";

/** A movement in pixels that is no drag yet. */
const STILL = 3;

/** A place that stays with its bar when older ones come: Unix seconds. */
interface Spot {
  unix: number;
  price: number;
}

export class Measure implements Hand {
  isTaken = false;
  private pressed: Coordinate | null = null;
  private from: Spot | null = null;
  private to: Spot | null = null;
  private readonly layer: Layer;

  constructor(private readonly stage: Stage) {
    this.layer = new Layer(stage.chart, "measure", () => this.figures());
  }

  take(): void {
    this.isTaken = true;
  }

  press(at: Coordinate): void {
    this.pressed = at;
    this.from = this.spot(at);
    this.to = null;
    this.layer.show();
  }

  move(at: Coordinate): void {
    const { pressed } = this;
    if (pressed === null || Math.hypot(at.x - pressed.x, at.y - pressed.y) <= STILL) return;
    this.to = this.spot(at);
    this.layer.show();
  }

  lift(at: Coordinate): ChartEvent | null {
    this.move(at);
    this.pressed = null;
    if (this.to === null) return null;
    this.isTaken = false;
    return { type: "measured" };
  }

  cancel(): boolean {
    const was = this.isTaken;
    this.isTaken = false;
    this.pressed = this.from = this.to = null;
    return this.layer.hide() || was;
  }

  private spot(at: Coordinate): Spot {
    const { index, price } = this.stage.place(at);
    return { unix: this.stage.timeline.time(index), price: tick(price, this.stage.digits) };
  }

  /** The two lines of the result; null before a drag. */
  private result(): [string, string] | null {
    const { from, to, stage } = this;
    if (from === null || to === null) return null;
    const signed = (value: number, digits: number) => `${value < 0 ? "" : "+"}${value.toFixed(digits)}`;
    const { digits, pip } = stage.canvas();
    const change = to.price - from.price;
    const percent = from.price === 0 ? "" : ` (${signed((change / from.price) * 100, 2)} %)`;
    const bars = stage.timeline.index(to.unix) - stage.timeline.index(from.unix);
    return [
      `${signed(change, digits)}${percent} · ${signed(change / pip, 1)} pips`,
      `${bars} ${Math.abs(bars) === 1 ? "bar" : "bars"} · ${duration(to.unix - from.unix)}`,
    ];
  }

  private figures(): Figure[] {
    const { from, to } = this;
    const lines = this.result();
    if (from === null || to === null || lines === null) return [];
    const on = this.stage.canvas();
    const { theme } = on;
    const up = to.price >= from.price;
    const color = up ? theme.palette.green : theme.palette.red;
    const place = ({ unix, price }: Spot) => ({ x: on.x(text(unix)), y: on.y(price) });
    const [a, b] = [place(from), place(to)];
    const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
    const [width, height] = [Math.abs(a.x - b.x), Math.abs(a.y - b.y)];
    const styles = { color, halo: theme.panel, font: `${FONT_SIZE}px ${theme.family}`, size: FONT_SIZE };
    const step = FONT_SIZE + 6;
    // Beyond the end, but within the pane.
    const top = up ? y - 2 * step - 4 : y + height + 4;
    const first = Math.max(0, Math.min(on.height - 2 * step, top));
    const labels = lines.map((text, line): Figure => {
      const attrs = { x: 0, y: first + line * step, text, align: "left" as const, above: false };
      const box = labelBox(attrs, styles);
      attrs.x = Math.max(0, Math.min(on.width - box.width, x + width / 2 - box.width / 2));
      return { type: "label", key: "", attrs, styles };
    });
    const corners = [a, { x: b.x, y: a.y }, b, { x: a.x, y: b.y }];
    const sides = corners.map((corner, index): Figure => {
      const coordinates = [corner, corners[(index + 1) % corners.length] ?? corner];
      return { type: "stroke", key: "", attrs: { coordinates }, styles: { color, size: 1, dash: [] } };
    });
    return [
      { type: "box", key: "", attrs: { x, y, width, height }, styles: { color: faded(color, 14) } },
      ...sides,
      ...labels,
    ];
  }

  /** The state for tests. */
  state(): { isTaken: boolean; result: string[] | null } {
    return { isTaken: this.isTaken, result: this.result() };
  }
}
