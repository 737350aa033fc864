// The HUD against the simulated cluster: correct values, even during faults.
import type { Page } from "@playwright/test";
import { Cluster } from "../support/cluster.ts";
import { Chat, expect, expectAccessible, expectReadable, test } from "../support/test.ts";

/** For tests that open another page first. */
const direct = test.extend<object>({ startPage: false });

/** The cluster is polled every few seconds, and reports new values every ten. */
const LOOK = { timeout: 45_000 };

async function open(page: Page): Promise<void> {
  await page.getByRole("link", { name: "HUD" }).click();
  await expect(page).toHaveURL(/\/hud$/);
  await expect(page.getByRole("heading", { name: "homelab", level: 1 })).toBeVisible();
}

const node = (page: Page, name: string) => page.getByRole("article", { name: `Node ${name}`, exact: true });
const age = (page: Page) => page.locator(".hud__age");
const guests = (page: Page) => page.getByRole("table", { name: "Guests" }).locator("tbody tr");

test("the cluster at a glance, live", async ({ page, context, jarvis }) => {
  const html = await (await context.request.get(`${jarvis.url}/hud`)).text();
  expect(html).toContain("quorate");
  expect(html).toContain("nextcloud");

  await open(page);
  await expect(page.getByText("quorate", { exact: true })).toBeVisible();
  await expect(page.getByText("4 of 4 nodes online")).toBeVisible();
  await expect(page.getByText("Simulated", { exact: true })).toBeVisible();
  const pve = node(page, "pve");
  await expect(pve).toContainText("online");
  await expect(pve).toContainText("°C");
  for (const name of ["CPU", "Memory", "I/O wait"]) {
    const figure = pve.locator(".node__figure").filter({ hasText: name });
    await expect(figure).toContainText(/last hour [\d.]+ % to [\d.]+ %/);
    await expect(figure.locator(".trace__line")).toHaveAttribute("d", /^M.*L/);
  }
  // The age of the figures counts up, and falls with the next poll.
  await expect(age(page)).toHaveText(/Updated [2-9] s ago/, LOOK);
  await expect(age(page)).toHaveText(/Updated [01] s ago/, LOOK);

  // The page looks the same after a reload.
  const before = await guests(page).count();
  expect(before).toBeGreaterThan(10);
  await page.reload();
  await new Chat(page).alive();
  await expect(guests(page)).toHaveCount(before);
});

test("the table filters and orders, by keyboard too", async ({ page }) => {
  await open(page);
  const all = await guests(page).count();
  const find = page.getByRole("searchbox", { name: /Find guests/ });
  await find.fill("nextcloud");
  await expect(guests(page)).toHaveCount(1);
  await expect(page.getByText(/^1 shown of \d+ guests/)).toBeVisible();
  await find.fill("no such guest");
  await expect(page.getByText("No matching guests.")).toBeVisible();
  await find.fill("");
  await expect(guests(page)).toHaveCount(all);

  const stopped = page.getByRole("button", { name: "Not running" });
  await stopped.focus();
  await page.keyboard.press("Enter");
  await expect(stopped).toHaveAttribute("aria-pressed", "true");
  const states = await guests(page).locator(".guests__state").allInnerTexts();
  expect(new Set(states.map((state) => state.trim()))).toEqual(new Set(["paused", "stopped"]));
  await page.getByRole("button", { name: /^All \d+$/ }).press("Enter");

  const memory = page.getByRole("columnheader", { name: "Memory" });
  await memory.getByRole("button").press("Enter");
  await expect(memory).toHaveAttribute("aria-sort", "descending");
  await page.getByRole("columnheader", { name: "Name" }).getByRole("button").press("Enter");
  const names = await guests(page).locator("th .thing-link").allInnerTexts();
  expect(names).toEqual([...names].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
});

test("a node that dies greys out its own figures and nothing else", async ({ page, jarvis }) => {
  test.slow();
  await open(page);
  await expect(node(page, "agent1")).toContainText("online");
  const cluster = new Cluster(jarvis);
  await cluster.order({ type: "offline", node: "agent1", on: true });
  const dead = node(page, "agent1");
  await expect(dead.getByText(/As of .*\d:\d\d:\d\d.*: node agent1 does not answer/)).toBeVisible(LOOK);
  await expect(dead).toContainText("offline");
  // The last known values are still there.
  await expect(dead.locator(".node__figure").filter({ hasText: "Memory" })).toContainText(/\d % of [\d.]+ GiB/);
  await expect(page.getByText("3 of 4 nodes online")).toBeVisible();
  await expect(node(page, "pve").getByText(/As of/)).toHaveCount(0);
  for (const row of await guests(page).all()) {
    const text = await row.innerText();
    const gone = text.includes("agent1") && !text.includes("template");
    expect(text.includes("unknown, was"), text).toBe(gone);
  }
  await expectAccessible(page);

  await cluster.order({ type: "offline", node: "agent1", on: false });
  await expect(dead.getByText(/As of/)).toHaveCount(0, LOOK);
  await expect(dead).toContainText("online");
});

test("a missing privilege is named, and nothing is zero", async ({ page, jarvis }) => {
  test.slow();
  await open(page);
  await expect(node(page, "pve")).toContainText("online");
  const cluster = new Cluster(jarvis);
  await cluster.order(
    { type: "revoke", path: "/", privilege: "Sys.Audit" },
    { type: "revoke", path: "/vms", privilege: "VM.Audit" },
  );
  const reason = "missing privilege Sys.Audit on /nodes/pve";
  await expect(node(page, "pve").getByText(reason)).toBeVisible(LOOK);
  await expect(page.getByText("quorum unknown: missing privilege Sys.Audit on /")).toBeVisible(LOOK);
  await expect(page.getByText("missing privilege VM.Audit on /vms").first()).toBeVisible(LOOK);
  await expect(guests(page)).toHaveCount(0);
  await expect(page.getByText("0 guests")).toHaveCount(0);
  await expect(page.getByText("There are no guests.")).toHaveCount(0);
  await expectAccessible(page);

  await cluster.order({ type: "restore" });
  await expect(page.getByText("4 of 4 nodes online")).toBeVisible(LOOK);
  await expect(guests(page)).not.toHaveCount(0, { timeout: 45_000 });
});

test("a slow API: what is known stays, with its age and the reason", async ({ page, jarvis }) => {
  test.slow();
  await open(page);
  await expect(node(page, "pve")).toContainText("online");
  const before = await guests(page).count();
  const cluster = new Cluster(jarvis);
  await cluster.order({ type: "delay", ms: 20_000 });
  // Every query times out after five seconds.
  await expect(page.getByText(/Out of date: .*did not answer within 5000 ms/).first()).toBeVisible(LOOK);
  await expect(page.locator(".hud--past")).toBeVisible();
  await expect(guests(page)).toHaveCount(before);
  await expectAccessible(page);
  await cluster.order({ type: "delay", ms: 0 });
  await expect(page.getByText(/Out of date/)).toHaveCount(0, LOOK);
  await expect(page.locator(".hud--past")).toHaveCount(0);
});

test("another certificate: nothing is sent to it, and the page says why", async ({ page, jarvis }) => {
  test.slow();
  await open(page);
  await expect(node(page, "pve")).toContainText("online");
  const before = await guests(page).count();
  const cluster = new Cluster(jarvis);
  await cluster.order({ type: "renewed", on: true });
  await expect(page.getByText(/Out of date: .* is not trusted/).first()).toBeVisible(LOOK);
  await expect(page.locator(".hud--past")).toBeVisible();
  await expect(guests(page)).toHaveCount(before);
  await cluster.order({ type: "renewed", on: false });
  await expect(page.getByText(/Out of date/)).toHaveCount(0, LOOK);
});

test("a task that fails says so, with its error", async ({ page, jarvis }) => {
  test.slow();
  await open(page);
  await new Cluster(jarvis).order({ type: "backup", vmid: 101, fails: true });
  const task = page.locator(".task").filter({ has: page.locator('a[href*=":vzdump:101:"]') }).first();
  await expect(task).toContainText("failed", LOOK);
  await expect(task).toContainText("job errors");
});

test("it goes on after the server was away", async ({ page, jarvis, consoleErrors }) => {
  test.slow();
  consoleErrors.expect(/WebSocket|ERR_CONNECTION_REFUSED/);
  await open(page);
  const chat = new Chat(page);
  await jarvis.kill();
  await expect(chat.connection).not.toHaveText("Live");
  await expect(page.locator(".hud--past")).toBeVisible();
  // The last figures stay, with their age, also on the way back from another page.
  await expect(age(page)).toHaveText(/Last figures .* old/);
  await page.getByRole("link", { name: "Chat", exact: true }).click();
  await page.getByRole("link", { name: "HUD" }).click();
  await expect(node(page, "pve")).toContainText("°C");
  await expect(age(page)).toHaveText(/Last figures .* old/);
  // Asking for a connection that cannot be had changes nothing; the page tries on by itself.
  const again = page.getByRole("button", { name: "Reconnect now" });
  await again.click();
  await expect(again).toBeVisible();
  await jarvis.restart();
  await chat.alive();
  await expect(again).toHaveCount(0);
  await expect(page.locator(".hud--past")).toHaveCount(0, LOOK);
  await expect(age(page)).toHaveText(/Updated \d s ago/, LOOK);
});

direct("nothing keeps people out in the light theme", async ({ page, context, jarvis }) => {
  await context.addCookies([{ name: "jarvis_theme", value: "light", url: jarvis.url }]);
  await page.goto(`${jarvis.url}/hud`);
  await new Chat(page).alive();
  await expect(guests(page).first()).toBeVisible();
  await expectReadable(page);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the figures can be read", async ({ page, jarvis, consoleErrors }) => {
    consoleErrors.expect(/preload/);
    // Such a page does not update: the first poll of a node may come after it.
    await expect(async () => {
      await page.goto(`${jarvis.url}/hud`);
      expect(await node(page, "pve").textContent()).toMatch(/online.*\d % of/s);
      expect(await age(page).textContent()).toMatch(/Updated at \d\d:\d\d:\d\d UTC/);
      expect(await page.locator(".hud__health").textContent()).toMatch(/\.$/);
    }).toPass();
    await expect(guests(page).first()).toBeVisible();
  });
});
