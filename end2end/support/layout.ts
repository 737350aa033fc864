// Layout rules for every page, in every state, at every size, in the dark or the light theme.
import { mkdir, writeFile } from "node:fs/promises";
import { type CDPSession, expect, type Page } from "@playwright/test";
import { inspect } from "./inspect.ts";

export interface Size {
  name: string;
  width: number;
  height: number;
  /** Device pixels per CSS pixel: 2 is what a zoom of 200 % makes. */
  scale: number;
  touch: boolean;
  /** One is enough: `theme.spec.ts` shows that a theme moves nothing. */
  theme: "light" | "dark";
}

const BOTH = ["light", "dark"];

export const SIZES: Size[] = [
  { name: "1440×900", width: 1440, height: 900, scale: 1, touch: false, theme: "dark" },
  { name: "1024×768", width: 1024, height: 768, scale: 1, touch: false, theme: "light" },
  { name: "1440×900 at 200 %", width: 720, height: 450, scale: 2, touch: false, theme: "dark" },
  { name: "390×844", width: 390, height: 844, scale: 2, touch: true, theme: "light" },
  { name: "360×740", width: 360, height: 740, scale: 2, touch: true, theme: "dark" },
];

/** For what a size as such does not change: a desktop, little height, and a phone. */
const OF_EACH_KIND = SIZES.filter(({ width }) => [1440, 720, 390].includes(width));

/** Checks a page at one size after the other, without reloading it. */
export class Layout {
  private constructor(
    private readonly page: Page,
    private readonly cdp: CDPSession,
  ) {}

  static async of(page: Page): Promise<Layout> {
    return new Layout(page, await page.context().newCDPSession(page));
  }

  /** Sets the size of the window, and the pointer type of such a device. */
  async resize({ width, height, scale, touch }: Size): Promise<void> {
    await this.cdp.send("Emulation.setTouchEmulationEnabled", { enabled: touch, maxTouchPoints: touch ? 5 : 1 });
    await this.cdp.send("Emulation.setDeviceMetricsOverride", {
      width,
      height,
      deviceScaleFactor: scale,
      mobile: touch,
    });
  }

  /** Checks a state against all rules at all sizes; restores the first size. */
  async check(state: string, sizes = SIZES): Promise<void> {
    const shots = process.env["SHOTS"];
    const found: string[] = [];
    if (shots) await mkdir(shots, { recursive: true });
    for (const size of sizes) {
      await this.resize(size);
      for (const theme of shots ? BOTH : [size.theme]) {
        const problems = await this.page.evaluate(inspect, { ...size, theme });
        found.push(...problems.map((problem) => `${size.name}, ${theme}: ${problem}`));
        if (!shots) continue;
        const name = `${state}-${size.width}-${theme}`.replace(/\W+/g, "-");
        // Playwright's method would reset the size. The first screenshot after a change may be
        // partial.
        await this.cdp.send("Page.captureScreenshot", { format: "png" });
        const { data } = await this.cdp.send("Page.captureScreenshot", { format: "png" });
        await writeFile(`${shots}/${name}.png`, data, "base64");
      }
    }
    if (sizes[0]) await this.resize(sizes[0]);
    expect.soft(found, state).toEqual([]);
  }

  /**
   * Like `check`, and asserts that a wheel, a selection, keys and touch scroll the content of the frame, never
   * the frame.
   */
  async checkScrolling(state: string): Promise<void> {
    await this.check(state);
    for (const size of OF_EACH_KIND) {
      await this.resize(size);
      const [x, y] = [size.width / 2, size.height * 0.6];
      await this.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await this.page.keyboard.press("End");
      if (size.touch) {
        // As fast as possible: only the end position matters.
        await this.cdp.send("Input.synthesizeScrollGesture", {
          x,
          y,
          yDistance: -size.height * 4,
          speed: 60_000,
          gestureSourceType: "touch",
        });
      } else {
        await this.page.mouse.move(x, y);
        await this.page.mouse.wheel(600, size.height * 40);
        // Selecting text beyond the edge scrolls everything that can scroll.
        await this.page.mouse.down();
        await this.page.mouse.move(x + 40, size.height - 2, { steps: 3 });
        await this.page.mouse.move(x + 40, size.height + 60, { steps: 3 });
        await this.page.mouse.up();
      }
      await this.page.keyboard.press("End");
      const moved = await this.page.evaluate(async () => {
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        const { x, y } = document.querySelector(".frame")?.getBoundingClientRect() ?? { x: 0, y: 0 };
        return { x, y, left: window.scrollX, top: window.scrollY };
      });
      expect.soft(moved, `${state} at ${size.name}: scrolled`).toEqual({ x: 0, y: 0, left: 0, top: 0 });
    }
    await this.page.evaluate(() => {
      getSelection()?.removeAllRanges();
      for (const it of document.querySelectorAll("main *")) it.scrollTop = 0;
    });
    if (SIZES[0]) await this.resize(SIZES[0]);
  }

  /** Like `check`, also with the list of conversations over the page where there is little room. */
  async checkWithDrawer(state: string): Promise<void> {
    await this.check(state);
    const narrow = SIZES.filter(({ width }) => width < 896);
    if (narrow[0]) await this.resize(narrow[0]);
    await this.page.getByRole("button", { name: "Show or hide the list of conversations" }).click();
    await this.check(`${state}, the list open`, narrow);
    await this.page.getByRole("button", { name: "Close the list" }).click();
    if (SIZES[0]) await this.resize(SIZES[0]);
  }

  /**
   * Asserts that at every scroll position the buttons of a waiting card are in view, or a link to
   * them is.
   */
  async checkDecidable(scroller = ".transcript"): Promise<void> {
    for (const size of SIZES) {
      await this.resize(size);
      for (const part of [0, 0.25, 0.5, 0.75, 1]) {
        await this.page.locator(scroller).evaluate((it, part) => {
          it.scrollTop = part * (it.scrollHeight - it.clientHeight);
        }, part);
        await expect
          .poll(
            () =>
              this.page.evaluate(() => {
                const seen = (it: Element) => {
                  const { x, y, width, height } = it.getBoundingClientRect();
                  const at = (part: number) => document.elementFromPoint(x + width / 2, y + height * part);
                  return [0.1, 0.9].every((part) => it.contains(at(part)));
                };
                const buttons = (card: Element) => [...card.querySelectorAll(".confirm__decide .button")];
                const cards = [...document.querySelectorAll(".confirm--asks")];
                const strips = [...document.querySelectorAll(".waiting-strip .button")];
                return cards.some((card) => buttons(card).every(seen)) || strips.some(seen);
              }),
            { message: `buttons of the card at ${size.name}, ${part * 100} % down` },
          )
          .toBe(true);
      }
    }
    if (SIZES[0]) await this.resize(SIZES[0]);
  }
}
