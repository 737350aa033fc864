// A second symbol as a line, in percent from the left edge of the view: where both symbols have
// moved by the same percent since then, its line meets the first one's price.
import type { Stage } from "./drawings.ts";
import { settled } from "./labels.ts";
import { Layer } from "./layer.ts";
import type { Candle } from "./model.ts";
import { type BoxAttrs, type Figure, labelBox } from "./paint.ts";
import type { Range } from "./scale.ts";
import { FONT_SIZE } from "./theme.ts";
import { text } from "./time.ts";

export interface Compared {
  /** Its name for people. */
  label: string;
  candles: Candle[];
}

interface Line {
  /** Places on bars in view; a bar without a candle has none. */
  places: { index: number; price: number }[];
  percent: number;
}

export class Comparison {
  private compared: Compared | null = null;
  /** Its close at each bar of the chart. */
  private closes: (number | undefined)[] = [];
  private box: BoxAttrs | null = null;
  private readonly layer: Layer;

  constructor(
    private readonly stage: Stage,
    /** The first symbol's candles. */
    private readonly bars: () => readonly Candle[],
  ) {
    this.layer = new Layer(stage.chart, "comparison", () => this.figures());
  }

  set(compared: Compared | null): void {
    this.compared = compared;
    this.align();
  }

  /** Takes its newest candle, changed or new. */
  push(candle: Candle): void {
    const candles = this.compared?.candles;
    const last = candles?.at(-1);
    if (candles === undefined || (last !== undefined && candle[0] < last[0])) return;
    if (last?.[0] === candle[0]) candles.pop();
    candles.push(candle);
    this.align();
  }

  /** Finds its candles for the chart's bars again. */
  align(): void {
    const { compared } = this;
    if (compared === null) {
      this.closes = [];
      this.box = null;
      this.layer.hide();
    } else {
      const { candles } = compared;
      let next = 0;
      this.closes = this.bars().map(([time]) => {
        while ((candles[next]?.[0] ?? Number.POSITIVE_INFINITY) <= time) next += 1;
        const candle = candles[next - 1];
        // One of an earlier bar is not the value of this one: that is a gap.
        return candle !== undefined && time - candle[0] < this.stage.step ? candle[4] : undefined;
      });
      this.layer.show();
    }
    this.stage.rescale();
  }

  /** Extends a range of prices by those of the line in view. */
  taken(range: Range): Range {
    const prices = this.line()?.places.map(({ price }) => price) ?? [];
    return prices.reduce(
      ({ from, to }, price) => ({ from: Math.min(from, price), to: Math.max(to, price) }),
      range,
    );
  }

  /** The place of its label, which those of drawings keep clear of. */
  labels(): BoxAttrs[] {
    return this.box === null ? [] : [this.box];
  }

  private line(): Line | null {
    const { from, to } = this.stage.inView();
    const bars = this.bars();
    let base: { own: number; other: number } | null = null;
    const places: Line["places"] = [];
    let percent = 0;
    for (let index = Math.max(0, from); index <= Math.min(to, bars.length - 1); index += 1) {
      const other = this.closes[index];
      const own = bars[index]?.[4];
      if (other === undefined || own === undefined) continue;
      base ??= { own, other };
      percent = (other / base.other - 1) * 100;
      places.push({ index, price: (base.own * other) / base.other });
    }
    return places.length === 0 ? null : { places, percent };
  }

  private figures(): Figure[] {
    const line = this.line();
    this.box = null;
    if (this.compared === null || line === null) return [];
    const on = this.stage.canvas();
    const color = on.theme.compared;
    const parts: { x: number; y: number }[][] = [];
    let last = Number.NaN;
    for (const { index, price } of line.places) {
      if (index !== last + 1) parts.push([]);
      last = index;
      parts.at(-1)?.push({ x: on.x(text(this.stage.timeline.time(index))), y: on.y(price) });
    }
    const styles = { color, halo: on.theme.panel, font: `${FONT_SIZE}px ${on.theme.family}`, size: FONT_SIZE };
    const end = parts.at(-1)?.at(-1) ?? { x: 0, y: 0 };
    const name = `${this.compared.label} ${line.percent < 0 ? "" : "+"}${line.percent.toFixed(2)} %`;
    const wanted = { x: end.x + 4, y: end.y, text: name, align: "left" as const, above: true };
    // Newer bars out of view leave no room right of the line.
    const { width } = labelBox(wanted, styles);
    wanted.x = Math.min(wanted.x, on.width - width);
    const attrs = settled(wanted, styles, [], on) ?? wanted;
    this.box = labelBox(attrs, styles);
    return [
      ...parts.map((coordinates): Figure => {
        return { type: "stroke", key: "", attrs: { coordinates }, styles: { color, size: 2, dash: [] } };
      }),
      { type: "label", key: "", attrs, styles },
    ];
  }

  /** The state for tests. */
  state(): { label: string; percent: number; places: Line["places"] } | null {
    const line = this.line();
    return this.compared === null || line === null ? null : { label: this.compared.label, ...line };
  }
}
