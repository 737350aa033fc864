// Code blocks: highlighted once they are complete, as text and never as markup.
import { expect, expectAccessible, expectReadable, test } from "../support/test.ts";

const CODE = [
  "Here, sir.",
  "```json",
  '{"vmid": 101, "name": "<img src=x onerror=alert(1)>", "on": true}',
  "```",
  "- in a list:",
  "  ```bash",
  "  systemctl status \"$UNIT\" # as root",
  "  ```",
  "```diff",
  "@@ -1 +1 @@",
  "-memory: 2048",
  "+memory: 4096",
  "```",
  "```log",
  "2026-11-22 10:00:01 ERROR disk \u202egone",
  "```",
  "```nonsense",
  "if true then",
  "```",
  "Done.",
].join("\n");

test("finished blocks get colours and keep their text", async ({ page, chat, rehearsal }) => {
  await rehearsal.says(CODE);
  await chat.ask("Show me code.");
  await chat.answered();
  const block = (lang: string) => chat.transcript.locator("figure", { hasText: lang }).locator("code");

  await expect(block("json").locator(".code-name").first()).toHaveText('"vmid"');
  await expect(block("json").locator(".code-number")).toHaveText("101");
  await expect(block("json")).toHaveText('{"vmid": 101, "name": "<img src=x onerror=alert(1)>", "on": true}');
  await expect(page.locator("img")).toHaveCount(0);
  await expect(block("bash").locator(".code-comment")).toHaveText("# as root");
  await expect(block("diff").locator(".code-added")).toContainText("+memory: 4096");
  await expect(block("log").locator(".code-bad")).toHaveText("ERROR");
  await expect(block("log")).toContainText("\\u{202e}gone");
  await expect(block("nonsense")).toHaveText("if true then");
  await expect(block("nonsense").locator("span")).toHaveCount(0);

  for (const [theme, look] of [["dark", expectAccessible], ["light", expectReadable]] as const) {
    await page.evaluate((theme) => (document.documentElement.dataset.theme = theme), theme);
    await look(page);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/code-${theme}.png` });
  }

  // The server's page has the text; colours appear once it is hydrated.
  await page.reload();
  await chat.alive();
  await expect(block("json").locator(".code-number")).toHaveText("101");
});

test("a block that is still written has no colours, and asks for nothing", async ({ page, chat, rehearsal }) => {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/code")) asked.push(request.postData() ?? "");
  });
  const lines = Array.from({ length: 60 }, (_, n) => `word${n} = "${n}"`);
  await rehearsal.says(["```toml", ...lines, "```", "That is all."].join("\n"), 60);
  await chat.ask("Write slowly.");
  const code = chat.transcript.locator("figure code");
  await expect(code).toContainText("word5 =");
  await expect(code.locator("span")).toHaveCount(0);
  expect(asked).toEqual([]);
  await chat.answered();
  await expect(code.locator(".code-name").first()).toHaveText("word0 ");
  expect(asked).toHaveLength(1);
});

test("the code and the answer are copied as they were written", async ({ page, chat, rehearsal, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await rehearsal.says("Take **this**:\n\n```rust\nfn main() {}\n```");
  await chat.ask("Code, please.");
  await chat.answered();
  await expect(chat.transcript.locator(".code-keyword")).toHaveText("fn");
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole("button", { name: "Copy code" }).click();
  await expect.poll(copied).toBe("fn main() {}\n");
  await page.getByRole("button", { name: "Copy the answer" }).click();
  await expect.poll(copied).toBe("Take **this**:\n\n```rust\nfn main() {}\n```");
});
