// The types of the interface: markets, candles, drawings, events.

/** A place that is the same on every timeframe. Times are RFC 3339 in UTC, to the second. */
export interface Anchor {
  time: string;
  price: number;
}

export type Extent = "segment" | "ray" | "extended" | "arrow";
export type Side = "long" | "short";
export type Risk = { percent: number } | { money: number };

export type Shape =
  | { kind: "horizontal_line"; price: number }
  | { kind: "horizontal_ray"; start: string; price: number }
  | { kind: "trendline"; from: Anchor; to: Anchor; extent: Extent }
  | { kind: "rectangle"; from: Anchor; to: Anchor; fill?: Fill }
  | { kind: "circle"; centre: Anchor; edge: Anchor }
  | Fibonacci
  | Position
  | Marker;

export type Fill = "none" | "light" | "strong";
export type MarkerType = "dot" | "arrow_up" | "arrow_down" | "cross" | "flag" | "diamond";
export type MarkerSize = "small" | "medium" | "large";

export interface Marker {
  kind: "marker";
  at: Anchor;
  text: string;
  icon: string;
  type?: MarkerType;
  size?: MarkerSize;
}

export interface Fibonacci {
  kind: "fibonacci";
  from: Anchor;
  to: Anchor;
  levels: number[];
  extend: boolean;
  reverse: boolean;
  show_prices: boolean;
}

export interface Position {
  kind: "position";
  side: Side;
  start: string;
  entry: number;
  stop: number;
  target: number;
  /** The account and what is at risk are known only if somebody has said them. */
  account?: number;
  risk?: Risk;
  leverage?: number;
  /** None in a sketch. */
  lot?: number;
  lot_step?: number;
}

export type Colour = "cyan" | "green" | "red" | "amber" | "violet" | "grey";
export type Line = "solid" | "dashed" | "dotted";
export type Importance = "low" | "medium" | "high";

/** A drawing, with the fields that the chart uses. */
export interface Drawing {
  id: string;
  shape: Shape;
  colour: Colour;
  line: Line;
  /** 0 for the default width of its importance. */
  width: number;
  label: string;
  importance: Importance;
  locked: boolean;
  hidden: boolean;
  /** Timeframes that it is shown on; empty for all. */
  visibleOn: string[];
  byModel: boolean;
  /** Time at which a position was closed: its boxes end there. */
  closed: string | null;
}

export interface Market {
  symbol: string;
  digits: number;
  pip: number;
  timeframe: string;
  /** `null` if it is always traded. */
  session: SessionHours | null;
}

/**
 * The hours of a trading day, in minutes after midnight. If it closes no later than it opens, it
 * opens on the evening before.
 */
export interface SessionHours {
  /** The time zone of the hours, as IANA names it. */
  zone: string;
  opens: number;
  closes: number;
  /** The days on which a session closes, from 0 for Monday to 6 for Sunday. */
  days: number[];
}

/** Opening in Unix seconds, open, high, low, close, volume. */
export type Candle = [number, number, number, number, number, number];

export type ChartEvent =
  | { type: "drawn"; shape: Shape }
  | { type: "dragged"; id: string; shape: Shape }
  | { type: "selected"; id: string | null }
  | { type: "menu"; id: string; x: number; y: number }
  | { type: "need_older"; before: number }
  | { type: "range"; from: number; to: number }
  | { type: "measured" }
  | { type: "bar"; time: number }
  | { type: "cancelled" };

export type Emit = (event: ChartEvent) => void;
