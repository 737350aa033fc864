// Screenshots of the chat panel: completion, model and effort, context and cost, syntax
// highlighting: `npm run screenshots`.
import { join } from "node:path";
import { Chat, expect, test } from "../support/test.ts";

const SCREENS = [
  { name: "wide", viewport: { width: 1440, height: 900 } },
  { name: "phone", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
];

const ANSWER = [
  "Two guests have no backup, sir:",
  "",
  "| Guest | Node | Last backup |",
  "| :-- | :-- | --: |",
  "| 112 build-runner | Home | never |",
  "| 130 opnsense-lab | Home | never |",
  "",
  "- [x] looked at every job",
  "- [ ] add the two guests",
  "",
  "```bash",
  'vzdump 112 --storage "$STORE" --mode snapshot # about 4 min',
  "```",
  "```json",
  '{ "job": "nightly", "vmid": [112, 130], "enabled": true }',
  "```",
].join("\n");

for (const { name, ...screen } of SCREENS) {
  for (const theme of ["dark", "light"] as const) {
    test.describe(`${name} ${theme}`, () => {
      test.use(screen);

      test("the panel", async ({ page, context, jarvis, rehearsal }) => {
        const folder = join(import.meta.dirname, "..", "test-results", "gallery", `${name}-${theme}`);
        const shoot = (state: string) => page.screenshot({ path: join(folder, `${state}.png`) });
        const chat = new Chat(page);
        await context.addCookies([{ name: "jarvis_theme", value: theme, url: jarvis.url }]);
        await page.goto(jarvis.url);
        await chat.alive();
        await chat.composer.focus();
        await page.keyboard.type("/");
        await expect(page.getByRole("listbox", { name: "Suggestions" })).toBeVisible();
        await shoot("60-commands");
        await chat.composer.fill("");
        await page.keyboard.type("How is @ne");
        await expect(page.getByRole("option").first()).toBeVisible();
        await shoot("61-mentions");
        await page.keyboard.press("Enter");
        await shoot("62-mentioned");
        await page.getByRole("button", { name: /^Model:/ }).click();
        await expect(page.getByRole("dialog", { name: "Model and effort" })).toBeVisible();
        await shoot("63-model");
        await page.keyboard.press("Escape");
        await rehearsal.says(ANSWER);
        await chat.ask("Which guests have no backup?");
        await chat.answered();
        await expect(page.locator(".code-number").first()).toBeVisible();
        await shoot("64-answer");
        await page.getByRole("button", { name: /^Context/ }).click();
        await expect(page.getByRole("dialog", { name: /Context/ })).toBeVisible();
        await shoot("65-context");
      });
    });
  }
}
