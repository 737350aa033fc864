import base from "../playwright.config.ts";

// Screenshots, not tests: `npm run screenshots`.
export default {
  ...base,
  testDir: ".",
  testMatch: "*.shots.ts",
  outputDir: "../test-results",
  use: { ...base.use, contextOptions: { reducedMotion: "no-preference" } },
};
