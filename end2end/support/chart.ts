// The chart's page as a person sees it, and the state reported by the chart's own script.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { candles, iso } from "./chart-module.ts";
import type { Jarvis } from "./server.ts";

export interface Place {
  name: string;
  time: string | null;
  price: number;
  /** `null` for a shape without a time. */
  x: number | null;
  y: number;
}

/**
 * The result of `state` in `frontend/chart`; positions are relative to the pane with the candles.
 */
export interface ChartState {
  symbol: string;
  timeframe: string;
  candles: number;
  range: { from: number; to: number } | null;
  /** The look of the last price: its colours after a rise and after a fall. */
  price: { isKnown: boolean; colours: [string, string] };
  scale: "linear" | "log";
  timezone: string;
  pane: { x: number; y: number; width: number; height: number };
  selected: string | null;
  sketching: string | null;
  replay: number | null;
  comparison: { label: string; percent: number; places: { index: number; price: number }[] } | null;
  /** Stretches of a session without candles. */
  gaps: { from: number; to: number; label: string }[];
  measure: { isTaken: boolean; result: string[] | null };
  drawings: { id: string; kind: string; shown: boolean; locked: boolean; places: Place[] }[];
  /** The part of the pane with the prices of a candle and the values of indicators. */
  legend: { width: number; height: number };
  indicators: { name: string; last: Record<string, number> }[];
  canvases: number;
}

/** Brings hourly candles of a symbol into the database, up to the end of 2017, and starts again. */
export async function importCandles(jarvis: Jarvis, symbol: string): Promise<void> {
  await jarvis.stop();
  const until = Date.parse("2017-12-29T22:00:00Z") / 1_000;
  const rows = candles("2017-11-01T00:00:00Z", 2_000)
    .filter(([time]) => time < until)
    .map(([time, ...prices]) => [iso(time), ...prices].join(","));
  const file = join(jarvis.dataDir, "candles.csv");
  await writeFile(file, `${rows.join("\n")}\n`);
  jarvis.run("markets", "import", "candles", file, "--symbol", symbol);
  await jarvis.restart();
}

export class ChartPage {
  readonly frame: Locator;
  /** The list of drawings. */
  readonly list: Locator;
  readonly entries: Locator;
  /** The chart as a table, for screen readers. */
  readonly table: Locator;
  readonly candles: Locator;
  readonly bar: Locator;
  /** The button that folds the list. */
  readonly fold: Locator;
  readonly dock: Locator;

  /** `server`: its address, for a page that is nowhere yet. */
  constructor(
    readonly page: Page,
    private readonly server?: string,
  ) {
    this.frame = page.locator("#chart");
    this.list = page.getByRole("list", { name: "Drawings" });
    this.entries = this.list.locator(".drawing");
    this.table = page.getByRole("table", { name: "Drawings on the chart" });
    this.candles = page.getByRole("table", { name: "Latest closed candles" });
    this.bar = page.getByRole("group", { name: "Draw by hand" });
    this.fold = page.getByRole("button", { name: "Drawings", exact: true });
    this.dock = page.getByRole("complementary", { name: "Chat" });
  }

  async open(address = "/chart/EURUSD/H1"): Promise<void> {
    await this.page.goto(new URL(address, this.server ?? this.page.url()).href);
    await this.shown();
  }

  /** Unfolds the list of drawings. */
  async unfold(): Promise<void> {
    if ((await this.fold.getAttribute("aria-expanded")) === "false") await this.fold.click();
    await expect(this.list).toBeAttached();
  }

  /** Waits until candles are painted, and unfolds the list. */
  async shown(): Promise<void> {
    await expect.poll(async () => (await this.state())?.candles ?? 0, { timeout: 20_000 }).toBeGreaterThan(100);
    await expect(this.page.getByText("Loading the candles…")).toHaveCount(0);
    await this.unfold();
  }

  /** The chart's own state, or `undefined` before it exists, from the module the page loaded. */
  async state(): Promise<ChartState | undefined> {
    return this.page.evaluate(async () => {
      const url = document.querySelector<HTMLMetaElement>("meta[name=jarvis-chart]")?.content;
      if (!url || !document.querySelector("#chart canvas")) return undefined;
      const script = await import(url);
      // Each chart in this tab's life has a number.
      for (let handle = 99; handle > 0; handle--) {
        try {
          return JSON.parse(script.state(handle));
        } catch {
          // Not that one.
        }
      }
      return undefined;
    });
  }

  /** A drawing in the chart's own state. */
  async drawing(id?: string): Promise<ChartState["drawings"][number] | undefined> {
    const drawings = (await this.state())?.drawings ?? [];
    return id ? drawings.find((drawing) => drawing.id === id) : drawings[0];
  }

  /** The position in the window of a point in the pane. */
  async at(x: number, y: number): Promise<{ x: number; y: number }> {
    const [box, state] = [await this.frame.boundingBox(), await this.state()];
    if (!box || !state) throw new Error("there is no chart");
    return { x: box.x + state.pane.x + x, y: box.y + state.pane.y + y };
  }

  /** Draws with a tool by clicks at fractions of the pane's width and height. */
  async draw(tool: string, ...clicks: [number, number][]): Promise<void> {
    await this.bar.getByRole("button", { name: tool, exact: true }).click();
    const pane = (await this.state())?.pane;
    if (!pane) throw new Error("there is no chart");
    for (const [x, y] of clicks) {
      const place = await this.at(pane.width * x, pane.height * y);
      await this.page.mouse.move(place.x, place.y, { steps: 3 });
      await this.page.mouse.click(place.x, place.y);
    }
  }

  /** Drags a line at its price down by a number of pixels. */
  async drag(by: number, id?: string): Promise<void> {
    // Behind another tab a chart takes its new size late.
    await this.page.bringToFront();
    await this.still();
    const drawing = await this.drawing(id);
    const pane = (await this.state())?.pane;
    const line = drawing?.places[0];
    if (!pane || !line) throw new Error("there is no drawing");
    const from = await this.at(line.x ?? pane.width / 3, line.y);
    await this.page.mouse.move(from.x, from.y);
    await this.page.mouse.down();
    await this.page.mouse.move(from.x, from.y + by / 2, { steps: 4 });
    await this.page.mouse.move(from.x, from.y + by, { steps: 4 });
    await this.page.mouse.up();
  }

  /** Waits until the chart has the size that the page gives it. */
  private async still(): Promise<void> {
    let last = "";
    const same = async () => {
      const now = JSON.stringify([await this.frame.boundingBox(), (await this.state())?.pane, await this.drawing()]);
      const is = now === last;
      last = now;
      return is;
    };
    await expect.poll(same, { intervals: [300] }).toBe(true);
  }

  entry(text: string | RegExp): Locator {
    return this.entries.filter({ hasText: text });
  }
}
