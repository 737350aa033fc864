// Pixel checks of a chart.
import type { Page } from "@playwright/test";

/** A point in the window. */
export interface Point {
  x: number;
  y: number;
}

/** The fraction of a line between two points of the window that has a colour of the palette. */
export async function coloured(page: Page, from: Point, to: Point, token: string): Promise<number> {
  return page.evaluate(
    ([from, to, token]) => {
      const picture = document.createElement("canvas");
      picture.width = innerWidth;
      picture.height = innerHeight;
      const context = picture.getContext("2d", { willReadFrequently: true });
      if (!context) throw new Error("no canvas");
      const probe = document.createElement("i");
      probe.style.color = `var(${token})`;
      document.body.append(probe);
      context.fillStyle = getComputedStyle(probe).color;
      probe.remove();
      context.fillRect(0, 0, 1, 1);
      const wanted = context.getImageData(0, 0, 1, 1).data;
      context.fillStyle = getComputedStyle(document.body).backgroundColor;
      context.fillRect(0, 0, picture.width, picture.height);
      for (const canvas of document.querySelectorAll("#chart canvas")) {
        const box = canvas.getBoundingClientRect();
        context.drawImage(canvas as HTMLCanvasElement, box.x, box.y, box.width, box.height);
      }
      let hit = 0;
      const samples = 40;
      for (let n = 0; n < samples; n += 1) {
        const part = (n + 0.5) / samples;
        const x = Math.round(from.x + (to.x - from.x) * part);
        const y = Math.round(from.y + (to.y - from.y) * part);
        // Within one pixel.
        const near = context.getImageData(x - 1, y - 1, 3, 3).data;
        for (let at = 0; at < near.length; at += 4) {
          const off = [0, 1, 2].map((c) => Math.abs((near[at + c] ?? 0) - (wanted[c] ?? 0)));
          if (Math.max(...off) < 24) {
            hit += 1;
            break;
          }
        }
      }
      return hit / samples;
    },
    [from, to, token] as const,
  );
}
