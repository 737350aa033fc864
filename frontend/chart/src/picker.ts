// Picks a bar: a line follows the pointer, and a click ends it.
import type { Coordinate } from "klinecharts";
import type { Stage } from "./drawings.ts";
import type { Hand } from "./hand.ts";
import { Layer } from "./layer.ts";
import type { ChartEvent } from "./model.ts";
import type { Figure } from "./paint.ts";
import { text } from "./time.ts";

export class BarPicker implements Hand {
  isTaken = false;
  private pressed = false;
  /** The bar under the pointer, in Unix seconds. */
  private bar: number | null = null;
  private readonly layer: Layer;

  constructor(private readonly stage: Stage) {
    this.layer = new Layer(stage.chart, "picker", () => this.figures());
  }

  take(): void {
    this.isTaken = true;
  }

  press(at: Coordinate): void {
    this.pressed = true;
    this.move(at);
  }

  move(at: Coordinate): void {
    const { bars } = this.stage.timeline;
    const index = Math.min(bars.length - 1, Math.max(0, this.stage.place(at).index));
    this.bar = bars[index] ?? null;
    this.layer.show();
  }

  lift(): ChartEvent | null {
    const { bar, pressed } = this;
    this.pressed = false;
    if (!pressed || bar === null) return null;
    this.cancel();
    return { type: "bar", time: bar };
  }

  cancel(): boolean {
    const was = this.isTaken;
    this.isTaken = this.pressed = false;
    this.bar = null;
    return this.layer.hide() || was;
  }

  private figures(): Figure[] {
    if (this.bar === null) return [];
    const { theme, height, x } = this.stage.canvas();
    const at = x(text(this.bar));
    const coordinates = [
      { x: at, y: 0 },
      { x: at, y: height },
    ];
    const styles = { color: theme.palette.amber, size: 2, dash: [6, 4] };
    return [{ type: "stroke", key: "", attrs: { coordinates }, styles }];
  }
}
