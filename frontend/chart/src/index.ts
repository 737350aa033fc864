// The chart for the page: functions on handles, with JSON text as the interface. See README.md.
import { BadInput } from "./read.ts";
import { View } from "./view.ts";

const views = new Map<number, View>();
let handles = 0;

/** Puts a chart into an element that has a size; returns its handle. `on` gets events as JSON. */
export function mount(
  element: HTMLElement,
  options: string,
  on: (event: string) => void,
): number {
  const view = new View(element, options, on);
  handles += 1;
  views.set(handles, view);
  return handles;
}

export function setMarket(handle: number, json: string): void {
  of(handle).setMarket(json);
}

export function setCandles(handle: number, json: string): void {
  of(handle).setCandles(json);
}

export function prependCandles(handle: number, json: string): void {
  of(handle).prependCandles(json);
}

export function pushCandle(handle: number, json: string): void {
  of(handle).pushCandle(json);
}

/** Returns "created", "updated", or the problem with the record. */
export function putDrawing(handle: number, json: string): string {
  try {
    return of(handle).putDrawing(json);
  } catch (error) {
    if (error instanceof BadInput) return error.message;
    throw error;
  }
}

export function removeDrawing(handle: number, id: string): void {
  of(handle).removeDrawing(id);
}

export function select(handle: number, id: string): void {
  of(handle).select(id);
}

/** Takes up a tool, or none for "". */
export function startDrawing(handle: number, tool: string): void {
  of(handle).startDrawing(tool);
}

/** Shows exactly these indicators, with spaces between their names. */
export function setIndicators(handle: number, names: string): void {
  of(handle).setIndicators(names);
}

/** Shows the candles up to a bar, or all of them; live ones wait meanwhile. */
export function setReplay(handle: number, json: string): void {
  of(handle).setReplay(json);
}

/** Shows the candles of another symbol as a line; "" removes it. */
export function setComparison(handle: number, json: string): void {
  of(handle).setComparison(json);
}

export function pushComparison(handle: number, json: string): void {
  of(handle).pushComparison(json);
}

/** Sets the time zone of the axis; an empty one is the browser's. */
export function setZone(handle: number, zone: string): void {
  of(handle).setZone(zone);
}

/** Sets the scale of prices: "log", or "linear". */
export function setScale(handle: number, scale: string): void {
  of(handle).setScale(scale);
}

/** Says of the last price "unknown", or "known". */
export function setPrice(handle: number, word: string): void {
  of(handle).setPrice(word);
}

export function scrollTo(handle: number, json: string): void {
  of(handle).scrollTo(json);
}

export function setTheme(handle: number): void {
  of(handle).setTheme();
}

export function state(handle: number): string {
  return of(handle).state();
}

/** Removes a chart; safe for one that is already gone. */
export function unmount(handle: number): void {
  views.get(handle)?.unmount();
  views.delete(handle);
}

function of(handle: number): View {
  const view = views.get(handle);
  if (!view) throw new Error(`no chart has the handle ${handle}`);
  return view;
}
