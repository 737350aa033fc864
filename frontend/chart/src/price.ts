// The last price: its line, and the tags of the scale, of which it has the filled one. The library's own
// line and tag stay within the pane when the price is out of the scale, and lie under the other tags.
import type { Stage } from "./drawings.ts";
import { Layer } from "./layer.ts";
import type { Candle } from "./model.ts";
import { type Figure, type TagStyle, TAG_HEIGHT } from "./paint.ts";
import { type Level, type Tag, tags } from "./tags.ts";
import { FONT_SIZE } from "./theme.ts";

export class LastPrice {
  private readonly layer: Layer;

  constructor(
    private readonly stage: Stage,
    private readonly candles: () => readonly Candle[],
    private readonly levels: () => Level[],
  ) {
    this.layer = new Layer(stage.chart, "price", () => this.line(), () => this.figures());
    this.layer.show();
  }

  /** A price that ends where its candle began has neither colour, and not that of an unknown one. */
  private level(): Level | null {
    const last = this.candles().at(-1);
    if (last === undefined) return null;
    const { up, down, same } = this.stage.canvas().theme.last;
    const [, open, , , price] = last;
    return { price, colour: price > open ? up : price < open ? down : same, rank: 0 };
  }

  private line(): Figure[] {
    const level = this.level();
    if (level === null) return [];
    const { width, theme, y } = this.stage.canvas();
    const height = y(level.price);
    const coordinates = [
      { x: 0, y: height },
      { x: width, y: height },
    ];
    const styles = { color: level.colour, size: 1, dash: theme.last.dash };
    return [{ type: "stroke", key: "", attrs: { coordinates }, styles }];
  }

  /** The tags in view, and those at the edges. */
  state(): Tag[] {
    const { height, y, digits } = this.stage.canvas();
    const text = (price: number) => price.toFixed(digits);
    return tags(this.levels(), this.level(), { height, step: TAG_HEIGHT + 1, y, text });
  }

  private figures(): Figure[] {
    const { theme } = this.stage.canvas();
    const font = `${FONT_SIZE}px ${theme.family}`;
    return this.state().map(({ y, text, colour, beyond, isLast }): Figure => {
      const ink = isLast ? { color: theme.space, fill: colour } : { color: colour, fill: theme.space };
      const styles: TagStyle = { ...ink, border: colour, font, size: FONT_SIZE };
      return { type: "tag", key: "", attrs: { y, text, beyond }, styles };
    });
  }
}
