// Text from models, tools and people stays text, whatever it looks like.
import { expect, test } from "../support/test.ts";

const HTML = `<img src=x onerror="alert('img')"><script>alert("script")</script>`;
// Written so that it reads "cod.exe" backwards on a naive screen.
const BIDI = "invoice\u202Eexe.doc";

test("hostile text is shown and does nothing", async ({ page, chat, rehearsal }) => {
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await rehearsal.script(
    {
      blocks: [
        { type: "text", text: `Name: ${HTML} and ${BIDI}.` },
        { type: "tool_use", name: "get_node_status", input: { node: `${HTML}${BIDI}` } },
      ],
    },
    {
      blocks: [
        {
          type: "text",
          text:
            `${HTML}\n\n[run](javascript:alert(1)) [data](data:text/html,<script>alert(2)</script>) ` +
            `[good](https://example.invalid/page) <javascript:alert(3)> ![pic](https://example.invalid/p.png)\n\n` +
            `| ${HTML} |\n|---|\n| <iframe src="javascript:alert(4)"></iframe> |\n\n\`\`\`"><script>alert(5)</script>\n${HTML}\n\`\`\`\n`,
        },
      ],
    },
  );
  await chat.ask(`My name is ${HTML} ${BIDI}`);
  await chat.answered();

  const check = async () => {
    // People see the characters themselves…
    await expect(chat.texts.first()).toContainText(`My name is ${HTML}`);
    await expect(chat.texts.last()).toContainText(HTML);
    // …and none of it is an element, an active address, or an external picture.
    const main = page.getByRole("main");
    await expect(main.locator("img, iframe, script, object, embed")).toHaveCount(0);
    const links = await main
      .getByRole("link")
      .evaluateAll((all) => all.map((it) => it.getAttribute("href")));
    for (const href of links) expect(href).toMatch(/^(https?:|mailto:|\/)/);
    await expect(chat.texts.last().getByRole("link", { name: "good" })).toHaveAttribute(
      "rel",
      /noopener/,
    );
    await expect(chat.texts.last().getByRole("link", { name: "run" })).toHaveCount(0);
  };
  await check();
  await chat.tool("Node status").locator("summary").click();
  await expect(chat.tool("Node status").getByRole("heading", { name: "Input" })).toBeVisible();
  await check();

  // Characters that change the text direction are made visible, wherever they come from.
  for (const place of [chat.texts.nth(1), chat.tool("Node status")]) {
    expect(await place.innerText()).not.toContain("\u202E");
  }

  // The same in the server's HTML, in the list and in the title.
  await page.reload();
  await chat.alive();
  await check();
  await expect(chat.list.locator("img, script")).toHaveCount(0);
  expect(dialogs).toEqual([]);
});
