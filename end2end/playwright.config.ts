import { defineConfig, devices } from "@playwright/test";

// Chromium's own sandbox works neither for root nor on most build machines.
const sandbox = process.getuid?.() !== 0 && !process.env.CI;

export default defineConfig({
  testDir: "specs",
  outputDir: "test-results",
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  // Each test has a separate server and browser context.
  workers: 3,
  fullyParallel: true,
  // No test waits for time to pass, so these limits only end tests that hang: generous, for a
  // machine that is busy with other things.
  timeout: 180_000,
  globalTimeout: 45 * 60_000,
  expect: { timeout: 30_000 },
  reporter: [["list"], ...(process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [["json"] as const] : [])],
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1280, height: 800 },
    colorScheme: "dark",
    // Without a graphics card, each frame of an animation takes processor time from the tests beside it, and the
    // sign on an empty chat turns as long as it is open. Specs on what moves ask for motion.
    contextOptions: { reducedMotion: "reduce" },
    // Tests that cut the network examine the page itself; `offline.spec.ts` covers the worker.
    serviceWorkers: "block",
    // A trace doubles the time of every test: use `--trace on` for the test under investigation.
    trace: "off",
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
