// The figures of a shape, in pixels.
import type { Coordinate } from "klinecharts";
import type { Anchor, Drawing, Fibonacci, Marker, Position, Shape } from "./model.ts";
import { settled } from "./labels.ts";
import { type BoxAttrs, type Figure, type LabelAttrs, type LabelStyle, type StrokeStyle, labelSize } from "./paint.ts";
import { levelPrices } from "./scale.ts";
import { BODY, grips } from "./shape.ts";
import { FONT_SIZE, type Theme, faded } from "./theme.ts";

/** The coordinates and the style to draw with. */
export interface Canvas {
  theme: Theme;
  width: number;
  height: number;
  /** Distance from one bar to the next. */
  bar: number;
  /** Where the newest candle ends. */
  newest: number;
  digits: number;
  pip: number;
  /** True if the prices are on a logarithmic scale. */
  isLog: boolean;
  x(time: string): number;
  y(price: number): number;
  /** Returns whether the body of a candle lies there. */
  isOnBody(box: BoxAttrs): boolean;
  /** Returns whether a level's line crosses it. */
  isRuled(box: BoxAttrs): boolean;
  /** Height of the line of the last price. */
  last: number;
}

export type Look = Pick<
  Drawing,
  "colour" | "line" | "width" | "label" | "importance" | "byModel" | "closed"
>;

/** The largest radius and distance used, in pixels: larger ones look the same on any canvas. */
const FAR = 100_000;

/** Pieces of a curve. */
const PIECES = 48;

/** Width of a position that is not closed, in bars. */
export const POSITION_BARS = 24;

/** The key of a fill: it is painted under the candles, and belongs to the chart, which it pans. */
export const FILL = "";

interface LabelText {
  color: string;
  /** For where there is no room for the whole one. */
  short?: string;
}

/** Distance of a label from the right edge, in pixels. */
const EDGE = 4;

/** Draws a shape. Its labels keep clear of the places in `taken`, and are added to them, or left out. */
export function figures(
  shape: Shape,
  look: Look,
  selected: boolean,
  on: Canvas,
  taken: BoxAttrs[],
): Figure[] {
  const colour = on.theme.palette[look.colour];
  const usual = { low: 1, medium: 2, high: 3 }[look.importance];
  const size = look.width === 0 ? usual : look.width;
  const stroke: StrokeStyle = { color: colour, size, dash: dash(look.line, size) };
  const pen = new Pen(on, stroke, look);
  pen.draw(shape);
  const parts = pen.figures.flatMap((part): Figure[] => {
    if (part.type !== "label") return [part];
    const attrs = settled(part.attrs, part.styles, taken, on);
    return attrs === null ? [] : [{ ...part, attrs }];
  });
  const halo = selected ? parts.flatMap((part) => haloOf(part, colour)) : [];
  const places = grips(shape).map((grip): Figure => {
    const styles = { shown: selected, color: colour, fill: on.theme.panel };
    return {
      type: "grip",
      key: grip.name,
      attrs: { x: on.x(grip.time), y: on.y(grip.price), r: 5 },
      styles,
    };
  });
  return [...halo, ...parts, ...places];
}

function dash(line: Drawing["line"], size: number): number[] {
  switch (line) {
    case "solid":
      return [];
    case "dashed":
      return [4 + 2 * size, 3 + size];
    case "dotted":
      return [size + 1, size + 2];
  }
}

function haloOf(part: Figure, colour: string): Figure[] {
  if (part.type !== "stroke") return [];
  const { size } = part.styles;
  return [{ ...part, styles: { color: faded(colour, 30), size: size + 6, dash: [] } }];
}

class Pen {
  readonly figures: Figure[] = [];

  constructor(
    private readonly on: Canvas,
    private readonly style: StrokeStyle,
    private readonly look: Look,
  ) {}

  draw(shape: Shape): void {
    const { on } = this;
    switch (shape.kind) {
      case "horizontal_line": {
        const y = on.y(shape.price);
        this.stroke([
          { x: 0, y },
          { x: on.width, y },
        ]);
        this.nameLevel(0, y);
        return;
      }
      case "horizontal_ray": {
        const from = this.at({ time: shape.start, price: shape.price });
        this.stroke([from, { x: Math.max(on.width, from.x), y: from.y }]);
        // Without room at its line it would be outside the pane.
        if (from.x < on.width - EDGE) this.nameLevel(from.x, from.y);
        return;
      }
      case "trendline":
        this.trendline(shape);
        return;
      case "rectangle": {
        const [from, to] = [this.at(shape.from), this.at(shape.to)];
        const alpha = { none: 0, light: 12, strong: 34 }[shape.fill ?? "light"];
        if (alpha > 0) this.box(from, to, this.style.color, alpha);
        this.stroke([from, { x: to.x, y: from.y }, to, { x: from.x, y: to.y }, from]);
        const [left, right, y] = [Math.min(from.x, to.x), Math.max(from.x, to.x), Math.min(from.y, to.y)];
        if (this.nameAhead(left, { x: right, y })) return;
        // Where it begins, or where it comes into view.
        this.name({ x: Math.max(left, Math.min(EDGE, right)), y }, "left");
        return;
      }
      case "circle": {
        const [{ x, y }, edge] = [this.at(shape.centre), this.at(shape.edge)];
        const r = Math.min(FAR, Math.hypot(edge.x - x, edge.y - y));
        const styles = { ...this.style, fill: "transparent", solid: false };
        const fill = { ...styles, fill: faded(this.style.color, 10) };
        this.figures.push({ type: "ring", key: FILL, attrs: { x, y, r }, styles: fill });
        this.figures.push({ type: "ring", key: BODY, attrs: { x, y, r }, styles });
        if (!this.nameAhead(x - r, { x: x + r, y })) this.name({ x, y: y - r }, "center");
        return;
      }
      case "fibonacci":
        this.fibonacci(shape);
        return;
      case "position":
        this.position(shape);
        return;
      case "marker":
        this.marker(this.at(shape.at), shape);
        return;
    }
  }

  private trendline(shape: Extract<Shape, { kind: "trendline" }>): void {
    const { extent } = shape;
    const [from, to] = [this.at(shape.from), this.at(shape.to)];
    const onwards = extent === "ray" || extent === "extended";
    const end = onwards ? beyond(from, to, this.on) : to;
    const start = extent === "extended" ? beyond(to, from, this.on) : from;
    const reach = (onwards: boolean, at: Coordinate, other: Coordinate) =>
      !onwards ? at.x : at.x < other.x ? 0 : this.on.width;
    const isCurved = this.on.isLog && from.x !== to.x;
    const path = isCurved
      ? this.curved(shape, reach(extent === "extended", from, to), reach(onwards, to, from))
      : [start, end];
    this.stroke(path);
    if (extent === "arrow") {
      const angle = Math.atan2(to.y - from.y, to.x - from.x);
      const wing = (turn: number) => ({
        x: to.x - 12 * Math.cos(angle + turn),
        y: to.y - 12 * Math.sin(angle + turn),
      });
      this.stroke([wing(0.45), to, wing(-0.45)], { ...this.style, dash: [] });
    }
    this.nameLine(path);
  }

  /** Names a line on the side of it that it does not cross. */
  private nameLine(path: Coordinate[]): void {
    const [first, last] = [path[0], path.at(-1)];
    if (first === undefined || last === undefined) return;
    const { width } = this.on;
    const [left, right] = first.x <= last.x ? [first, last] : [last, first];
    const slope = left.x === right.x ? 0 : (right.y - left.y) / (right.x - left.x);
    const inside = (at: Coordinate) => {
      const x = Math.min(width, Math.max(0, at.x));
      return { x, y: at.y + slope * (x - at.x) };
    };
    if (this.nameAhead(left.x, inside(right), slope <= 0)) return;
    // Where it begins, or where it comes into view.
    this.name(right.x > 0 ? inside(left) : left, "left", slope >= 0);
  }

  /** A line of prices is a curve on a logarithmic scale: alerts watch the prices, not the picture. */
  private curved({ from, to }: { from: Anchor; to: Anchor }, left: number, right: number): Coordinate[] {
    const { on } = this;
    const [start, end] = [left, right].map((x) => Math.min(on.width, Math.max(0, x))) as [number, number];
    const first = on.x(from.time);
    const slope = (to.price - from.price) / (on.x(to.time) - first);
    const places: Coordinate[] = [];
    for (let n = 0; n <= PIECES; n += 1) {
      const x = start + ((end - start) * n) / PIECES;
      const price = from.price + slope * (x - first);
      if (price > 0) places.push({ x, y: on.y(price) });
    }
    return places;
  }

  private fibonacci(shape: Fibonacci): void {
    const { on } = this;
    const [from, to] = [this.at(shape.from), this.at(shape.to)];
    const left = Math.min(from.x, to.x);
    const right = shape.extend ? Math.max(on.width, left) : Math.max(from.x, to.x);
    this.stroke([from, to], { ...this.style, size: 1, dash: [3, 3] });
    const isInView = left < on.width && right > 0;
    const levels = levelPrices(shape).map(({ level, price }) => ({ level, price, y: on.y(price) }));
    for (const { level, price, y } of levels) {
      this.stroke([
        { x: left, y },
        { x: right, y },
      ]);
      const percent = `${Number((level * 100).toFixed(1))} %`;
      const text = shape.show_prices ? `${percent} · ${price.toFixed(on.digits)}` : percent;
      if (!isInView) continue;
      this.lead(right, y);
      this.edgeLabel(left, y, text, true);
    }
    const top = Math.min(...levels.map(({ y }) => y));
    if (isInView && levels.length > 0) this.nameLevel(left, top);
  }

  private position(shape: Position): void {
    const { on } = this;
    const { palette } = on.theme;
    const x = on.x(shape.start);
    const closed = this.look.closed === null ? null : on.x(this.look.closed);
    const end = Math.max(x + on.bar, closed ?? x + POSITION_BARS * on.bar);
    const [entry, stop, target] = [on.y(shape.entry), on.y(shape.stop), on.y(shape.target)];
    this.box({ x, y: entry }, { x: end, y: target }, palette.green, 16);
    this.box({ x, y: entry }, { x: end, y: stop }, palette.red, 16);
    const line = (y: number, key: string, colour: string) => {
      const style = { ...this.style, color: colour };
      this.stroke(
        [
          { x, y },
          { x: end, y },
        ],
        style,
        key,
      );
    };
    line(target, "target", palette.green);
    line(stop, "stop", palette.red);
    line(entry, "entry", this.style.color);
    // The sides move the whole position.
    for (const side of [x, end]) {
      const style = { ...this.style, size: 1 };
      this.stroke(
        [
          { x: side, y: target },
          { x: side, y: stop },
        ],
        style,
      );
    }

    const sign = shape.side === "long" ? 1 : -1;
    const reward = sign * (shape.target - shape.entry);
    const risk = sign * (shape.entry - shape.stop);
    const ratio = risk > 0 ? (reward / risk).toFixed(2) : "unknown";
    const pips = (distance: number) => `${(distance / on.pip).toFixed(1)} pips`;
    const price = (value: number) => value.toFixed(on.digits);
    const word = shape.side === "long" ? "Long" : "Short";
    const up = target < stop;
    // The scale has the prices of one that is not closed.
    const open = this.look.closed === null;
    const at = (value: number) => (open ? "" : ` ${price(value)}`);
    const title = this.title();
    const named = title.toLowerCase().includes(shape.side) ? title : `${title} · ${word}`;
    const priced = named.includes(price(shape.entry)) ? named : named + at(shape.entry);
    const short = `${word}${at(shape.entry)} · R:R ${ratio}`;
    const whole = this.look.label ? `${priced} · R:R ${ratio}` : short;
    const texts: ({ y: number; text: string; above: boolean } & LabelText)[] = [
      { y: target, text: `Target${at(shape.target)} · ${pips(reward)}`, color: palette.green, above: up },
      { y: stop, text: `Stop${at(shape.stop)} · ${pips(risk)}`, color: palette.red, above: !up },
      { y: entry, text: whole, color: on.theme.text, above: up, short },
    ];
    // One that is not closed goes on to the right edge, however long ago it began.
    if (x >= on.width || (end <= 0 && !open)) return;
    for (const { y, text, above, ...more } of texts) {
      if (open) {
        this.lead(end, y, more.color);
        this.edgeLabel(x, y, text, above, more);
      } else this.label({ x: Math.max(0, x), y }, text, "left", above, { ...more, line: { from: x, to: end } });
    }
  }

  private marker(at: Coordinate, { icon, text, type, size }: Marker): void {
    const { color } = this.style;
    const scale = { small: 0.7, medium: 1, large: 1.7 }[size ?? "medium"];
    const solid = { color, size: scale > 1 ? 3 : 2, dash: [] };
    const path = (...places: [number, number][]) => {
      this.stroke(
        places.map(([x, y]) => ({ x: at.x + x * scale, y: at.y + y * scale })),
        solid,
      );
    };
    // Records from before there were types say it with their sign.
    const sign = /up|buy|long/.test(icon)
      ? "arrow_up"
      : /down|sell|short/.test(icon)
        ? "arrow_down"
        : "dot";
    const form = type ?? sign;
    switch (form) {
      case "arrow_up":
      case "arrow_down": {
        const way = form === "arrow_up" ? 1 : -1;
        path([0, 16 * way], [0, 0]);
        path([-5, 6 * way], [0, 0], [5, 6 * way]);
        break;
      }
      case "cross":
        path([-5, -5], [5, 5]);
        path([-5, 5], [5, -5]);
        break;
      case "flag":
        path([0, 0], [0, -16], [10, -12], [0, -8]);
        break;
      case "diamond":
        path([0, -6], [6, 0], [0, 6], [-6, 0], [0, -6]);
        break;
      case "dot": {
        const attrs = { ...at, r: 4 * scale };
        const styles = { ...solid, fill: color, solid: true };
        this.figures.push({ type: "ring", key: BODY, attrs, styles });
      }
    }
    const below = form === "arrow_up";
    // The text begins where the sign ends.
    const tall = form === "flag" || form === "arrow_down" || below ? 16 : 5;
    const clear = below ? Math.max(16, tall * scale) : Math.max(8, (tall * scale) / 2 + 5);
    const lines = [this.title(), ...text.split("\n")].filter((line) => line !== "").slice(0, 4);
    if (lines.length === 0) return;
    const { on } = this;
    const words = lines.map(short).join("\n");
    // The newest candle has room on its right.
    const x = Math.max(at.x, on.newest) + 10 * scale;
    const { width, height } = labelSize(words, this.letters());
    if (at.x + on.bar > on.newest && x + width <= on.width) {
      this.label({ x, y: at.y + height / 2 }, words, "left", true, { gap: 0 });
    } else this.label(at, words, "center", !below, { gap: clear + 2 });
  }

  private at(anchor: Anchor): Coordinate {
    return { x: this.on.x(anchor.time), y: this.on.y(anchor.price) };
  }

  private stroke(coordinates: Coordinate[], styles = this.style, key = BODY): void {
    this.figures.push({ type: "stroke", key, attrs: { coordinates }, styles });
  }

  /** Leads from the end of a line to its label at the right edge. */
  private lead(from: number, y: number, colour = this.style.color): void {
    if (from >= this.on.width) return;
    const coordinates = [
      { x: Math.max(0, from), y },
      { x: this.on.width, y },
    ];
    const styles = { color: faded(colour, 35), size: 1, dash: [6, 12] };
    this.figures.push({ type: "stroke", key: BODY, attrs: { coordinates }, styles });
  }

  private box(from: Coordinate, to: Coordinate, colour: string, percent: number): void {
    const attrs = {
      x: Math.min(from.x, to.x),
      y: Math.min(from.y, to.y),
      width: Math.abs(to.x - from.x),
      height: Math.abs(to.y - from.y),
    };
    this.figures.push({
      type: "box",
      key: FILL,
      attrs,
      styles: { color: faded(colour, percent) },
    });
  }

  private label(
    { x, y }: Coordinate,
    text: string,
    align: LabelAttrs["align"],
    above: boolean,
    { color, ...more }: { color?: string } & Pick<LabelAttrs, "gap" | "line" | "short"> = {},
  ): void {
    const attrs = { x, y, text, align, above, ...more };
    this.figures.push({ type: "label", key: BODY, attrs, styles: this.letters(color) });
  }

  /** A label at the right edge of a line that begins at `from`. */
  private edgeLabel(from: number, y: number, text: string, above: boolean, more: Partial<LabelText> = {}): void {
    this.label({ x: this.on.width - EDGE, y }, text, "right", above, { ...more, line: { from, to: this.on.width } });
  }

  /** The label of the drawing at the right edge of its line. */
  private nameLevel(from: number, y: number, above = true): void {
    if (this.look.label) this.edgeLabel(from, y, this.title(), above);
  }

  private letters(color = this.style.color): LabelStyle {
    const { theme } = this.on;
    return { color, halo: theme.panel, font: `${FONT_SIZE}px ${theme.family}`, size: FONT_SIZE };
  }

  /** Draws the label of the drawing at one of its places. */
  private name(at: Coordinate, align: LabelAttrs["align"], above = true): void {
    if (this.look.label) this.label(at, this.title(), align, above);
  }

  /**
   * Names at the right edge what begins at `from` and ends past the newest candle, or out of view
   * on that side. Returns whether it does.
   */
  private nameAhead(from: number, { x, y }: Coordinate, above = true): boolean {
    const { on } = this;
    const isAhead = from < on.width && x > Math.min(on.newest, on.width - 1) && y >= 0 && y <= on.height;
    if (isAhead && this.look.label) {
      this.lead(x, y);
      this.nameLevel(from, y, above);
    }
    return isAhead;
  }

  /** Returns the title; a drawing of the assistant has a star. */
  private title(): string {
    const { label, byModel } = this.look;
    return short(label && byModel ? `✦ ${label}` : label);
  }
}

function short(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** Returns the point where a line from one place through another leaves the canvas. */
function beyond(from: Coordinate, through: Coordinate, on: Canvas): Coordinate {
  const [dx, dy] = [through.x - from.x, through.y - from.y];
  if (dx === 0 && dy === 0) return through;
  const to = (distance: number, speed: number) => (speed === 0 ? FAR : distance / speed);
  const time = Math.min(
    to((dx > 0 ? on.width : 0) - from.x, dx),
    to((dy > 0 ? on.height : 0) - from.y, dy),
  );
  // At least through the second place, if that is itself outside.
  const part = Math.max(1, time);
  return { x: from.x + part * dx, y: from.y + part * dy };
}
