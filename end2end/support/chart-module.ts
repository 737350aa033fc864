// The chart's module on a separate page, without Jarvis: a server of a few files, fixed candles,
// and pointer actions by time and price.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test as base, expect, type Page } from "@playwright/test";
import { coloured, type Point } from "./pixels.ts";

export type Candle = [number, number, number, number, number, number];
export type Json = Record<string, unknown>;

export interface Place {
  name: string;
  time: string | null;
  price: number;
  x: number | null;
  y: number;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface State {
  symbol: string;
  timeframe: string;
  candles: number;
  timezone: string;
  /** The times below the candles in view. */
  axis: { x: number; text: string }[];
  /** The time that was last under the pointer. */
  pointed: string;
  range: { from: number; to: number } | null;
  newest: { time: number; x: number };
  bar: number;
  price: { isKnown: boolean; colours: [string, string] };
  /** The tags on the scale of prices, from top to bottom. */
  tags: { y: number; text: string; colour: string; beyond: "above" | "below" | null; isLast: boolean }[];
  pane: Box;
  /** Where the library writes the values of a candle and of the indicators on the candles. */
  legend: Box;
  scale: "linear" | "log";
  prices: { bottom: number; top: number };
  /** The values beside the scale, from the bottom; one that a tag would cut has no text. */
  ticks: { value: number; text: string; coord: number }[];
  selected: string | null;
  sketching: string | null;
  /** The bar that a replay has reached. */
  replay: number | null;
  comparison: { label: string; percent: number; places: { index: number; price: number }[] } | null;
  /** Stretches of a session without candles. */
  gaps: { from: number; to: number; label: string }[];
  measure: { isTaken: boolean; result: string[] | null };
  drawings: {
    id: string;
    kind: string;
    shown: boolean;
    selected: boolean;
    shape: Json;
    labels: Box[];
    places: Place[];
  }[];
  indicators: { name: string; last: Record<string, number>; text?: string }[];
  canvases: number;
}

/** Functions that the module exports, after `mount`. */
export type Export =
  | "setMarket"
  | "setCandles"
  | "prependCandles"
  | "pushCandle"
  | "putDrawing"
  | "removeDrawing"
  | "select"
  | "startDrawing"
  | "setIndicators"
  | "setReplay"
  | "setComparison"
  | "pushComparison"
  | "setZone"
  | "setScale"
  | "setPrice"
  | "scrollTo"
  | "setTheme"
  | "state"
  | "unmount";

declare global {
  interface Window {
    chart: Record<Export, (handle: number, argument?: unknown) => unknown>;
    handle: number;
    heard: Json[];
  }
}

const HOUR = 3_600;
const HTML = `<!doctype html><html lang="en"><title>Chart</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<link rel="stylesheet" href="/tokens.css"><link rel="stylesheet" href="/page.css">
<div id="chart"></div><script type="module" src="/page.js"></script></html>`;
const CSS = `body { margin: 0; background: var(--space); }
#chart { position: absolute; inset: 20px 10px auto; height: min(600px, 80vh); }`;
const SCRIPT = `import * as chart from "/chart.js";
window.heard = [];
window.chart = chart;
window.open_chart = (options) => {
  const element = document.getElementById("chart");
  window.handle = chart.mount(element, options, (text) => window.heard.push(JSON.parse(text)));
};`;

/** The policy of Jarvis's own pages. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:";

async function serve(): Promise<{ url: string; close(): void }> {
  const bundle = process.env.JARVIS_CHART;
  if (!bundle) throw new Error("JARVIS_CHART must name the bundled chart.js");
  const files: Record<string, [string, string | Buffer]> = {
    "/": ["text/html", HTML],
    "/page.css": ["text/css", CSS],
    "/page.js": ["text/javascript", SCRIPT],
    "/chart.js": ["text/javascript", await readFile(bundle)],
    "/tokens.css": ["text/css", await readFile(new URL("../../style/tokens.css", import.meta.url))],
  };
  const server = createServer((request, response) => {
    const file = files[request.url ?? ""];
    response.writeHead(file ? 200 : 404, {
      "content-type": `${file?.[0] ?? "text/plain"}; charset=utf-8`,
      "content-security-policy": POLICY,
    });
    response.end(file?.[1]);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

export function at(time: string): number {
  return Date.parse(time) / 1_000;
}

export function iso(unix: number): string {
  return new Date(unix * 1_000).toISOString().replace(".000Z", "Z");
}

/** Hourly candles within sessions, in winter time, along a deterministic wave. */
export function candles(from: string, count: number, step = HOUR): Candle[] {
  const made: Candle[] = [];
  const price = (n: number) => Number((1.06 + 0.004 * Math.sin(n / 14)).toFixed(5));
  for (let time = at(from); made.length < count; time += step) {
    const date = new Date(time * 1_000);
    const hour = date.getUTCDay() * 24 + date.getUTCHours();
    if (step < 24 * HOUR && (hour < 22 || hour >= 5 * 24 + 22)) continue;
    const [open, close] = [price(made.length), price(made.length + 1)];
    const [high, low] = [Math.max(open, close) + 0.0004, Math.min(open, close) - 0.0004];
    made.push([time, open, Number(high.toFixed(5)), Number(low.toFixed(5)), close, 100]);
  }
  return made;
}

/** 200 hours from Thursday on, over one weekend, to Tuesday of the week after next. */
export const HOURS = candles("2017-01-12T00:00:00Z", 200);

/** Sunday to Friday, 17:00 in New York. */
const CURRENCIES = { zone: "America/New_York", opens: 1_020, closes: 1_020, days: [0, 1, 2, 3, 4] };

export const MARKET = {
  symbol: "EURUSD",
  digits: 5,
  pip: 0.0001,
  timeframe: "H1",
  session: CURRENCIES,
};

export function record(id: string, shape: Json, content: Json = {}, more: Json = {}): Json {
  const rest = { label: "", importance: "medium", visible_on: [], locked: false, hidden: false };
  return {
    id,
    owner: "everyone",
    symbol: "EURUSD",
    actor: "model",
    version: 1,
    life: null,
    content: { shape, style: { colour: "violet", line: "solid", width: 2 }, ...rest, ...content },
    ...more,
  };
}

export const line = (price: number) => ({ kind: "horizontal_line", price });
export const point = (candle: number, price: number) => ({
  time: iso(HOURS[candle]?.[0] ?? 0),
  price,
});
export const trend = {
  kind: "trendline",
  from: point(150, 1.0582),
  to: point(190, 1.0634),
  extent: "segment",
};

export class ChartPage {
  constructor(
    readonly page: Page,
    private readonly url: string,
  ) {}

  async open(given: Candle[] = HOURS, market: Json = MARKET): Promise<void> {
    await this.page.goto(this.url);
    await this.page.waitForFunction(() => "open_chart" in window);
    await this.page.evaluate((options) => {
      (window as unknown as { open_chart(options: string): void }).open_chart(options);
    }, JSON.stringify(market));
    await this.call("setCandles", { candles: given, more: false });
  }

  /**
   * Calls a function of the module; objects are passed as JSON. The chart is repainted afterwards.
   */
  async call(name: Export, argument?: unknown): Promise<unknown> {
    const text = typeof argument === "object" ? JSON.stringify(argument) : argument;
    return this.page.evaluate(
      async ([name, text]) => {
        const answer = window.chart[name](window.handle, text);
        for (let frame = 0; frame < 2; frame += 1) {
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
        return answer;
      },
      [name, text] as const,
    );
  }

  async put(id: string, shape: Json, content: Json = {}, more: Json = {}): Promise<unknown> {
    return this.call("putDrawing", record(id, shape, content, more));
  }

  async state(): Promise<State> {
    return JSON.parse((await this.call("state")) as string) as State;
  }

  async drawing(id: string): Promise<State["drawings"][number]> {
    const found = (await this.state()).drawings.find((it) => it.id === id);
    if (!found) throw new Error(`the chart has no drawing ${id}`);
    return found;
  }

  /** The events of one type that the page received. */
  async heard(type: string): Promise<Json[]> {
    const all = await this.page.evaluate(() => window.heard);
    return all.filter((event) => event.type === type);
  }

  /** The position of a candle and a price in the window, computed from the scales alone. */
  async where(candle: number, price: number): Promise<{ x: number; y: number }> {
    const { pane, prices, scale, newest, bar, candles } = await this.state();
    const corner = await this.page.locator("#chart").boundingBox();
    const height = (price: number) => (scale === "log" ? Math.log(price) : price);
    const [bottom, top] = [height(prices.bottom), height(prices.top)];
    const y = (1 - (height(price) - bottom) / (top - bottom)) * pane.height;
    const x = newest.x - (candles - 1 - candle) * bar;
    return { x: (corner?.x ?? 0) + pane.x + x, y: (corner?.y ?? 0) + pane.y + y };
  }

  /** A picture of the chart, to be compared with another. */
  async picture(): Promise<string> {
    await this.settle();
    return (await this.page.locator("#chart").screenshot()).toString("base64");
  }

  /** See {@link coloured}. */
  async coloured(from: Point, to: Point, token: string): Promise<number> {
    return coloured(this.page, from, to, token);
  }

  async drag(from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
    const { mouse } = this.page;
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
    await mouse.move(to.x, to.y);
    await mouse.up();
  }

  /** Waits until all pending events have arrived. */
  async settle(): Promise<void> {
    await this.page.evaluate(async () => {
      for (let frame = 0; frame < 3; frame += 1) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    });
  }

  /** Flicks with one finger, faster than frames. */
  async flick(from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
    const session = await this.page.context().newCDPSession(this.page);
    const places = [from, { x: (from.x + to.x) / 2, y: from.y }, to];
    await Promise.all([
      ...places.map((place, index) =>
        session.send("Input.dispatchTouchEvent", {
          type: index === 0 ? "touchStart" : "touchMove",
          touchPoints: [place],
        }),
      ),
      session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] }),
    ]);
    await session.detach();
  }

  /** Moves fingers on the screen: each step has their positions, and the last one lifts them. */
  async fingers(...steps: { x: number; y: number }[][]): Promise<void> {
    const session = await this.page.context().newCDPSession(this.page);
    for (const [index, step] of steps.entries()) {
      await session.send("Input.dispatchTouchEvent", {
        type: index === 0 ? "touchStart" : "touchMove",
        touchPoints: step.map((place, id) => ({ ...place, id })),
      });
      await this.settle();
    }
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await session.detach();
    await this.settle();
  }
}

interface Fixtures {
  chart: ChartPage;
}

export const test = base.extend<Fixtures>({
  chart: async ({ page }, use) => {
    const server = await serve();
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    await use(new ChartPage(page, server.url));
    server.close();
    expect(complaints, "on the console").toEqual([]);
  },
});

test.use({
  viewport: { width: 1_000, height: 700 },
  deviceScaleFactor: 1,
  timezoneId: "America/Los_Angeles",
  colorScheme: "dark",
});

export { expect };
