// Width of a page.
import { expect, type Page } from "@playwright/test";

/** Asserts that nothing is wider than the window. */
export async function expectFits(page: Page): Promise<void> {
  const width = page.viewportSize()?.width ?? 0;
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  const out = await page.evaluate((width) =>
    [...document.querySelectorAll("main *, header *")]
      .filter((it) => {
        const box = it.getBoundingClientRect();
        // The content of a scrolling element may be wider than the page.
        return box.width > 0 && box.right > width + 1 && !it.closest(".table-scroll, .erp-scroll, .confirm__table, pre, .suggestions, .packs");
      })
      .map((it) => `${it.tagName}.${it.className} ends at ${it.getBoundingClientRect().right}`),
    width,
  );
  expect(out).toEqual([]);
}
