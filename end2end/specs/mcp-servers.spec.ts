// Settings → MCP servers: the states of servers and tools with what has changed, a server's standard error, and a
// test call, which the gate decides on.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Card } from "../support/cards.ts";
import { showsTool, test, toolOf } from "../support/mcp-servers.ts";
import { expect, expectAccessible } from "../support/test.ts";

test.use({ startPage: false });

for (const [name, viewport] of [
  ["a desktop", { width: 1440, height: 900 }],
  ["a phone", { width: 390, height: 844 }],
] as const) {
  test.describe(name, () => {
    test.use({ viewport });

    test("an admin accepts a tool and calls it once, through its card", async ({ page, jarvis, folder }) => {
      const effects = () => readFile(join(folder, "effects"), "utf8").catch(() => "");
      const fits = async (): Promise<void> => {
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(width).toBeLessThanOrEqual(viewport.width);
      };

      await showsTool(page, jarvis, "act", "Waiting to be accepted");
      await expect(async () => {
        await page.reload();
        await expect(page.getByText("Dead", { exact: true })).toBeVisible({ timeout: 1_000 });
      }).toPass();
      await expect(page.getByText("Connected", { exact: true })).toBeVisible();
      await expect(page.getByRole("link", { name: "Test call of evil__act" })).toHaveCount(0);
      await expectAccessible(page);
      await fits();
      for (const accepted of ["act", "pull"]) {
        await page.getByRole("button", { name: `Accept evil__${accepted}` }).click();
        await expect(toolOf(page, accepted)).toContainText("Accepted");
      }

      // The press runs nothing: it leads to the card.
      await page.getByRole("link", { name: "Test call of evil__act" }).click();
      await expect(page.getByText("Tier: RED")).toBeVisible();
      await page.getByLabel("path (required)").fill("/srv");
      await page.getByLabel("mode").selectOption("hard");
      await expectAccessible(page);
      await fits();
      await page.getByRole("button", { name: "Run" }).click();
      await expect(page.getByRole("status")).toHaveText("It waits for your decision; it has not run.");
      await expectAccessible(page);
      await fits();
      const call = page.url();
      await page.getByRole("link", { name: "Open the request" }).click();
      const card = new Card(page.locator(".confirm--asks"));
      await expect(card.field("path")).toContainText("/srv");
      await expect(card.field("mode")).toContainText("hard");
      expect(await effects()).toBe("");
      await expectAccessible(page);
      await fits();
      await card.allow();
      await expect(page.locator(".own-call")).toContainText(/Approved by/);
      await expect.poll(effects).toBe("act\n");
      await page.reload();
      await expect(page.locator(".own-call")).toContainText(/Approved by/);
      await page.goto(call);
      await expect(page.getByRole("status")).toHaveText("It succeeded.");
      await expect(page.getByText("done", { exact: true })).toBeVisible();

      // A GREEN tool runs at once; this one changes what the server lists, which disables the other.
      await page.getByRole("link", { name: "All MCP servers" }).click();
      await page.getByRole("link", { name: "Test call of evil__pull" }).click();
      await expect(page.getByText("This tool has no input.")).toBeVisible();
      await page.getByRole("button", { name: "Run" }).click();
      await expect(page.getByRole("status")).toHaveText("It succeeded.");
      await showsTool(page, jarvis, "act", "Changed");
      const changed = toolOf(page, "act");
      await expect(changed.getByText(/^Changed: /)).toHaveText(["Changed: description"]);
      await expect(changed.getByText("Accepted: Acts.", { exact: true })).toBeVisible();
      await expect(changed.getByText("Now: Acts, and tells its maker.", { exact: true })).toBeVisible();
      await expect(page.getByRole("link", { name: "Test call of evil__act" })).toHaveCount(0);

      // What the program has written to standard error is there for whoever asks.
      const log = page.locator("pre").filter({ hasText: "evil started" });
      await expect(log).toBeHidden();
      await page.getByText("Standard error", { exact: true }).click();
      await expect(log).toBeVisible();
      await fits();
      expect(await effects()).toBe("act\n");
    });
  });
}
