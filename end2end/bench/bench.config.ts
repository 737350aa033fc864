import base from "../playwright.config.ts";

// Benchmarks, not tests: `cargo xtask bench browser`.
export default {
  ...base,
  testDir: ".",
  testMatch: "*.bench.ts",
  outputDir: "../test-results",
  workers: 1,
  timeout: 180_000,
  // Recording a trace takes time of the page's main thread.
  use: { ...base.use, contextOptions: { reducedMotion: "no-preference" }, trace: "off", screenshot: "off" },
};
