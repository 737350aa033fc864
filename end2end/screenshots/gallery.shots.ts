// Screenshots of every state of the chat: `npm run screenshots` fills test-results/gallery.
import { join } from "node:path";
import { numbered } from "../support/rehearsal.ts";
import { expect, test } from "../support/test.ts";

const EVERYTHING = `# A heading

Prose with **strong**, *soft*, ~~gone~~ and \`code\`, and a [link](https://example.invalid/).

## Lists

1. first
2. second
   - inner, with \`qm start 100\`
- [x] done
- [ ] open

> A quotation, that the eye may rest.

| guest | node | memory | state |
|:--|:-:|--:|---|
| web-01 | pve | 4.0 GiB | running |
| backup-long-name-01 | agent1 | 512.0 MiB | stopped |

\`\`\`sh
# a long line that does not fit: ${"echo ".repeat(30)}
systemctl status pveproxy
\`\`\`

---

The end.
`;

const SCREENS = [
  { name: "desktop", viewport: { width: 1440, height: 900 } },
  { name: "phone", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
];

for (const { name, ...screen } of SCREENS) {
  for (const theme of ["dark", "light"] as const) {
    test.describe(`${name} ${theme}`, () => {
      test.use({
        ...screen,
        jarvisOptions: { env: {}, args: [], config: `[models.rehearsal-1]\nthinking = "adaptive"\n` },
      });

      test("all states", async ({ page, chat, rehearsal, context, jarvis, consoleErrors }) => {
        consoleErrors.expect(/status of 40[134]/);
        const folder = join(import.meta.dirname, "..", "test-results", "gallery", `${name}-${theme}`);
        let count = 0;
        const shoot = async (state: string) => {
          const file = `${String(++count).padStart(2, "0")}-${state}.png`;
          await page.screenshot({ path: join(folder, file) });
        };
        const fresh = async () => {
          await page.goto(jarvis.url);
          await chat.alive();
        };
        await context.addCookies([{ name: "jarvis_theme", value: theme, url: jarvis.url }]);
        await fresh();
        await shoot("empty");

        await chat.ask("How is the cluster doing?");
        await chat.answered();
        await shoot("answered");
        await chat.transcript.evaluate((it) => it.scrollTo(0, 0));
        await shoot("answered-top");
        await chat.unfold();
        for (const card of (await chat.tools.all()).slice(0, 2)) {
          await card.locator("summary").click();
        }
        await shoot("cards-open");

        await fresh();
        await rehearsal.script({
          blocks: [
            { type: "thinking", thinking: "The operator wants to see everything. Very well." },
            { type: "text", text: EVERYTHING },
          ],
        });
        await chat.ask("Show everything that you can write.");
        await chat.answered();
        await shoot("everything");
        await chat.transcript.evaluate((it) => it.scrollTo(0, 0));
        await chat.transcript.getByText(/^Thought/).click();
        await shoot("everything-top");

        await rehearsal.says(numbered(9_000), 60);
        await chat.ask("Count, please, and do not hurry: this message is a long one, over a line.");
        await chat.streamed(30);
        await chat.ask("Which VMs are stopped?");
        await chat.ask("Is any storage filling up, and if so, which one and how soon?");
        await expect(chat.queued("Is any storage")).toBeVisible();
        await shoot("streaming-queue");
        for (const one of [1, 2]) {
          await chat.queue.getByRole("button").first().click();
          await expect(chat.queue.getByRole("listitem")).toHaveCount(2 - one);
        }
        await chat.stop.click();
        await expect(chat.ended("Stopped")).toBeVisible();
        await chat.composer.fill("");
        await shoot("stopped");

        await rehearsal.script(
          {
            blocks: [
              { type: "tool_use", name: "get_node_status", input: { node: "nowhere" } },
              { type: "tool_use", name: "format_disk", input: { disk: "/dev/sda" } },
            ],
          },
          { faults: [{ type: "status", status: 400, message: "credit balance is too low" }] },
        );
        await chat.ask("What is wrong?");
        await expect(chat.ended("Failed")).toBeVisible();
        await shoot("failed");
        await rehearsal.script({ faults: [{ type: "rate_limit", retry_after: { seconds: 30 } }] });
        await chat.ask("And now?");
        await expect(chat.transcript.getByText(/retrying in/)).toBeVisible();
        await shoot("waiting");

        await page.getByRole("button", { name: "Account and server" }).click();
        await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
        await shoot("menu");
        await page.keyboard.press("Escape");
        if (name === "phone") {
          await page.getByRole("button", { name: /list of conversations/ }).click();
          await expect(chat.list).toBeInViewport();
          await shoot("drawer");
        }
        await chat.list.getByRole("link", { name: /How is the cluster/ }).hover();
        await page.getByRole("button", { name: /^Delete How is/ }).click();
        await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
        await chat.list.getByRole("link", { name: /^Show every/ }).hover();
        await page.getByRole("button", { name: /^Rename Show every/ }).click();
        await shoot("delete-rename");
        await page.goto(`${jarvis.url}/chat/nonsense`);
        await chat.alive();
        await shoot("unknown");
        await context.clearCookies({ name: /session/ });
        await page.goto(jarvis.signInLink);
        await shoot("sign-in");
      });
    });
  }
}
