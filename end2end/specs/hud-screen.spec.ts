// The first screen of the HUD, its notices in groups, and its table: at a desk, by keyboard, and on a
// phone.
import type { Page } from "@playwright/test";
import { Chat, expect, expectAccessible, test } from "../support/test.ts";

const LOOK = { timeout: 60_000 };
const WITH_NOTICES = {
  env: { JARVIS_NOTICES: "true", JARVIS_NOTICES_HOLD_SECONDS: "0" },
  args: [],
};

const rows = (page: Page) => page.getByRole("table", { name: "Guests" }).locator("tbody tr");
const notices = (page: Page) => page.getByRole("region", { name: "Notices" });

async function open(page: Page): Promise<void> {
  await page.getByRole("link", { name: "HUD" }).click();
  await expect(page.getByText("4 of 4 nodes online")).toBeVisible();
}

test.describe("at a desk", () => {
  test.use({ viewport: { width: 1440, height: 900 }, jarvisOptions: WITH_NOTICES });

  test("everything that matters is on the first screen", async ({ page }) => {
    test.slow();
    await open(page);
    await expect(page.locator(".hud__health")).toHaveText(/^All nodes are up, but .+\.$/);
    await expect(notices(page).getByText(/^\d+ guests have no recent backup$/)).toBeVisible(LOOK);
    // Nothing of the overview is below the fold, and the table begins above it.
    for (const part of [".hud__head", ".hud__nodes", ".hud__columns"]) {
      const box = await page.locator(part).boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0), part).toBeLessThanOrEqual(900);
    }
    expect((await page.locator(".hud__guests").boundingBox())?.y).toBeLessThan(900);
    // Four in a row.
    const tops = await page.getByRole("article").evaluateAll((all) => all.map((it) => it.getBoundingClientRect().y));
    expect(new Set(tops).size).toBe(1);
    expect(tops).toHaveLength(4);
    await expectAccessible(page);

    await page.setViewportSize({ width: 1024, height: 768 });
    const two = await page.getByRole("article").evaluateAll((all) => all.map((it) => it.getBoundingClientRect().y));
    expect(new Set(two).size).toBe(2);
  });

  test("notices of a kind are one line, and acknowledged together", async ({ page }) => {
    test.slow();
    await open(page);
    const group = notices(page).getByRole("listitem").filter({ hasText: /guests have no recent backup/ });
    await expect(group).toHaveCount(1, LOOK);
    await group.getByRole("button", { name: /^Show/ }).press("Enter");
    const each = group.getByRole("listitem");
    const count = await each.count();
    expect(count).toBeGreaterThan(1);
    await expect(group).toContainText(`${count} guests have no recent backup`);
    await group.getByRole("button", { name: /^Hide/ }).press("Enter");
    await group.getByRole("button", { name: /^Acknowledge\b/ }).press("Enter");
    // Each is acknowledged by itself: for a moment there are two groups.
    await expect(notices(page).locator("#notices-backup")).toHaveCount(0);
    await expect(group).toContainText("acknowledged by Operator");
    await expect(group.getByRole("button", { name: /^Acknowledge/ })).toHaveCount(0);
    await expect(group).toBeFocused();
    await expectAccessible(page);
    await page.reload();
    await new Chat(page).alive();
    await expect(group).toContainText("acknowledged by Operator");
  });
});

test("the table by keyboard: filtered, sorted, and as it was after a reload", async ({ page }) => {
  await open(page);
  const all = await rows(page).count();
  const without = page.getByRole("button", { name: /^No recent backup \d+$/ });
  await without.press("Enter");
  await expect(without).toHaveAttribute("aria-pressed", "true");
  await expect(rows(page)).toHaveCount(Number((await without.innerText()).replace(/\D/g, "")));
  expect(await rows(page).count()).toBeLessThan(all);
  await page.getByRole("button", { name: /^All \d+$/ }).press("Enter");

  const cpu = page.getByRole("columnheader", { name: "CPU" });
  await cpu.getByRole("button").press("Enter");
  await expect(cpu).toHaveAttribute("aria-sort", "descending");
  await cpu.getByRole("button").press("Enter");
  await expect(cpu).toHaveAttribute("aria-sort", "ascending");
  // Names are large enough to be hit.
  const low = await rows(page)
    .locator("a")
    .evaluateAll((all) => all.map((it) => it.getBoundingClientRect().height).filter((height) => height < 24));
  expect(low).toEqual([]);
  const find = page.getByRole("searchbox", { name: /Find guests/ });
  await find.pressSequentially("100");
  await expect(rows(page)).toHaveCount(1);
  await find.press("Escape");

  // The dots of a row are its menu: with the chat, its page, and its actions.
  await rows(page).first().getByRole("button", { name: /^Actions on / }).press("Enter");
  const menu = page.locator("#act-panel");
  await expect(menu.getByRole("button", { name: /^Ask Jarvis about Guest \d+$/ })).toBeVisible();
  await expect(menu.getByRole("link", { name: "Open" })).toHaveAttribute("href", /^\/guest\/\d+$/);
  await expectAccessible(page);
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Tiles" }).press("Enter");
  await expect(page.locator(".tile")).not.toHaveCount(0);
  await expectAccessible(page);
  await page.reload();
  await new Chat(page).alive();
  await expect(page.locator(".tile")).toHaveCount(all);
  await page.getByRole("button", { name: "Table" }).press("Enter");
  await expect(cpu).toHaveAttribute("aria-sort", "ascending");
});

test("on a wall: the board alone, in large type, also after a reload", async ({ page }) => {
  await open(page);
  const parts = [".hud__health", ".node__value", ".store", ".guests__row"];
  const sizes = () =>
    Promise.all(
      parts.map((part) =>
        page
          .locator(part)
          .first()
          .evaluate((it) => Number.parseFloat(getComputedStyle(it).fontSize)),
      ),
    );
  await expect(rows(page).first()).toBeVisible();
  const usual = await sizes();
  await page.keyboard.press("w");
  await expect(page.getByRole("banner")).toBeHidden();
  const alone = async () => {
    await expect(page.getByRole("navigation", { name: "Conversations" })).toBeHidden();
    await expect(page.getByRole("searchbox", { name: /Find guests/ })).toBeHidden();
    await expect(page.getByRole("button", { name: /^Actions on / })).toHaveCount(0);
    // The board has the whole window.
    expect(await page.locator(".frame__main").boundingBox()).toEqual({ x: 0, y: 0, width: 1280, height: 800 });
    await expect(page.locator(".hud__health")).toBeInViewport({ ratio: 1 });
  };
  await alone();
  for (const [at, size] of (await sizes()).entries()) {
    expect(size / (usual[at] ?? 0), parts[at]).toBeCloseTo(1.25, 2);
  }
  await expectAccessible(page);

  // The screen comes back as it was, and one key leads away.
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-wall");
  await expect(page.getByRole("banner")).toBeHidden();
  await alone();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("link", { name: "HUD" })).toBeVisible();
  await expect.poll(sizes).toEqual(usual);
});

test.describe("with thresholds of its own", () => {
  test.use({
    jarvisOptions: { env: {}, args: [], config: "[notices]\nstorage_percent = 63\nfull_percent = 75\n" },
  });

  test("the colours of figures and bars follow the thresholds", async ({ page }) => {
    await open(page);
    await expect(page.locator(".store__full").first()).toHaveText(/^\d+ %$/);
    /** The name of the colour in which each figure and the bar below it are painted. */
    const painted = (line: string, figure: string) =>
      page.locator(line).evaluateAll(
        (all, figure) => {
          const probe = document.createElement("i");
          // With reduced motion each colour is reached after an instant.
          probe.style.setProperty("transition", "none", "important");
          document.body.append(probe);
          const of = (token: string) => {
            probe.style.color = `var(${token})`;
            return getComputedStyle(probe).color;
          };
          const names = new Map(["amber", "red"].map((name): [string, string] => [of(`--${name}`), name]));
          const plain = of("--cyan-fill");
          probe.remove();
          return all.flatMap((line) => {
            const text = line.querySelector(figure);
            const percent = /^(\d+) %/.exec(text?.textContent ?? "")?.[1];
            if (!text || !percent) return [];
            const bar = line.querySelector(".meter path");
            const paint = bar ? getComputedStyle(bar).fill : "none";
            return {
              percent: Number(percent),
              figure: names.get(getComputedStyle(text).color) ?? "plain",
              bar: paint === plain ? "plain" : names.get(paint),
            };
          });
        },
        figure,
      );
    const stores = await painted(".store", ".store__full");
    for (const { percent, figure, bar } of stores) {
      const expected = percent >= 75 ? "red" : percent >= 63 ? "amber" : "plain";
      expect({ figure, bar }, `${percent} %`).toEqual({ figure: expected, bar: expected });
    }
    // The simulated storages are of each kind, and the fullest comes first.
    expect(new Set(stores.map(({ figure }) => figure))).toEqual(new Set(["red", "amber", "plain"]));
    const order = stores.map(({ percent }) => percent);
    expect(order).toEqual(order.toSorted((a, b) => b - a));

    // Processors and memory have fixed ones; a figure at a threshold may have been rounded to it.
    const nodes = await painted(".node__figure:not(:nth-child(3))", ".node__value");
    expect(nodes.length).toBeGreaterThan(0);
    for (const { percent, figure } of nodes) {
      if (percent === 80 || percent === 90) continue;
      expect(figure, `${percent} %`).toBe(percent > 90 ? "red" : percent > 80 ? "amber" : "plain");
    }
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("the sentence and the nodes come first, and every target is large", async ({ page }) => {
    await page.getByRole("link", { name: "HUD" }).tap();
    await expect(page.getByText("4 of 4 nodes online")).toBeVisible();
    await expect(page.locator(".hud__health")).toBeInViewport();
    await expect(page.getByRole("article", { name: "Node Home" })).toBeInViewport();
    const small = await page.locator(".hud").evaluate((hud) =>
      [...hud.querySelectorAll("a, button, summary, input, select")]
        .map((it) => ({ box: it.getBoundingClientRect(), name: it.textContent ?? "" }))
        .filter(({ box }) => box.width > 0 && box.height < 43.5)
        .map(({ box, name }) => `${name.trim()}: ${box.height}`),
    );
    expect(small).toEqual([]);
    await expectAccessible(page);
  });
});
