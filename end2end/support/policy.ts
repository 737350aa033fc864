// The settings page of the policy.
import { expect, type Page } from "@playwright/test";
import type { Jarvis } from "./server.ts";

/** Changes the policy on its page, up to the preview. */
export async function propose(page: Page, jarvis: Jarvis, change: () => Promise<void>): Promise<void> {
  await page.goto(`${jarvis.url}/settings/policy`);
  // The tools are folded by what they do.
  await page.locator("details.plain-tier").evaluateAll((all) => all.forEach((it) => ((it as HTMLDetailsElement).open = true)));
  await change();
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Preview on past calls" })).toBeVisible();
}

/** Enforces the previewed policy. */
export async function enforce(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByRole("status")).toContainText("in effect");
}
