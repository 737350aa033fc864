// Reads the JSON of the interface. Each error names its field.
import type {
  Candle,
  Colour,
  Drawing,
  Fill,
  Importance,
  Line,
  Market,
  MarkerSize,
  MarkerType,
  SessionHours,
  Shape,
} from "./model.ts";
import { isTime } from "./time.ts";

export class BadInput extends Error {}

type Fields = Record<string, unknown>;

/** The required fields of each shape besides its kind. */
const SHAPES: Record<Shape["kind"], Record<string, (value: unknown) => boolean>> = {
  horizontal_line: { price: isPrice },
  horizontal_ray: { start: isTime, price: isPrice },
  trendline: { from: isAnchor, to: isAnchor, extent: oneOf("segment", "ray", "extended", "arrow") },
  rectangle: { from: isAnchor, to: isAnchor },
  circle: { centre: isAnchor, edge: isAnchor },
  fibonacci: { from: isAnchor, to: isAnchor, levels: isLevels },
  position: {
    side: oneOf("long", "short"),
    start: isTime,
    entry: isPrice,
    stop: isPrice,
    target: isPrice,
  },
  marker: { at: isAnchor, text: isText },
};

const COLOURS: readonly Colour[] = ["cyan", "green", "red", "amber", "violet", "grey"];
const LINES: readonly Line[] = ["solid", "dashed", "dotted"];
const FILLS: readonly Fill[] = ["none", "light", "strong"];
const MARKERS: readonly MarkerType[] = [
  "dot",
  "arrow_up",
  "arrow_down",
  "cross",
  "flag",
  "diamond",
];
const SIZES: readonly MarkerSize[] = ["small", "medium", "large"];
const IMPORTANCE: readonly Importance[] = ["low", "medium", "high"];

export function readDrawing(json: string): Drawing {
  const record = fields(parse(json), "the drawing");
  const id = record.id;
  if (typeof id !== "string" || id === "") throw new BadInput("id: it is missing");
  const content = fields(record.content, "content");
  const style = isFields(content.style) ? content.style : {};
  const life = isFields(record.life) ? record.life : {};
  const closed = isFields(life.closed) ? life.closed.time : null;
  return {
    id,
    shape: readShape(content.shape),
    colour: known(COLOURS, style.colour, "cyan"),
    line: known(LINES, style.line, "solid"),
    width: typeof style.width === "number" ? Math.min(4, Math.max(0, style.width)) : 0,
    label: isText(content.label) ? content.label : "",
    importance: known(IMPORTANCE, content.importance, "medium"),
    locked: content.locked === true,
    hidden: content.hidden === true,
    visibleOn: Array.isArray(content.visible_on) ? content.visible_on.filter(isText) : [],
    byModel: record.actor === "model",
    closed: isTime(closed) ? closed : null,
  };
}

function readShape(value: unknown): Shape {
  const shape = fields(value, "shape");
  const kind = shape.kind;
  if (!isText(kind) || !Object.hasOwn(SHAPES, kind)) {
    throw new BadInput(`shape.kind: ${JSON.stringify(kind)} is not known`);
  }
  for (const [name, fits] of Object.entries(SHAPES[kind as Shape["kind"]])) {
    if (!fits(shape[name])) throw new BadInput(`shape.${name}: it is missing or no good`);
  }
  const optional: Fields = {};
  if (kind === "fibonacci") {
    for (const name of ["extend", "reverse", "show_prices"]) optional[name] = shape[name] === true;
  } else if (kind === "marker") {
    optional.icon = isText(shape.icon) ? shape.icon : "";
    optional.type = MARKERS.find((word) => word === shape.type);
    optional.size = SIZES.find((word) => word === shape.size);
  } else if (kind === "rectangle") {
    optional.fill = FILLS.find((word) => word === shape.fill);
  }
  return { ...shape, ...optional } as unknown as Shape;
}

export function readMarket(json: string): Market {
  const market = fields(parse(json), "the market");
  const { symbol, digits, pip, timeframe } = market;
  if (!isText(symbol) || symbol === "") throw new BadInput("symbol: it is missing");
  if (!isText(timeframe) || timeframe === "") throw new BadInput("timeframe: it is missing");
  if (!Number.isInteger(digits) || Number(digits) < 0 || Number(digits) > 10) {
    throw new BadInput("digits: it is no number from 0 to 10");
  }
  if (!isPrice(pip) || Number(pip) <= 0) throw new BadInput("pip: it is no number above 0");
  const session = readHours(market.session);
  return { symbol, timeframe, digits: Number(digits), pip: Number(pip), session };
}

function readHours(value: unknown): SessionHours | null {
  if (value === null || value === undefined) return null;
  const { zone, opens, closes, days } = fields(value, "session");
  if (!isText(zone) || zone === "") throw new BadInput("session.zone: it is missing");
  if (!isWhole(opens, 1_439) || !isWhole(closes, 1_439)) {
    throw new BadInput("session: it has no minutes from 0 to 1439");
  }
  if (!Array.isArray(days) || !days.every((day) => isWhole(day, 6))) {
    throw new BadInput("session.days: they are no numbers from 0 to 6");
  }
  // A browser may be older than a zone; without it, bars are counted by the clock.
  return isZone(zone) ? { zone, opens, closes, days } : null;
}

function isZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en-US", { timeZone: name }));
  } catch {
    return false;
  }
}

/** A page of candles, oldest first, each opening once. */
export function readPage(json: string): { candles: Candle[]; more: boolean } {
  const page = fields(parse(json), "the page");
  if (!Array.isArray(page.candles)) throw new BadInput("candles: they are missing");
  const candles = page.candles.map(readCandle).sort((one, other) => one[0] - other[0]);
  return {
    candles: candles.filter((candle, at) => candle[0] !== candles[at + 1]?.[0]),
    more: page.more === true,
  };
}

/** The bar that a replay has reached, in Unix seconds; null for no replay. */
export function readReached(json: string): number | null {
  const { until } = fields(parse(json), "the replay");
  if (until === null || until === undefined) return null;
  if (!Number.isInteger(until)) throw new BadInput("until: it is no time");
  return Number(until);
}

/** The candles of another symbol, with its name; null for none. */
export function readCompared(json: string): { label: string; candles: Candle[] } | null {
  if (json === "") return null;
  const { label } = fields(parse(json), "the comparison");
  if (!isText(label) || label === "") throw new BadInput("label: it is missing");
  return { label, candles: readPage(json).candles };
}

export function readCandle(value: unknown): Candle {
  if (!Array.isArray(value) || value.length < 5 || !value.every(Number.isFinite)) {
    throw new BadInput(`candles: ${JSON.stringify(value)} is none`);
  }
  const [time, open, high, low, close, volume] = value as number[];
  return [time ?? 0, open ?? 0, high ?? 0, low ?? 0, close ?? 0, volume ?? 0];
}

/** The time to scroll to; null for the newest. */
export function readTarget(json: string): string | null {
  const { time } = fields(parse(json), "the target");
  if (time === null || time === undefined) return null;
  if (!isTime(time)) throw new BadInput("time: it is no time in UTC");
  return time;
}

/** Reads names with spaces between them. */
export function readNames(text: string): string[] {
  return [...new Set(text.split(" ").filter((name) => name !== ""))];
}

export function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new BadInput("it is no JSON");
  }
}

function fields(value: unknown, name: string): Fields {
  if (!isFields(value)) throw new BadInput(`${name}: it is no object`);
  return value;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isWhole(value: unknown, most: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= most;
}

function isPrice(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value);
}

function isAnchor(value: unknown): boolean {
  return isFields(value) && isTime(value.time) && isPrice(value.price);
}

function isLevels(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.length <= 20 && value.every(isPrice);
}

function oneOf(...words: string[]): (value: unknown) => boolean {
  return (value) => isText(value) && words.includes(value);
}

function known<T extends string>(words: readonly T[], value: unknown, usual: T): T {
  return words.find((word) => word === value) ?? usual;
}
