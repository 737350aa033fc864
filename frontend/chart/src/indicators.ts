// The indicators that a person has chosen. Most are the library's; the others are here.
import {
  type AxisOverride,
  type Chart,
  type Indicator,
  type IndicatorCreate,
  type IndicatorCreateTooltipDataSourceCallback,
  type IndicatorDrawCallback,
  type KLineData,
  registerIndicator,
} from "klinecharts";
import { BadInput } from "./read.ts";
import { axisRange } from "./scale.ts";
import { LEGEND } from "./theme.ts";
import { decimalsOf, ticksOf } from "./ticks.ts";

interface Kind {
  params: number[];
  /** True on the candles, false in a pane of its own. */
  over: boolean;
  /** Decimals beyond those of a price. */
  finer?: number;
  /** Decimals of values that are no prices. */
  decimals?: number;
  /** The values beside its scale, which are always in view, the most important ones first. */
  lines?: readonly number[];
  /** What differs from the library's own. */
  own?: Partial<IndicatorCreate>;
}

/** Below this width of a pane its texts have no names, or they would break into rows. */
export const NARROW = 400;

/** The texts over a pane: each value has the colour of its line, that of a bar in full. */
const legend: IndicatorCreateTooltipDataSourceCallback<unknown> = ({ chart, indicator, crosshair, bounding }) => {
  const { name, paneId, shortName, calcParams, figures, precision, result } = indicator;
  const { indicator: styles, candle } = chart.getStyles();
  const values = (result.at(crosshair.dataIndex ?? -1) ?? {}) as Record<string, number | undefined>;
  const isNarrow = bounding.width < NARROW;
  const legends = figures.map(({ key, title, type }, index) => {
    const value = values[key];
    const bar = (value ?? 0) < 0 ? candle.bar.downColor : candle.bar.upColor;
    const color = type === "bar" ? bar : (styles.lines[index]?.color ?? bar);
    const text = value?.toFixed(precision) ?? styles.tooltip.legend.defaultValue;
    // On the candles the names are of the lines.
    return { title: { text: isNarrow && paneId !== CANDLES ? "" : (title ?? ""), color }, value: { text, color } };
  });
  return {
    name: isNarrow && paneId === CANDLES ? "" : (shortName || name),
    calcParamsText: isNarrow ? "" : `(${calcParams.join(",")})`,
    legends,
    features: [],
  };
};

/** Formats a volume. Sources do not say what they count; candles that came without a volume have 0. */
function volumeText(value: unknown): string {
  const { volume = 0 } = (value ?? {}) as { volume?: number };
  return volume === 0 ? "unknown" : `${volume.toLocaleString("en-US")} units`;
}

/** Formats a number of the scale of volumes. The library writes B, which are bytes elsewhere. */
export function bigNumber(value: string | number): string {
  const number = Number(value);
  for (const [size, word] of [[1e9, "bn"], [1e6, "M"], [1e3, "k"]] as const) {
    if (Math.abs(number) >= size) return `${Number((number / size).toFixed(1))} ${word}`;
  }
  return String(value);
}

/** Paints the lines beyond which a price counts as bought or sold too much; returns that the rest is to be painted. */
const ruled: IndicatorDrawCallback<unknown, unknown, unknown> = ({ ctx, chart, bounding, yAxis }) => {
  ctx.save();
  ctx.setLineDash([2, 3]);
  ctx.strokeStyle = chart.getStyles().yAxis.tickText.color;
  ctx.beginPath();
  for (const value of [30, 70]) {
    const y = yAxis.convertToPixel(value) + 0.5;
    ctx.moveTo(0, y);
    ctx.lineTo(bounding.width, y);
  }
  ctx.stroke();
  ctx.restore();
  return false;
};

const VOLUME: Partial<IndicatorCreate> = {
  shortName: "Volume",
  createTooltipDataSource: ({ indicator, crosshair }) => {
    const value = volumeText(indicator.result.at(crosshair.dataIndex ?? -1));
    return { name: indicator.shortName, calcParamsText: "", legends: [{ title: "", value }], features: [] };
  },
};

export const INDICATORS: Record<string, Kind> = {
  MA: { params: [50, 200], over: true },
  EMA: { params: [20, 50], over: true },
  BOLL: { params: [20, 2], over: true },
  VOL: { params: [], over: false, own: VOLUME },
  // There is one; the library would count it.
  RSI: {
    params: [14],
    over: false,
    decimals: 1,
    lines: [30, 70, 50],
    own: { figures: [{ key: "rsi1", title: "RSI ", type: "line" }], draw: ruled },
  },
  MACD: { params: [12, 26, 9], over: false, finer: 1 },
  ATR: { params: [14], over: false, finer: 1 },
};

const CANDLES = "candle_pane";

/** The lines of a scale that are always in view. */
function fixed(lines: readonly number[]): Pick<AxisOverride, "createRange"> {
  const [least, most] = [Math.min(...lines) - EDGE, Math.max(...lines) + EDGE];
  return {
    createRange: ({ defaultRange: { from, to } }) => {
      return axisRange({ from: Math.min(from, least), to: Math.max(to, most) }, false);
    },
  };
}

/** Room beyond the outermost line, in values. */
const EDGE = 6;
/** Height of a pane of its own in pixels; as a share of the chart, and of all of them. */
const HEIGHT = { most: 110, share: 0.18, all: 0.42 };
/** Height of the row of texts over a pane, in pixels. */
const ROW = 26;
/** Room below the values, as a share of their height. */
const BELOW = 0.1;

export class Indicators {
  private shown: string[] = [];
  private digits = 0;

  constructor(
    private readonly chart: Chart,
    private readonly height: () => number,
  ) {
    register();
  }

  /** Shows exactly these, whose values have the decimals of the prices. */
  show(names: readonly string[], digits: number): void {
    const unknown = names.find((name) => INDICATORS[name] === undefined);
    if (unknown !== undefined) throw new BadInput(`no indicator is called ${unknown}`);
    const stale = digits !== this.digits ? this.shown : this.shown.filter((it) => !names.includes(it));
    for (const name of stale) this.chart.removeIndicator({ name });
    const kept = this.shown.filter((name) => !stale.includes(name));
    this.shown = [...names];
    this.digits = digits;
    for (const name of names) if (!kept.includes(name)) this.create(name);
    this.share();
  }

  /** Gives all panes of their own a height that leaves most of the chart to the candles. */
  private share(): void {
    const own = this.shown.filter((name) => INDICATORS[name]?.over === false);
    const all = this.height();
    const height = Math.min(HEIGHT.most, all * HEIGHT.share, (all * HEIGHT.all) / own.length);
    for (const name of own) {
      const paneId = `pane_${name}`;
      this.chart.setPaneOptions({ id: paneId, height });
      // Shares of the values' own height.
      const top = (ROW * (1 + BELOW)) / Math.max(1, height - ROW);
      this.chart.overrideYAxis({ paneId, gap: { top, bottom: BELOW } });
    }
  }

  /** Follows a symbol whose prices have other decimals. */
  round(digits: number): void {
    if (digits !== this.digits) this.show(this.shown, digits);
  }

  private create(name: string): void {
    const kind = INDICATORS[name];
    if (kind === undefined) return;
    const { finer, decimals, lines, own } = kind;
    const precision = finer === undefined ? decimals : this.digits + finer;
    const options = {
      name,
      calcParams: kind.params,
      createTooltipDataSource: legend,
      ...own,
      ...(precision === undefined ? {} : { precision }),
    };
    if (kind.over) {
      this.chart.createIndicator({ ...options, paneId: CANDLES }, true);
      return;
    }
    const paneId = `pane_${name}`;
    this.chart.createIndicator({ ...options, paneId });
    const write = (value: number, step: number) => {
      return name === "VOL" ? bigNumber(value) : value.toFixed(lines ? 0 : decimalsOf(step));
    };
    this.chart.overrideYAxis({ paneId, createTicks: ticksOf({ write, values: lines }), ...(lines && fixed(lines)) });
  }

  /** The rows of text over the candles: that of a candle's prices, and one of each indicator on them. */
  rows(width: number): string[][] {
    const price = (this.chart.getDataList().at(-1)?.close ?? 0).toFixed(this.digits);
    const own = this.chart.getIndicators({ paneId: CANDLES }).map(({ shortName, calcParams, figures }) => {
      const name = width < NARROW ? [] : [`${shortName}(${calcParams.join(",")})`];
      return [...name, ...figures.map(({ title = "" }) => title + price)];
    });
    return [LEGEND.map(({ title }) => title + price), ...own];
  }

  /** The state for tests: names and the values at the newest bar, that of volume also as it is shown. */
  state(): { name: string; last: unknown; text?: string }[] {
    return this.chart.getIndicators().map(({ name, result }) => {
      const last = result.at(-1);
      return name === "VOL" ? { name, last, text: volumeText(last) } : { name, last };
    });
  }
}

/** An exponential average that starts from the plain one; none for the first values. */
export function ema(values: readonly (number | undefined)[], period: number): (number | undefined)[] {
  let sum = 0;
  let count = 0;
  let last: number | undefined;
  return values.map((value) => {
    if (value === undefined) return undefined;
    count += 1;
    sum += value;
    if (count < period) return undefined;
    last = last === undefined ? sum / period : last + ((value - last) * 2) / (period + 1);
    return last;
  });
}

interface Macd {
  macd?: number | undefined;
  signal?: number | undefined;
  histogram?: number | undefined;
}

/** The difference of two averages, its own average, and their difference. */
function macd(bars: readonly KLineData[], [fast, slow, smooth]: number[]): Macd[] {
  const closes = bars.map(({ close }) => close);
  const [quick, steady] = [ema(closes, fast ?? 12), ema(closes, slow ?? 26)];
  const lines = quick.map((value, index) => {
    const other = steady[index];
    return value === undefined || other === undefined ? undefined : value - other;
  });
  const signals = ema(lines, smooth ?? 9);
  return lines.map((line, index) => {
    const signal = signals[index];
    const histogram = line === undefined || signal === undefined ? undefined : line - signal;
    return { macd: line, signal, histogram };
  });
}

interface Atr {
  atr?: number | undefined;
}

/** Wilder's average of the true range, from the second bar on. */
function atr(bars: readonly KLineData[], [period = 14]: number[]): Atr[] {
  let sum = 0;
  let last: number | undefined;
  return bars.map((bar, index) => {
    const before = bars[index - 1];
    if (before === undefined) return {};
    const range =
      Math.max(bar.high, before.close) - Math.min(bar.low, before.close);
    sum += range;
    if (index < period) return {};
    last = last === undefined ? sum / period : (last * (period - 1) + range) / period;
    return { atr: last };
  });
}

let registered = false;

/** Registers once for all charts. The library's own MACD doubles its histogram. */
function register(): void {
  if (registered) return;
  registered = true;
  registerIndicator<Macd, number>({
    name: "MACD",
    shortName: "MACD",
    calcParams: [12, 26, 9],
    figures: [
      { key: "macd", title: "MACD ", type: "line" },
      { key: "signal", title: "Signal ", type: "line" },
      {
        key: "histogram",
        title: "Histogram ",
        type: "bar",
        baseValue: 0,
        styles: ({ data, defaultStyles }) => {
          const bar = defaultStyles?.bars[0];
          const up = (data.current?.histogram ?? 0) >= 0;
          const color = up ? bar?.upColor : bar?.downColor;
          return color === undefined ? null : { style: "fill", color, borderColor: color };
        },
      },
    ],
    calc: (bars: KLineData[], { calcParams }: Indicator<Macd, number>) => macd(bars, calcParams),
  });
  registerIndicator<Atr, number>({
    name: "ATR",
    shortName: "ATR",
    calcParams: [14],
    figures: [{ key: "atr", title: "ATR ", type: "line" }],
    calc: (bars: KLineData[], { calcParams }: Indicator<Atr, number>) => atr(bars, calcParams),
  });
}
