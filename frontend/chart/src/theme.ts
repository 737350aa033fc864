// The colours of the page's style sheet (style/tokens.css), in the form that a canvas takes.
import type { DeepPartial, Styles } from "klinecharts";
import type { Colour } from "./model.ts";

export interface Theme {
  palette: Record<Colour, string>;
  text: string;
  soft: string;
  /** Of a second symbol. */
  compared: string;
  panel: string;
  /** The background. */
  space: string;
  /** Of the last price: its colours after a rise, a fall and neither, and the dashes of its line. */
  last: { up: string; down: string; same: string; dash: number[] };
  family: string;
  styles: DeepPartial<Styles>;
}

export const FONT_SIZE = 12;

/** What the library writes of a candle. With a thin space a phone has room for all in one row. */
export const LEGEND = ["open", "high", "low", "close"].map((price) => {
  return { title: `${price.slice(0, 1).toUpperCase()}\u2009`, value: `{${price}}` };
});

export function faded(colour: string, percent: number): string {
  return `color-mix(in srgb, ${colour} ${percent}%, transparent)`;
}

/** Reads the theme; a last price that is not known looks like nothing that moves. */
export function read(element: HTMLElement, isKnown: boolean): Theme {
  // A custom property reads as written, `light-dark(…)`; only a colour is resolved.
  const probe = element.ownerDocument.createElement("span");
  probe.hidden = true;
  element.append(probe);
  const token = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  probe.style.fontFamily = "var(--sans, sans-serif)";
  const family = getComputedStyle(probe).fontFamily;
  const palette = {
    cyan: token("--cyan"),
    green: token("--green"),
    red: token("--red"),
    amber: token("--amber"),
    violet: token("--violet"),
    grey: token("--muted"),
  };
  const compared = token("--yellow");
  const [text, soft, muted] = [token("--text"), token("--text-soft"), token("--muted")];
  const [line, strong] = [token("--line"), token("--line-strong")];
  const [panel, raised, space] = [token("--panel"), token("--raised"), token("--space")];
  probe.remove();

  const { green, red } = palette;
  const font = { family, size: FONT_SIZE, weight: "normal" };
  const axis = {
    axisLine: { color: line },
    tickLine: { color: line },
    tickText: { ...font, color: muted },
  };
  const grid = { color: faded(line, 55), style: "solid" as const };
  const cross = {
    line: { color: muted },
    text: { ...font, color: text, backgroundColor: raised, borderColor: muted },
  };
  // On the line of the times below the candles.
  const below = { ...cross, text: { ...cross.text, paddingTop: 7, paddingBottom: 3 } };
  const mark = { color: soft, textFamily: family };
  const last = isKnown
    ? { up: green, down: red, same: text, dash: [4, 4] }
    : { up: muted, down: muted, same: muted, dash: [1, 4] };
  return {
    palette,
    text,
    soft,
    compared,
    panel,
    space,
    last,
    family,
    styles: {
      grid: { horizontal: grid, vertical: grid },
      candle: {
        bar: {
          upColor: green,
          downColor: red,
          noChangeColor: text,
          upBorderColor: green,
          downBorderColor: red,
          noChangeBorderColor: text,
          upWickColor: green,
          downWickColor: red,
          noChangeWickColor: text,
        },
        priceMark: {
          high: mark,
          low: mark,
          // Ours has its tag; the library only keeps the room for it.
          last: {
            upColor: "transparent",
            downColor: "transparent",
            noChangeColor: "transparent",
            line: { show: false },
            text: { ...font, color: "transparent", paddingLeft: 8 },
          },
        },
        tooltip: {
          // The head of the page has the name, and the axis the time.
          title: { show: false },
          legend: { ...font, color: soft, marginRight: 2, template: LEGEND },
          rect: { color: panel, borderColor: line },
        },
      },
      indicator: {
        lines: [palette.cyan, palette.amber, palette.violet, soft, muted].map((color) => ({
          color,
          size: 1,
          style: "solid" as const,
          smooth: false,
          dashedValue: [2, 2],
        })),
        bars: [
          {
            style: "fill" as const,
            borderStyle: "solid" as const,
            borderSize: 1,
            borderDashedValue: [2, 2],
            upColor: faded(green, 40),
            downColor: faded(red, 40),
            noChangeColor: faded(muted, 40),
          },
        ],
        tooltip: {
          title: { ...font, color: soft },
          legend: { ...font, color: soft, marginRight: 2 },
        },
      },
      xAxis: axis,
      yAxis: axis,
      separator: { color: line, activeBackgroundColor: faded(strong, 20) },
      crosshair: { horizontal: cross, vertical: below },
    },
  };
}
