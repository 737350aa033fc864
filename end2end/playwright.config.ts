import { defineConfig, devices } from "@playwright/test";

// Chromium's own sandbox works neither for root nor on most build machines.
const sandbox = process.getuid?.() !== 0 && !process.env.CI;

export default defineConfig({
  testDir: "specs",
  outputDir: "test-results",
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  // Each test has a server and a browser context of its own.
  workers: 2,
  fullyParallel: true,
  timeout: 60_000,
  globalTimeout: 40 * 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"], ...(process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [["json"] as const] : [])],
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1280, height: 800 },
    // Tests that cut the network look at the page itself; `offline.spec.ts` has the worker.
    serviceWorkers: "block",
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM || undefined,
      chromiumSandbox: sandbox,
      args: [
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
