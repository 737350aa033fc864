// A long conversation: it opens at its end, older turns load on scrolling back, distant ones go.
import type { Page } from "@playwright/test";
import { converse, named } from "../support/long.ts";
import type { Rehearsal } from "../support/rehearsal.ts";
import { type Chat, expect, expectAccessible, test } from "../support/test.ts";

const TURNS = 90;
/** Limit on the turns in the page: the newest, three parts, and one that is being removed. */
const MOST = 32 + 4 * 16;

const ANSWER = "Quite well, sir.\n\n- The nodes answer.\n- The pools are within their limits.\n\nAnything else?";

async function long(page: Page, chat: Chat, rehearsal: Rehearsal): Promise<string> {
  await rehearsal.script({ blocks: [{ type: "text", text: ANSWER }], times: TURNS + 40 });
  await chat.alive();
  return converse(page, 1, TURNS);
}

const question = (chat: Chat, n: number) => chat.transcript.getByText(`What about ${named(n)}?`);

const questions = (chat: Chat) => chat.transcript.getByText(/^What about q\d+\?$/);

/**
 * Records the position of the first row in the window at every change of the transcript; the
 * returned function gives the pixels it moved.
 */
async function watchPlace(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const scroller = document.querySelector(".transcript") as HTMLElement;
    const edge = scroller.getBoundingClientRect().top;
    const rows = [...scroller.querySelectorAll<HTMLElement>(".row")];
    const row = rows.find((it) => it.getBoundingClientRect().bottom > edge) as HTMLElement;
    const place = () => row.getBoundingClientRect().top;
    const places = [place()];
    // After the page's own work in a frame, and before the paint.
    const observer = new ResizeObserver(() => places.push(place()));
    observer.observe(scroller.firstElementChild as HTMLElement);
    const stop = () => {
      observer.disconnect();
      places.push(place());
      return Math.max(...places) - Math.min(...places);
    };
    Object.assign(window, { stop });
  });
  return () =>
    page.evaluate(async () => {
      for (let n = 0; n < 5; n++) await new Promise(requestAnimationFrame);
      return (window as unknown as { stop: () => number }).stop();
    });
}

test("opens at its end; older turns come without a jump, wide and on a phone", async ({ page, chat, rehearsal, jarvis }) => {
  test.setTimeout(360_000);
  const id = await long(page, chat, rehearsal);
  const html = await (await page.request.get(`${jarvis.url}/chat/${id}`)).text();
  expect(html).toContain(named(TURNS));
  expect(html).not.toContain(`What about ${named(TURNS - 20)}?`);

  // Each page of older turns is held back until the reader stops scrolling.
  const held: (() => void)[] = [];
  let hold = true;
  await page.route(/\/api\/history$/, async (route) => {
    if (hold) await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  /** Scrolls until a page is requested. */
  const scroll = async (by: number) => {
    while (held.length === 0) {
      await page.mouse.wheel(0, by);
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    // The wheel may still be scrolling.
    await page.evaluate(async () => {
      const scroller = document.querySelector(".transcript");
      for (let [still, last] = [0, -1]; still < 10; ) {
        await new Promise(requestAnimationFrame);
        still = scroller?.scrollTop === last ? still + 1 : 0;
        last = scroller?.scrollTop ?? -1;
      }
    });
  };
  for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
    await page.setViewportSize(viewport);
    for (const go of held.splice(0)) go();
    hold = true;
    await page.goto(`${jarvis.url}/chat/${id}`);
    await chat.alive();
    await expect(question(chat, TURNS)).toBeInViewport();
    await expect(questions(chat)).toHaveCount(16);

    for (let pages = 2; pages <= 4; pages++) {
      await chat.transcript.hover();
      await scroll(-600);
      const moved = await watchPlace(page);
      held.shift()?.();
      // Pages further back have fewer turns.
      await expect(questions(chat)).toHaveCount(16 + 10 * (pages - 1));
      expect(await moved()).toBeLessThan(2);
    }

    // To the very beginning, as with the keys; the newest turns are removed meanwhile.
    hold = false;
    const first = question(chat, 1);
    await expect(async () => {
      await page.evaluate(() => document.querySelector(".transcript")?.scrollTo(0, 0));
      expect(await questions(chat).count()).toBeLessThanOrEqual(MOST);
      await expect(first).toBeInViewport({ timeout: 500 });
    }).toPass({ timeout: 60_000 });
    await expect(chat.transcript.getByRole("button", { name: "Show older messages" })).toBeHidden();
    await expect(question(chat, TURNS)).toHaveCount(0);
    await expectAccessible(page);

    // Forward again without a jump, although the first turns go; then straight to the end.
    hold = true;
    await scroll(700);
    const last = await questions(chat).last().innerText();
    const moved = await watchPlace(page);
    held.shift()?.();
    hold = false;
    await expect(questions(chat).last()).not.toHaveText(last);
    expect(await moved()).toBeLessThan(2);
    await page.getByRole("button", { name: "Go to the end" }).click();
    await expect(question(chat, TURNS)).toBeInViewport();
    await expect(questions(chat)).toHaveCount(16);
  }
});

test("a hit far above, an answer at the end, and never too much on the page", async ({ page, chat, rehearsal, jarvis }) => {
  test.setTimeout(180_000);
  const id = await long(page, chat, rehearsal);
  await page.goto(`${jarvis.url}/chat/${id}`);
  await chat.alive();

  // A search leads there, in an open page and in a newly loaded one.
  await page.getByRole("searchbox", { name: "Search conversations" }).fill(named(7));
  await page.getByRole("link", { name: /q007/ }).click();
  await expect(question(chat, 7)).toBeInViewport();
  await expect(question(chat, TURNS)).toHaveCount(0);
  await expect(page).toHaveURL(/#msg_/);
  await page.reload();
  await chat.alive();
  await expect(question(chat, 7)).toBeInViewport();

  // Copying it gives its own text.
  const copy = chat.transcript.getByRole("button", { name: "Copy the answer" }).first();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await copy.focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(ANSWER);

  // A question asked from there is answered at the end.
  await chat.ask(`What about ${named(TURNS + 1)}?`);
  await expect(question(chat, TURNS + 1)).toBeInViewport();
  await expect(chat.ended("Answered").last()).toBeInViewport();
  await expect(question(chat, 7)).toHaveCount(0);

  // Many more, here and elsewhere: the number of turns in the page stays bounded.
  await converse(page, TURNS + 2, 24, id);
  await expect(question(chat, TURNS + 25)).toBeInViewport();
  await expect.poll(() => questions(chat).count()).toBeLessThanOrEqual(33);

  // By keyboard alone: older ones by their button.
  const shown = await questions(chat).count();
  await chat.transcript.getByRole("button", { name: "Show older messages" }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => questions(chat).count()).toBeGreaterThan(shown);
});
