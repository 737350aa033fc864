// The fills of drawings, on a canvas of their own under the candles: the library paints all of a drawing on
// top, and a candle under a fill has another colour.
import type { Chart } from "klinecharts";
import type { Figure } from "./paint.ts";

export class Underlay {
  private readonly canvas = document.createElement("canvas");
  private isClear = true;

  constructor(chart: Chart) {
    // Those of the library have the index 2.
    this.canvas.style.cssText = "position:absolute;inset:0;width:100%;height:100%;z-index:1";
    chart.getDom("candle_pane", "main")?.prepend(this.canvas);
  }

  /** Paints the fills of a frame in place of those of the one before. */
  paint(fills: readonly Figure[], { width, height }: { width: number; height: number }): void {
    if (this.isClear && fills.length === 0) return;
    this.isClear = fills.length === 0;
    const { canvas } = this;
    const context = canvas.getContext("2d");
    if (context === null) return;
    const ratio = window.devicePixelRatio;
    const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
    // A new size clears it too.
    if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
    else context.clearRect(0, 0, width, height);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    for (const { type, attrs, styles } of fills) {
      context.beginPath();
      if (type === "box") {
        context.fillStyle = styles.color;
        context.rect(attrs.x, attrs.y, attrs.width, attrs.height);
      } else if (type === "ring") {
        context.fillStyle = styles.fill;
        context.arc(attrs.x, attrs.y, attrs.r, 0, 2 * Math.PI);
      }
      context.fill();
    }
  }
}
