// One chart on the page.
import { type AxisTick, type Chart, dispose, init } from "klinecharts";
import { TimeAxis } from "./axis.ts";
import { type Span, barsInView, bodies } from "./bodies.ts";
import { Comparison } from "./comparison.ts";
import { Drawings, type Stage, registerDrawings } from "./drawings.ts";
import { Feed } from "./feed.ts";
import type { Canvas } from "./figures.ts";
import { Gaps } from "./gaps.ts";
import { Gestures } from "./gestures.ts";
import { Indicators, NARROW, bigNumber } from "./indicators.ts";
import type { Hand } from "./hand.ts";
import { legend } from "./labels.ts";
import { Measure } from "./measure.ts";
import type { ChartEvent, Emit, Market } from "./model.ts";
import {
  parse,
  readCandle,
  readCompared,
  readDrawing,
  readMarket,
  readNames,
  readPage,
  readReached,
  readTarget,
} from "./read.ts";
import { axisRange } from "./scale.ts";
import type { BoxAttrs } from "./paint.ts";
import { BarPicker } from "./picker.ts";
import { LastPrice } from "./price.ts";
import type { Place } from "./shape.ts";
import { type Theme, read as readTheme } from "./theme.ts";
import { ticksOf, withHead } from "./ticks.ts";
import { Timeline, frame, seconds, sessions, text } from "./time.ts";

/** Interval between reports of the range in view, in milliseconds. */
const THROTTLE = 150;

const PANE = { paneId: "candle_pane" };

/** Width of the element below which the library has no room for bars, in pixels. */
const TOO_NARROW = 120;

/** Room between the legend and the highest candle, for its price, in pixels. */
const HEAD = 12;

/** A value of the scale that is nearer to the middle of a tag would be cut, in pixels. */
const CLEAR = 16;

/** Room that a row of the legend saves in a narrow pane, in pixels. */
const CLOSER = 8;

/** Room right of the last candle: in pixels, and as a share of the width. */
const LABELS = { least: 100, most: 180, share: 0.17 };

export class View implements Stage {
  readonly chart: Chart;
  timeline: Timeline;
  private market: Market;
  private isOpen: (unix: number) => boolean;
  private theme: Theme;
  private readonly axis: TimeAxis;
  private readonly feed: Feed;
  private readonly drawings: Drawings;
  private readonly gestures: Gestures;
  private readonly indicators: Indicators;
  private readonly measure: Measure;
  private readonly comparison: Comparison;
  private readonly gaps: Gaps;
  private readonly price: LastPrice;
  private readonly hands: Record<string, Hand>;
  /** The values of the scale of prices, and which of them are not written. */
  private values: AxisTick[] = [];
  private cut: string[] = [];
  private alive = true;
  private rescaling = false;
  private isLog = false;
  /** False if the last price is the last known one only. */
  private isKnown = true;
  private readonly resized: ResizeObserver;
  private rangeTimer: number | null = null;
  private lastRange = "";

  constructor(
    private readonly element: HTMLElement,
    options: string,
    private readonly on: (event: string) => void,
  ) {
    registerDrawings();
    this.market = readMarket(options);
    this.isOpen = this.openingHours();
    this.timeline = this.timelineOf([]);
    this.theme = readTheme(element, this.isKnown);
    const chart = init(element, {
      timezone: "UTC",
      locale: "en-US",
      styles: this.theme.styles,
      formatter: {
        formatBigNumber: bigNumber,
        // Nothing else of the library's has a time.
        formatDate: (params) => (params.type === "crosshair" ? this.axis.pointed(params) : ""),
      },
      thousandsSeparator: { sign: "" },
      // Prices are shown with all their decimals.
      decimalFold: { threshold: 20 },
      // The library listens to the whole document; `Gestures` to the chart alone.
      hotkey: { enabled: false },
    });
    if (chart === null) throw new Error("the chart has no place on the page");
    this.chart = chart;
    this.axis = new TimeAxis(chart, PANE, () => this.timeline);
    this.feed = new Feed((before) => this.emit({ type: "need_older", before }));
    this.drawings = new Drawings(this, this.emit);
    this.price = new LastPrice(this, () => this.feed.candles, () => this.drawings.levels());
    this.comparison = new Comparison(this, () => this.feed.candles);
    this.gaps = new Gaps(this, () => this.isOpen);
    this.measure = new Measure(this);
    this.hands = { measure: this.measure, bar: new BarPicker(this) };
    const hands = Object.values(this.hands);
    this.gestures = new Gestures(element, chart, this.drawings, hands, this.emit);
    this.indicators = new Indicators(chart, () => element.getBoundingClientRect().height);
    chart.subscribeAction("onVisibleRangeChange", this.ranged);
    const { width } = element.getBoundingClientRect();
    // The labels of drawings are right of the last candle.
    chart.setOffsetRightDistance(Math.max(LABELS.least, Math.min(LABELS.most, width * LABELS.share)));
    this.resized = this.followSize();
    this.rescale();
    this.tellMarket();
    // Loading starts when symbol, period and loader are there.
    chart.setDataLoader(this.feed.loader);
  }

  get digits(): number {
    return this.market.digits;
  }

  get step(): number {
    return frame(this.market.timeframe).step;
  }

  texts(on: Canvas): BoxAttrs[] {
    const { width, theme } = on;
    return [this.legend(width, theme), ...this.comparison.labels(), ...this.gaps.labels()];
  }

  /** The part of the pane where the library writes. */
  private legend(width: number, { family }: Theme): BoxAttrs {
    // Without names of indicators the texts of a row are a little closer.
    const room = width < NARROW ? CLOSER : 0;
    return legend(this.indicators.rows(width), width + room, family);
  }

  get timeframe(): string {
    return this.market.timeframe;
  }

  /** Not during a call: the listener may be in the middle of something. */
  private readonly emit: Emit = (event: ChartEvent) => {
    queueMicrotask(() => {
      if (this.alive) this.on(JSON.stringify(event));
    });
  };

  setMarket(json: string): void {
    const market = readMarket(json);
    const old = this.market;
    this.market = market;
    this.isOpen = this.openingHours();
    this.gestures.putDown();
    this.comparison.set(null);
    this.feed.limit(null);
    this.feed.replace([], false);
    this.timeline = this.timelineOf([]);
    this.gaps.align();
    if (market.symbol !== old.symbol) this.drawings.clear();
    else {
      this.drawings.cancelDrag();
      this.drawings.cancelSketch();
    }
    this.tellMarket();
    this.drawings.refreshAll();
  }

  private tellMarket(): void {
    const { symbol, digits, timeframe, session } = this.market;
    this.axis.setSession(session);
    this.chart.setSymbol({ ticker: symbol, pricePrecision: digits, volumePrecision: 0 });
    this.chart.setPeriod(frame(timeframe).period);
    this.indicators.round(digits);
    this.gestures.name(`Chart of ${symbol}, ${timeframe}`);
  }

  setCandles(json: string): void {
    const { candles, more } = readPage(json);
    this.feed.replace(candles, more);
    this.retime();
    this.chart.resetData();
    this.drawings.refreshAll();
  }

  prependCandles(json: string): void {
    const { candles, more } = readPage(json);
    if (!this.feed.prepend(candles, more)) return;
    const before = this.timeline.bars.length;
    this.retime();
    this.drawings.shift(this.timeline.bars.length - before);
    this.drawings.refreshAll();
  }

  pushCandle(json: string): void {
    if (this.feed.add(readCandle(parse(json)))) {
      this.retime();
      this.drawings.refreshAll();
    }
    // The library counts them again only for another range.
    if (String(this.underTags()) !== String(this.cut)) this.rescale();
  }

  private retime(): void {
    this.timeline = this.timelineOf(this.feed.candles.map((candle) => candle[0]));
    this.comparison.align();
    this.gaps.align();
  }

  private openingHours(): (unix: number) => boolean {
    return sessions(this.market.session, this.step);
  }

  private timelineOf(bars: number[]): Timeline {
    return new Timeline(bars, this.step, this.isOpen);
  }

  putDrawing(json: string): string {
    return this.drawings.put(readDrawing(json));
  }

  removeDrawing(id: string): void {
    this.drawings.remove(id);
  }

  select(id: string): void {
    this.drawings.select(id === "" ? null : id);
  }

  startDrawing(tool: string): void {
    const hand = this.hands[tool];
    for (const other of Object.values(this.hands)) other.cancel();
    if (hand !== undefined) {
      this.drawings.endSketch();
      hand.take();
    } else if (tool === "") this.drawings.cancelSketch();
    else this.drawings.start(tool);
  }

  setIndicators(names: string): void {
    this.indicators.show(readNames(names), this.digits);
  }

  setReplay(json: string): void {
    const loads = this.feed.limit(readReached(json));
    this.retime();
    if (loads) this.chart.resetData();
    this.drawings.refreshAll();
  }

  setComparison(json: string): void {
    this.comparison.set(readCompared(json));
  }

  pushComparison(json: string): void {
    this.comparison.push(readCandle(parse(json)));
  }

  setZone(zone: string): void {
    this.axis.setZone(zone || new Intl.DateTimeFormat().resolvedOptions().timeZone);
  }

  setScale(scale: string): void {
    this.isLog = scale === "log";
    this.rescale();
    this.drawings.refreshAll();
  }

  setPrice(word: string): void {
    const isKnown = word !== "unknown";
    if (isKnown === this.isKnown) return;
    this.isKnown = isKnown;
    this.setTheme();
  }

  scrollTo(json: string): void {
    const time = readTarget(json);
    if (time === null) {
      this.chart.scrollToRealTime();
      return;
    }
    // To the middle, not to the right edge.
    const { width } = this.canvas();
    const half = Math.floor(width / this.chart.getBarSpace().bar / 2);
    this.chart.scrollToDataIndex(this.timeline.index(seconds(time)) + half);
  }

  setTheme(): void {
    this.theme = readTheme(this.element, this.isKnown);
    this.chart.setStyles(this.theme.styles);
    this.drawings.refreshAll();
  }

  place({ x, y }: { x?: number | undefined; y?: number | undefined }): Place {
    const point = this.chart.convertFromPixel([{ x: x ?? 0, y: y ?? 0 }], PANE);
    const { dataIndex, value } = (Array.isArray(point) ? point[0] : point) ?? {};
    return { index: dataIndex ?? 0, price: value ?? 0 };
  }

  /** The library's own range begins as many bars too early as have room right of the last candle. */
  inView(): Span {
    const pixel = this.chart.convertToPixel({ dataIndex: 0 }, PANE);
    const first = (Array.isArray(pixel) ? pixel[0] : pixel)?.x ?? 0;
    const width = this.chart.getSize(PANE.paneId, "main")?.width ?? 0;
    return barsInView({ first, bar: this.chart.getBarSpace().bar, width });
  }

  canvas(): Canvas {
    const { chart, theme, timeline, market } = this;
    const pixel = (point: { dataIndex: number } | { value: number }) => {
      const place = chart.convertToPixel(point, PANE);
      return (Array.isArray(place) ? place[0] : place) ?? {};
    };
    const { width = 0, height = 0 } = chart.getSize(PANE.paneId, "main") ?? {};
    const { bar } = chart.getBarSpace();
    let isOnBody: Canvas["isOnBody"] | null = null;
    return {
      theme,
      width,
      height,
      bar,
      newest: (pixel({ dataIndex: timeline.bars.length - 1 }).x ?? 0) + bar / 2,
      isOnBody: (box) => {
        isOnBody ??= bodies({
          candles: this.feed.candles,
          first: pixel({ dataIndex: 0 }).x ?? 0,
          bar,
          width,
          height,
          top: this.place({ y: 0 }).price,
          bottom: this.place({ y: height }).price,
          isLog: this.isLog,
        });
        return isOnBody(box);
      },
      isRuled: () => false,
      last: pixel({ value: this.feed.candles.at(-1)?.[4] ?? Number.NaN }).y ?? Number.NaN,
      digits: market.digits,
      pip: market.pip,
      isLog: this.isLog,
      x: (time) => pixel({ dataIndex: timeline.index(seconds(time)) }).x ?? 0,
      y: (value) => pixel({ value }).y ?? 0,
    };
  }

  /**
   * While something beside the chart opens, it may have no width for a moment. The library then
   * moves the newest bar out of view, and leaves it there.
   */
  private followSize(): ResizeObserver {
    let narrow = false;
    const observer = new ResizeObserver(([entry]) => {
      const width = entry?.contentRect.width ?? 0;
      if (narrow && width >= TOO_NARROW) {
        requestAnimationFrame(() => {
          if (this.alive) this.chart.scrollToRealTime();
        });
      }
      narrow = width < TOO_NARROW;
    });
    observer.observe(this.element);
    return observer;
  }

  rescale(): void {
    if (this.rescaling) return;
    this.rescaling = true;
    // Once for all drawings that come together.
    queueMicrotask(() => {
      this.rescaling = false;
      if (this.alive) this.scale();
    });
  }

  private underTags(): string[] {
    const tags = this.price.state();
    const isCut = ({ coord }: AxisTick) => tags.some(({ y }) => Math.abs(y - coord) < CLEAR);
    return this.values.filter(isCut).map(({ text }) => text);
  }

  private scale(): void {
    const ticks = ticksOf({ write: (price) => price.toFixed(this.digits), isLog: () => this.isLog });
    this.chart.overrideYAxis({
      ...PANE,
      name: this.isLog ? "logarithm" : "normal",
      createTicks: (params) => {
        this.values = ticks(params);
        this.cut = this.underTags();
        return this.values.map((tick) => (this.cut.includes(tick.text) ? { ...tick, text: "" } : tick));
      },
      createRange: ({ chart, defaultRange }) => {
        // The axis never gets narrower: for the prices to come, these have few digits.
        if (this.feed.candles.length === 0) return axisRange({ from: 0.5, to: 1 }, this.isLog);
        const range = axisRange(this.comparison.taken(this.drawings.taken(defaultRange)), this.isLog);
        const { width = 0, height = 0 } = chart.getSize(PANE.paneId, "main") ?? {};
        return withHead(range, this.legend(width, this.theme).height + HEAD, height);
      },
    });
  }

  private readonly ranged = (): void => {
    this.feed.retry();
    if (this.rangeTimer !== null) return;
    this.rangeTimer = window.setTimeout(() => {
      this.rangeTimer = null;
      const range = this.range();
      const told = JSON.stringify(range);
      if (range === null || told === this.lastRange) return;
      this.lastRange = told;
      this.emit({ type: "range", ...range });
    }, THROTTLE);
  };

  /** Returns the openings of the first and the last candle in view, in Unix seconds. */
  private range(): { from: number; to: number } | null {
    const { bars } = this.timeline;
    const { from, to } = this.inView();
    const at = (index: number) => bars[Math.max(0, Math.min(index, bars.length - 1))];
    const [first, last] = [at(from), at(to)];
    return first === undefined || last === undefined ? null : { from: first, to: last };
  }

  state(): string {
    const box = this.element.getBoundingClientRect();
    const main = this.chart.getDom(PANE.paneId, "main")?.getBoundingClientRect();
    const scale = this.chart.getYAxes({ paneId: PANE.paneId })[0];
    const axis = scale?.getRange();
    const { up, down } = this.theme.last;
    return JSON.stringify({
      symbol: this.market.symbol,
      timeframe: this.market.timeframe,
      candles: this.timeline.bars.length,
      timezone: this.chart.getTimezone(),
      ...this.axis.state(),
      range: this.range(),
      newest: this.newest(),
      // The colours of its tag and its line, after a rise and after a fall.
      price: { isKnown: this.isKnown, colours: [up, down] },
      tags: this.price.state(),
      bar: this.chart.getBarSpace().bar,
      // The pane with the candles; places are relative to its corner.
      pane: {
        x: main ? main.x - box.x : 0,
        y: main ? main.y - box.y : 0,
        width: main?.width ?? 0,
        height: main?.height ?? 0,
      },
      scale: this.isLog ? "log" : "linear",
      prices: { bottom: axis?.from ?? 0, top: axis?.to ?? 0 },
      ticks: scale?.getTicks(),
      selected: this.drawings.selected,
      sketching: this.drawings.sketching,
      replay: this.feed.end,
      comparison: this.comparison.state(),
      gaps: this.gaps.state(),
      measure: this.measure.state(),
      drawings: this.drawings.state(),
      legend: this.texts(this.canvas())[0],
      indicators: this.indicators.state(),
      canvases: this.element.querySelectorAll("canvas").length,
    });
  }

  private newest(): { time: number; x: number } | null {
    const time = this.timeline.bars.at(-1);
    return time === undefined ? null : { time, x: this.canvas().x(text(time)) };
  }

  unmount(): void {
    this.alive = false;
    if (this.rangeTimer !== null) clearTimeout(this.rangeTimer);
    this.gestures.stop();
    this.resized.disconnect();
    this.chart.unsubscribeAction("onVisibleRangeChange", this.ranged);
    dispose(this.chart);
  }
}
