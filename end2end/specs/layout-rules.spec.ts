// The rules of layout themselves: each finds its fault on a small page. No server is needed.
import { expect, type Page, test } from "@playwright/test";
import { inspect } from "../support/inspect.ts";

const FRAME = `* { margin: 0 }
html, body, .frame { height: 100% }
html { overscroll-behavior: none }
body { font: 16px/20px monospace }`;
const LINES = "<p>one line</p>".repeat(80);

/** The findings on a page that consists of this frame. */
async function found(page: Page, content: string): Promise<string[]> {
  await page.setViewportSize({ width: 400, height: 600 });
  await page.setContent(`<style>${FRAME}</style><main class="frame">${content}</main>`);
  return page.evaluate(inspect, { width: 400, height: 600, theme: "dark" });
}

test("a column that breaks ordinary words is found, one that breaks long names is not", async ({ page }) => {
  const column = (width: number, text: string) =>
    `<p style="width: ${width}px; overflow-wrap: anywhere">${text}</p>`;
  const faults = await found(page, column(12, "running") + column(80, "a request, cancelled"));
  expect(faults).toEqual([
    expect.stringMatching(/^“running” broken over \d+ lines/),
    expect.stringMatching(/^“cancelled” broken over 2 lines/),
  ]);
  const fine = column(100, "a request, cancelled on backup-long-name-01.example") + column(12, "a b c");
  expect(await found(page, fine)).toEqual([]);
});

test("a scroller that hands a swipe on to the page is found", async ({ page }) => {
  const scroller = (style: string, content = LINES, name = "") =>
    `<div class="${name}" style="position: relative; overflow-y: auto; max-height: 200px; ${style}">${content}</div>`;
  const past = (fault: string) => new RegExp(`^a swipe past its ${fault}: <div`);
  expect(await found(page, scroller(""))).toEqual([expect.stringMatching(past("end moves the page"))]);
  // Before it has so much content that it scrolls, too.
  expect(await found(page, scroller("", "<p>one line</p>"))).toHaveLength(1);
  expect(await found(page, scroller("overscroll-behavior: contain"))).toEqual([]);
  // One in another hands the swipe on to that one.
  expect(await found(page, scroller("overscroll-behavior: contain", scroller("") + LINES))).toEqual([]);
  const wide = '<p style="width: 900px">a wide line</p>';
  const faults = await found(page, scroller("overscroll-behavior-y: contain", wide, "table-scroll"));
  expect(faults).toEqual([expect.stringMatching(past("side goes back in history"))]);
  // A list that is meant to scroll down must not hide the end of a line.
  expect(await found(page, scroller("overscroll-behavior: contain", wide))).toEqual([
    expect.stringMatching(/^scrolls down and sideways: <div>/),
  ]);
  // What lies over the page has nothing around it.
  const over = scroller("overscroll-behavior: contain", scroller("position: fixed; top: 0; background: #fff"));
  expect(await found(page, over)).toEqual([expect.stringMatching(past("end moves the page"))]);
  const field = "<textarea style='max-height: 5em'></textarea>";
  expect(await found(page, field)).toEqual(["a swipe past its end moves the page: <textarea>"]);
});
