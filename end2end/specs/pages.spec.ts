// The pages of nodes, guests, storages and tasks, reached from the HUD.
import type { Page } from "@playwright/test";
import { Cluster } from "../support/cluster.ts";
import { Chat, expect, expectAccessible, test } from "../support/test.ts";

/** For tests that open another page first. */
const direct = test.extend<object>({ startPage: false });

/** The cluster is polled every few seconds. */
const LOOK = { timeout: 30_000 };

const chart = (page: Page, name: string) => page.getByRole("article", { name, exact: true });

async function hud(page: Page): Promise<void> {
  await page.getByRole("link", { name: "HUD" }).click();
  await expect(page.getByText("4 of 4 nodes online")).toBeVisible(LOOK);
}

test("a node: live figures, its past over four spans, its tasks", async ({ page, context, jarvis }) => {
  const html = await (await context.request.get(`${jarvis.url}/node/pve`)).text();
  for (const text of ["Node pve", "GET /nodes/pve/rrddata?timeframe=hour", "pveproxy"]) {
    expect(html).toContain(text);
  }
  expect(html).not.toContain('style="');

  await hud(page);
  await page.getByRole("article", { name: "Node pve" }).getByRole("link", { name: "pve" }).click();
  await expect(page).toHaveURL(/\/node\/pve$/);
  await expect(page.getByRole("heading", { name: "Node pve", level: 1 })).toBeVisible();
  await expect(page).toHaveTitle(/Node pve/);
  await expect(page.getByText("Simulated", { exact: true })).toBeVisible();
  // The board stays live here.
  const pve = page.getByRole("article", { name: "Node pve" });
  await expect(pve).toContainText("9.1.11");
  await expect(pve).toContainText("GET /nodes/pve/status");
  await expect(pve.getByText(/Last 60 min/)).toBeVisible();
  await expect(pve.locator("footer")).toContainText(/[01] s ago/, LOOK);

  for (const name of ["CPU", "Memory", "Load", "Network", "Root disk"]) {
    await expect(chart(page, name)).toContainText(/lowest .+, highest .+, mean /);
  }
  const line = chart(page, "CPU").locator("path.chart__line--0");
  let before = await line.getAttribute("d");
  for (const [button, timeframe, step] of [
    ["Day", "day", "4 min"],
    ["Week", "week", "30 min"],
    ["Month", "month", "2 h"],
    ["Hour", "hour", "1 min"],
  ]) {
    await page.getByRole("button", { name: button, exact: true }).press("Enter");
    await expect(page.getByText(`rrddata?timeframe=${timeframe}`)).toBeVisible();
    await expect(page.getByText(`the mean of ${step}`)).toBeVisible();
    await expect(page.getByRole("button", { name: button, exact: true })).toHaveAttribute("aria-pressed", "true");
    const drawn = await line.getAttribute("d");
    expect(drawn).not.toBe(before);
    before = drawn;
  }
  await expectAccessible(page);

  // To a task, and back.
  const tasks = page.getByRole("region", { name: "Tasks" });
  await tasks.getByRole("heading", { level: 3 }).first().getByRole("link").first().click();
  await expect(page).toHaveURL(/\/task\/UPID:/);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Node pve", level: 1 })).toBeVisible();
});

direct("a chart is read by keyboard and by pointer", async ({ page, jarvis }) => {
  await page.goto(`${jarvis.url}/guest/100`);
  await new Chat(page).alive();
  const memory = chart(page, "Memory");
  const slider = memory.getByRole("slider", { name: "Time in Memory" });
  await slider.focus();
  await slider.press("Home");
  const first = await slider.getAttribute("aria-valuetext");
  expect(first).toMatch(/\d.*: used [\d.]+ [KMGT]iB/);
  await slider.press("ArrowRight");
  await expect(slider).not.toHaveAttribute("aria-valuetext", first ?? "");
  // The visible text is the same as the text for screen readers.
  await expect(memory.locator(".chart__readout")).toHaveText((await slider.getAttribute("aria-valuetext")) ?? "");
  const box = await slider.boundingBox();
  if (!box) throw new Error("the chart is not shown");
  await page.mouse.move(box.x + box.width * 0.25, box.y + box.height / 2);
  const quarter = await memory.locator(".chart__readout").innerText();
  await page.mouse.move(box.x + box.width * 0.75, box.y + box.height / 2);
  await expect(memory.locator(".chart__readout")).not.toHaveText(quarter);
});

test("a guest: what it is, without its secrets", async ({ page, context, jarvis }) => {
  const html = await (await context.request.get(`${jarvis.url}/guest/101`)).text();
  expect(html).not.toContain("ssh-ed25519");
  await hud(page);
  await page.getByRole("searchbox", { name: /Find guests/ }).fill("101");
  await page.getByRole("table", { name: "Guests" }).locator("tbody th a.thing-link").first().click();
  await expect(page).toHaveURL(/\/guest\/101$/);
  const heading = page.getByRole("heading", { name: /^\S+ Guest 101$/, level: 1 });
  await expect(heading).toBeVisible();
  const [name = ""] = (await heading.innerText()).split(/\s/);
  expect(name).not.toBe("Guest");
  await expect(page).toHaveTitle(new RegExp(`${name} \\(101\\)`));
  const config = page.getByRole("region", { name: "Configuration" });
  await expect(config.getByRole("row", { name: /^cores/ })).toContainText(/\d/);
  await expect(config.getByRole("row", { name: /^cipassword/ })).toContainText("may contain a secret");
  await expect(page.getByRole("region", { name: "Backups" }).locator("tbody tr").first()).toContainText("ago");
  await expectAccessible(page);
});

test("a task with its log", async ({ page, jarvis }) => {
  await hud(page);
  const tasks = page.getByRole("region", { name: "Tasks" });
  await tasks.getByRole("heading", { level: 3 }).last().getByRole("link").first().click();
  await expect(page).toHaveURL(/\/task\/UPID:/);
  const log = page.getByRole("group", { name: "Log of the task" });
  await expect(log).not.toBeEmpty();
  const text = await log.innerText();
  await expectAccessible(page);
  await page.reload();
  await new Chat(page).alive();
  await expect(log).toHaveText(text);
  await page.goto(`${jarvis.url}/task/UPID:pve:00000001:00000001:00000001:nothing::root@pam:`);
  await expect(page.getByRole("alert").or(page.getByText(/no such task/)).first()).toBeVisible();
});

direct("what cannot be had says why, and takes nothing along", async ({ page, jarvis }) => {
  test.slow();
  const cluster = new Cluster(jarvis);
  await page.goto(`${jarvis.url}/hud`);
  await new Chat(page).alive();
  await cluster.order({ type: "offline", node: "agent1", on: true });
  const agent1 = page.getByRole("article", { name: "Node agent1", exact: true });
  await expect(agent1).toContainText("offline", LOOK);
  await page.goto(`${jarvis.url}/node/agent1`);
  await expect(page.getByRole("region", { name: "Services" })).toContainText("node agent1 is offline");
  await expect(page.getByText(/does not answer/).first()).toBeVisible();
  await page.goto(`${jarvis.url}/guest/9999`);
  await expect(page.getByText("There is no guest 9999.").first()).toBeVisible();
  await page.goto(`${jarvis.url}/storage/nas`);
  await expect(chart(page, "Use")).toBeVisible();
  await expect(page.getByRole("region", { name: "Backups" }).locator("tbody tr").first()).toBeVisible();
  await expectAccessible(page);
});

test("guests in groups", async ({ page }) => {
  await hud(page);
  const table = page.getByRole("table", { name: "Guests" });
  const all = await table.locator("tbody tr").count();
  await page.getByRole("combobox", { name: "Group by" }).selectOption("node");
  const group = table.locator("th button[aria-expanded]").filter({ hasText: /^pve$/ });
  await expect(group).toHaveAttribute("aria-expanded", "true");
  await expect(table.locator("tbody tr")).toHaveCount(all + 4);
  await group.press("Enter");
  await expect(group).toHaveAttribute("aria-expanded", "false");
  expect(await table.locator("tbody tr").count()).toBeLessThan(all + 4);
  await expectAccessible(page);
  await page.getByRole("combobox", { name: "Group by" }).selectOption("none");
  await expect(table.locator("tbody tr")).toHaveCount(all);
});

test("backups with their gaps, storages with their trend", async ({ page }) => {
  await hud(page);
  const backups = page.getByRole("region", { name: "Backups" });
  await expect(backups).toContainText(/\d+ of \d+ guests have a good backup from the last 48 hours\./, LOOK);
  await expect(backups.getByText("in no backup job").first()).toBeVisible();
  await expect(backups.getByRole("list", { name: "Backups by night" }).getByRole("listitem")).toHaveCount(14);
  await expect(backups.locator(".night--good").first()).toHaveAttribute("title", /: \d+ backup/);
  const storages = page.getByRole("region", { name: "Storage" }).getByRole("listitem");
  const full = await storages.locator(".store__full").allInnerTexts();
  const percents = full.filter((it) => it).map((it) => Number.parseInt(it, 10));
  expect(percents).toEqual([...percents].sort((a, b) => b - a));
  await storages.first().getByRole("link").click();
  await expect(page.getByText(/^Last week: /).first()).toBeVisible(LOOK);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the page can be read", async ({ page, jarvis, consoleErrors }) => {
    consoleErrors.expect(/preload/);
    await page.goto(`${jarvis.url}/guest/100`);
    await expect(chart(page, "CPU").locator("path.chart__line--0")).toHaveAttribute("d", /^M/);
    await expect(page.getByRole("region", { name: "Configuration" })).toContainText("cores");
  });
});
