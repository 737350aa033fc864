// The kinds of figure: the painting of each, and its hit test.
import { type Coordinate, registerFigure } from "klinecharts";

export interface StrokeAttrs {
  coordinates: Coordinate[];
}

export interface StrokeStyle {
  color: string;
  size: number;
  dash: number[];
}

export interface RingAttrs {
  x: number;
  y: number;
  r: number;
}

export interface RingStyle extends StrokeStyle {
  fill: string;
  /** True if it is also hit inside. */
  solid: boolean;
}

export interface BoxAttrs {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface BoxStyle {
  color: string;
}

export interface LabelAttrs {
  x: number;
  y: number;
  /** One line or more. */
  text: string;
  align: "left" | "center" | "right";
  /** True if it is above the place, false if below. */
  above: boolean;
  /** Its distance from the place; 2 if there is none. */
  gap?: number;
  /** Of the name of a line: its ends. It is nowhere else, and not where it seems to name another one. */
  line?: { from: number; to: number };
  /** A text for where there is no room for the whole one. */
  short?: string | undefined;
}

export interface LabelStyle {
  color: string;
  /** The colour around the letters, so that they can be read on a candle. */
  halo: string;
  font: string;
  size: number;
}

/** A grip is hit even if it is invisible. */
export interface GripStyle {
  shown: boolean;
  color: string;
  fill: string;
}

/** A price on its scale. */
export interface TagAttrs {
  y: number;
  text: string;
  /** The side on which its place is out of view. */
  beyond: "above" | "below" | null;
}

export interface TagStyle {
  color: string;
  fill: string;
  border: string;
  font: string;
  size: number;
}

/** A figure that can be hit has the name of its part as the key. */
export type Figure = { key: string } & (
  | { type: "stroke"; attrs: StrokeAttrs; styles: StrokeStyle }
  | { type: "ring"; attrs: RingAttrs; styles: RingStyle }
  | { type: "box"; attrs: BoxAttrs; styles: BoxStyle }
  | { type: "label"; attrs: LabelAttrs; styles: LabelStyle }
  | { type: "grip"; attrs: RingAttrs; styles: GripStyle }
  | { type: "tag"; attrs: TagAttrs; styles: TagStyle }
);

/** Distance at which a pointer still hits, in pixels: a finger is coarse. */
let reach = 5;

export function aimWith(pointer: string): void {
  reach = pointer === "touch" ? 14 : 5;
}

export function hits(figure: Figure, at: Coordinate): boolean {
  if (figure.key === "") return false;
  switch (figure.type) {
    case "stroke":
      return onStroke(at, figure.attrs);
    case "ring":
      return onRing(at, figure.attrs, figure.styles);
    case "label":
      return onLabel(at, figure.attrs, figure.styles);
    case "grip":
      return onGrip(at, figure.attrs);
    case "box":
    case "tag":
      return false;
  }
}

export function register(): void {
  registerFigure<StrokeAttrs, StrokeStyle>({
    name: "stroke",
    checkEventOn: onStroke,
    draw(ctx, { coordinates }, { color, size, dash }) {
      const [first, ...others] = coordinates;
      if (first === undefined) return;
      // Axis-aligned lines of odd width lie on pixels, not between them.
      const straight = others.every((it) => it.y === first.y || it.x === first.x);
      const shift = straight && size % 2 === 1 ? 0.5 : 0;
      ctx.strokeStyle = color;
      ctx.lineWidth = size;
      ctx.setLineDash(dash);
      ctx.beginPath();
      ctx.moveTo(first.x + shift, first.y + shift);
      for (const { x, y } of others) ctx.lineTo(x + shift, y + shift);
      ctx.stroke();
      ctx.setLineDash([]);
    },
  });
  registerFigure<RingAttrs, RingStyle>({
    name: "ring",
    checkEventOn: onRing,
    draw(ctx, { x, y, r }, { color, size, dash, fill }) {
      ctx.beginPath();
      ctx.arc(x, y, r, 0, 2 * Math.PI);
      ctx.fillStyle = fill;
      ctx.fill();
      ctx.strokeStyle = color;
      ctx.lineWidth = size;
      ctx.setLineDash(dash);
      ctx.stroke();
      ctx.setLineDash([]);
    },
  });
  registerFigure<BoxAttrs, BoxStyle>({
    name: "box",
    // The inside of a drawing still belongs to the chart: it pans.
    checkEventOn: () => false,
    draw(ctx, { x, y, width, height }, { color }) {
      ctx.fillStyle = color;
      ctx.fillRect(x, y, width, height);
    },
  });
  registerFigure<LabelAttrs, LabelStyle>({
    name: "label",
    checkEventOn: onLabel,
    draw(ctx, attrs, style) {
      const box = labelBox(attrs, style);
      const lines = attrs.text.split("\n");
      const isCentred = attrs.align === "center";
      const x = isCentred ? box.x + box.width / 2 : box.x + PADDING;
      ctx.font = style.font;
      ctx.textAlign = isCentred ? "center" : "left";
      ctx.textBaseline = "middle";
      ctx.lineJoin = "round";
      ctx.lineWidth = 3;
      ctx.strokeStyle = style.halo;
      ctx.fillStyle = style.color;
      for (const [index, line] of lines.entries()) {
        const y = box.y + ((index + 0.5) * box.height) / lines.length;
        ctx.strokeText(line, x, y);
        ctx.fillText(line, x, y);
      }
    },
  });
  registerFigure<TagAttrs, TagStyle>({ name: "tag", checkEventOn: () => false, draw: drawTag });
  registerFigure<RingAttrs, GripStyle>({
    name: "grip",
    checkEventOn: onGrip,
    draw(ctx, { x, y, r }, { shown, color, fill }) {
      if (!shown) return;
      ctx.beginPath();
      ctx.arc(x, y, r, 0, 2 * Math.PI);
      ctx.fillStyle = fill;
      ctx.fill();
      ctx.strokeStyle = color;
      ctx.lineWidth = 2;
      ctx.stroke();
    },
  });
}

/** Height of a tag, and the places in it: its arrow's middle, its text's start, as the scale has it, and its end. */
export const TAG_HEIGHT = 18;
const TAG = { arrow: 4.5, text: 8, end: 3 };

function drawTag(ctx: CanvasRenderingContext2D, { y, text, beyond }: TagAttrs, style: TagStyle): void {
  const { color, fill, border, font, size } = style;
  const width = TAG.text + widthOf(text, font, size) + TAG.end;
  ctx.beginPath();
  ctx.roundRect(0.5, Math.round(y - TAG_HEIGHT / 2) + 0.5, Math.round(width), TAG_HEIGHT - 1, 2);
  ctx.fillStyle = fill;
  ctx.fill();
  ctx.strokeStyle = border;
  ctx.lineWidth = 1;
  ctx.stroke();
  ctx.fillStyle = color;
  if (beyond !== null) {
    const way = beyond === "above" ? -1 : 1;
    ctx.beginPath();
    ctx.moveTo(TAG.arrow - 3, y - 3 * way);
    ctx.lineTo(TAG.arrow + 3, y - 3 * way);
    ctx.lineTo(TAG.arrow, y + 3 * way);
    ctx.fill();
  }
  ctx.font = font;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  ctx.fillText(text, TAG.text, y);
}

const PADDING = 3;

/** The context for measuring; labels are measured at every frame, and seldom change. */
let context: CanvasRenderingContext2D | null = null;
const widths = new Map<string, number>();

/** Returns the width of a text, in pixels. */
export function widthOf(text: string, font: string, size: number): number {
  const key = `${font} ${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  context ??= document.createElement("canvas").getContext("2d");
  if (context) context.font = font;
  const width = context?.measureText(text).width ?? text.length * size * 0.6;
  if (widths.size > 2_000) widths.clear();
  widths.set(key, width);
  return width;
}

export function labelBox(attrs: LabelAttrs, style: LabelStyle): BoxAttrs {
  return placed(attrs, labelSize(attrs.text, style));
}

export type Size = Pick<BoxAttrs, "width" | "height">;

export function labelSize(text: string, { font, size }: LabelStyle): Size {
  const lines = text.split("\n");
  const width = Math.max(...lines.map((line) => widthOf(line, font, size)));
  return { width: width + 2 * PADDING, height: lines.length * (size + 2 * PADDING) };
}

/** Returns the place of a label of a known size. */
export function placed({ x, y, align, above, gap = 2 }: LabelAttrs, { width, height }: Size): BoxAttrs {
  const left = align === "left" ? x : align === "right" ? x - width : x - width / 2;
  return { x: left, y: above ? y - height - gap : y + gap, width, height };
}

function onLabel(at: Coordinate, attrs: LabelAttrs, style: LabelStyle): boolean {
  const { x, y, width, height } = labelBox(attrs, style);
  return at.x >= x && at.x <= x + width && at.y >= y && at.y <= y + height;
}

function onGrip(at: Coordinate, { x, y, r }: RingAttrs): boolean {
  return Math.hypot(at.x - x, at.y - y) <= r + reach;
}

function onRing(at: Coordinate, { x, y, r }: RingAttrs, { solid }: RingStyle): boolean {
  const distance = Math.hypot(at.x - x, at.y - y);
  return solid ? distance <= r + reach : Math.abs(distance - r) <= reach;
}

function onStroke(at: Coordinate, { coordinates }: StrokeAttrs): boolean {
  return coordinates.some((to, index) => {
    const from = coordinates[index - 1];
    return from !== undefined && toSegment(at, from, to) <= reach;
  });
}

/** Returns the distance from a place to the nearest point of a segment. */
function toSegment(at: Coordinate, from: Coordinate, to: Coordinate): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : ((at.x - from.x) * dx + (at.y - from.y) * dy) / length;
  const part = Math.min(1, Math.max(0, along));
  return Math.hypot(at.x - from.x - part * dx, at.y - from.y - part * dy);
}
