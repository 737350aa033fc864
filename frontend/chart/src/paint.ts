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

/** All of a drawing or layer is one figure for the library, which makes a dozen objects for each, at every frame. */
export interface Parts {
  type: "parts";
  attrs: { parts: readonly Figure[] };
  styles?: never;
}

/** Returns figures as the library takes them. */
export function inOne(parts: readonly Figure[]): Parts[] {
  return parts.length === 0 ? [] : [{ type: "parts", attrs: { parts } }];
}

/** Returns the topmost figure at a place. */
export function topmost(parts: readonly Figure[], at: Coordinate): Figure | undefined {
  for (let index = parts.length - 1; index >= 0; index -= 1) {
    const part = parts[index];
    if (part !== undefined && hits(part, at)) return part;
  }
  return undefined;
}

export function register(): void {
  registerFigure<Parts["attrs"], unknown>({
    name: "parts",
    checkEventOn: (at, { parts }) => topmost(parts, at) !== undefined,
    draw(ctx, { parts }) {
      for (const part of parts) paint(ctx, part);
    },
  });
  registerFigure<BoxAttrs | BoxAttrs[], RectStyle>({
    name: "rect",
    checkEventOn: () => false,
    draw: paintRects,
  });
}

interface RectStyle {
  style?: "fill" | "stroke" | "stroke_fill";
  color?: string;
  borderColor?: string;
  borderSize?: number;
}

/** Candles and bars: the library makes a rounded path of each, also where nothing is round. */
function paintRects(ctx: CanvasRenderingContext2D, attrs: BoxAttrs | BoxAttrs[], styles: RectStyle): void {
  const { style = "fill", color = "transparent", borderColor = "transparent", borderSize = 1 } = styles;
  const rects = Array.isArray(attrs) ? attrs : [attrs];
  if (style !== "stroke") {
    ctx.fillStyle = color;
    for (const { x, y, width, height } of rects) ctx.fillRect(x, y, width, height);
  }
  if (style === "fill" || (style === "stroke_fill" && borderColor === color)) return;
  ctx.strokeStyle = borderColor;
  ctx.lineWidth = borderSize;
  ctx.fillStyle = borderColor;
  for (const { x, y, width, height } of rects) {
    if (width > 2 * borderSize && height > 2 * borderSize) {
      ctx.strokeRect(x + borderSize / 2, y + borderSize / 2, width - borderSize, height - borderSize);
    } else if (style === "stroke") ctx.fillRect(x, y, width, height);
  }
}

function paint(ctx: CanvasRenderingContext2D, figure: Figure): void {
  switch (figure.type) {
    case "stroke":
      return paintStroke(ctx, figure.attrs, figure.styles);
    case "ring":
      return paintRing(ctx, figure.attrs, figure.styles);
    case "box": {
      const { x, y, width, height } = figure.attrs;
      ctx.fillStyle = figure.styles.color;
      ctx.fillRect(x, y, width, height);
      return;
    }
    case "label":
      return paintLabel(ctx, figure.attrs, figure.styles);
    case "tag":
      return paintTag(ctx, figure.attrs, figure.styles);
    case "grip":
      return paintGrip(ctx, figure.attrs, figure.styles);
  }
}

function paintStroke(
  ctx: CanvasRenderingContext2D,
  { coordinates }: StrokeAttrs,
  { color, size, dash }: StrokeStyle,
): void {
  const [first, ...others] = coordinates;
  if (first === undefined) return;
  // Axis-aligned lines of odd width lie on pixels, not between them.
  const straight = others.every((it) => it.y === first.y || it.x === first.x);
  const shift = straight && size % 2 === 1 ? 0.5 : 0;
  const [end] = others;
  if (end !== undefined && others.length === 1 && dash.length === 0 && end.y === first.y) {
    // A rectangle takes a tenth of the time of a path.
    ctx.fillStyle = color;
    ctx.fillRect(first.x + shift, first.y + shift - size / 2, end.x - first.x, size);
    return;
  }
  ctx.strokeStyle = color;
  ctx.lineWidth = size;
  if (dash.length > 0) ctx.setLineDash(dash);
  ctx.beginPath();
  ctx.moveTo(first.x + shift, first.y + shift);
  for (const { x, y } of others) ctx.lineTo(x + shift, y + shift);
  ctx.stroke();
  if (dash.length > 0) ctx.setLineDash([]);
}

function paintRing(ctx: CanvasRenderingContext2D, { x, y, r }: RingAttrs, { color, size, dash, fill }: RingStyle): void {
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 2 * Math.PI);
  ctx.fillStyle = fill;
  ctx.fill();
  ctx.strokeStyle = color;
  ctx.lineWidth = size;
  ctx.setLineDash(dash);
  ctx.stroke();
  ctx.setLineDash([]);
}

function paintLabel(ctx: CanvasRenderingContext2D, attrs: LabelAttrs, style: LabelStyle): void {
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
}

function paintGrip(ctx: CanvasRenderingContext2D, { x, y, r }: RingAttrs, { shown, color, fill }: GripStyle): void {
  if (!shown) return;
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 2 * Math.PI);
  ctx.fillStyle = fill;
  ctx.fill();
  ctx.strokeStyle = color;
  ctx.lineWidth = 2;
  ctx.stroke();
}

/** Height of a tag, and the places in it: its arrow's middle, its text's start, as the scale has it, and its end. */
export const TAG_HEIGHT = 18;
const TAG = { arrow: 4.5, text: 8, end: 3 };

function paintTag(ctx: CanvasRenderingContext2D, { y, text, beyond }: TagAttrs, style: TagStyle): void {
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
