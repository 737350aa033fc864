// Series in results: drawn, described in words, with the numbers available.
import { expect, expectAccessible, test } from "../support/test.ts";

test("the past of a node is drawn, and said in words", async ({ page, chat, rehearsal }) => {
  await rehearsal.script(
    {
      blocks: [{ type: "tool_use", name: "get_history", input: { type: "node", name: "pve", span: "day" } }],
    },
    { blocks: [{ type: "text", text: "Calm, sir." }] },
  );
  await chat.ask("How busy was pve today?");
  await chat.answered();
  const card = chat.tool("History").filter({ hasText: "node pve" });
  await expect(card).toContainText("Done: node pve over the last day");
  await chat.unfold();
  const busy = card.locator("figure").filter({ hasText: "cpu used percent" });
  await expect(busy).toContainText(/ % to .* % · last .* %/);
  await expect(busy.locator("path")).toHaveCount(1);
  await expectAccessible(page);
});
