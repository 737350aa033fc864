// Notices: raised once, shown on every page, acknowledged, and resolved.
import type { Page } from "@playwright/test";
import { Cluster } from "../support/cluster.ts";
import { Chat, expect, expectAccessible, test } from "../support/test.ts";

/** The cluster is polled every few seconds, and reports new values every ten. */
const LOOK = { timeout: 40_000 };

test.use({
  jarvisOptions: {
    env: {
      JARVIS_NOTICES: "true",
      JARVIS_NOTICES_HOLD_SECONDS: "1",
      JARVIS_NOTICES_CLEAR_SECONDS: "1",
    },
    args: [],
    config: '[notices]\noff = ["backup", "storage", "task", "temperature"]\n',
  },
});
test.slow();

const DEAD = "Node agent1 is offline.";

const list = (page: Page) => page.getByRole("region", { name: "Notices" });
const notice = (page: Page, text: string | RegExp) => list(page).getByRole("listitem").filter({ hasText: text });
const mark = (page: Page) => page.locator(".notice-mark");

async function open(page: Page): Promise<void> {
  await page.getByRole("link", { name: "HUD" }).click();
  await expect(page.getByRole("heading", { name: "homelab", level: 1 })).toBeVisible();
}

test("a node that dies is told on every page, and known of by who says so", async ({ page, jarvis }) => {
  const cluster = new Cluster(jarvis);
  await expect(mark(page)).toBeHidden();
  await cluster.order({ type: "offline", node: "agent1", on: true });
  // In the chat: a mark, the title, and text for screen readers.
  await expect(mark(page)).toHaveText(/1 notice, 1 grave/, { timeout: 90_000 });
  await expect(page.getByRole("alert").filter({ hasText: DEAD })).toHaveCount(1);
  await expect(page).toHaveTitle(/^⚠1 /);
  await expectAccessible(page);

  await mark(page).click();
  const dead = notice(page, DEAD);
  await expect(dead).toContainText(/for \d+ (s|min)/);
  await expectAccessible(page);
  await dead.getByRole("button", { name: "Acknowledge" }).press("Enter");
  await expect(dead).toContainText(/acknowledged by Operator/);
  await expect(dead.getByRole("button")).toHaveCount(0);
  await expect(dead).toBeFocused();
  await expect(mark(page)).toBeHidden();
  await expect(page).toHaveTitle(/^HUD/);

  // It survives a reload and a crash of the server.
  await page.reload();
  await new Chat(page).alive();
  await expect(notice(page, DEAD)).toContainText(/acknowledged by Operator/);

  await cluster.order({ type: "offline", node: "agent1", on: false });
  await expect(list(page).getByText("No open notices.")).toBeVisible(LOOK);
  await list(page).getByText("1 resolved in the last day").click();
  await expect(notice(page, DEAD)).toContainText(/lasted .*, resolved .* ago/);
  await expectAccessible(page);

  // It happens again: that is another notice.
  await cluster.order({ type: "offline", node: "agent1", on: true });
  await expect(mark(page)).toHaveText(/1 notice/, LOOK);
});

test("a cluster out of reach is itself a notice, and ends no other", async ({ page, jarvis }) => {
  const cluster = new Cluster(jarvis);
  await open(page);
  await cluster.order({ type: "offline", node: "agent1", on: true });
  await expect(notice(page, DEAD)).toBeVisible({ timeout: 90_000 });
  await cluster.order({ type: "renewed", on: true });
  const away = notice(page, /Grave: The cluster does not answer: .* is not trusted/);
  await expect(away).toBeVisible(LOOK);
  await expect(notice(page, DEAD)).toBeVisible();
  await cluster.order({ type: "renewed", on: false });
  await expect(away).toHaveCount(0, LOOK);
  await expect(notice(page, DEAD)).toBeVisible();
});

test("a second tab sees who knows of it", async ({ page, context, jarvis }) => {
  await open(page);
  const second = await context.newPage();
  await second.goto(`${jarvis.url}/hud`);
  await new Cluster(jarvis).order({ type: "offline", node: "agent1", on: true });
  await expect(notice(page, DEAD)).toBeVisible({ timeout: 90_000 });
  await notice(page, DEAD).getByRole("button", { name: "Acknowledge" }).click();
  await expect(notice(second, DEAD)).toContainText(/acknowledged by Operator/);
});

test.describe("a failed task", () => {
  test.use({
    jarvisOptions: {
      env: { JARVIS_NOTICES: "true", JARVIS_NOTICES_CLEAR_SECONDS: "0" },
      args: [],
      config: '[notices]\noff = ["backup", "storage", "node", "temperature"]\n',
    },
  });

  test("is told until one like it succeeds", async ({ page, jarvis }) => {
    await open(page);
    const cluster = new Cluster(jarvis);
    await cluster.order({ type: "backup", vmid: 101, fails: true });
    const failed = notice(page, /backup of guest 101 on \w+/i);
    await expect(failed).toBeVisible({ timeout: 60_000 });
    await cluster.order({ type: "backup", vmid: 101, fails: false });
    await expect(failed).toHaveCount(0, LOOK);
  });
});
