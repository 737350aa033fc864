// Drawings in answers: from a block that the model writes, with words and a table.
import { expectFits } from "../support/fits.ts";
import { expect, expectAccessible, test } from "../support/test.ts";

const FROM = "2026-11-26T08:53:00Z";
const cpu = {
  kind: "line",
  title: "CPU of pve, last hour",
  unit: "%",
  from: FROM,
  step: 60,
  series: [{ name: "CPU", values: Array.from({ length: 60 }, (_, n) => (n === 36 ? 86 : 40 + (n % 5))) }],
  max: 100,
};
const block = (plot: unknown) => `\`\`\`plot\n${JSON.stringify(plot)}\n\`\`\`\n`;

test("every kind is drawn, said and listed, wide and on a phone", async ({ page, chat, rehearsal }) => {
  const two = {
    ...cpu,
    title: "Both nodes",
    series: [
      { name: "pve", values: [1, null, 3] },
      { name: "agent", values: [2, 2, 2] },
    ],
  };
  const bars = { kind: "bars", title: "Use", unit: "bytes", labels: ["nas", "local"], series: [{ name: "used", values: [2048, 1024] }] };
  const spark = { kind: "spark", title: "Load", series: [{ name: "load", values: [1, 2, 1.5] }] };
  const gauge = { kind: "gauge", title: "local-zfs", unit: "%", series: [{ name: "used", values: [93] }] };
  await rehearsal.says(["pve is at **43 %** now.\n", ...[cpu, two, bars, spark, gauge].map(block), "That is all."].join("\n"));
  await chat.ask("Show me.");
  await chat.answered();

  for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
    await page.setViewportSize(viewport);
    // As it was streamed, and as it is loaded.
    if (viewport.width === 390) await page.reload();
    await chat.alive();
    const graphs = chat.texts.last().locator("figure.graph");
    await expect(graphs).toHaveCount(5);
    await expect(page.locator("figure.graph[aria-busy]")).toHaveCount(0);
    const first = graphs.first();
    await expect(first.getByText("CPU of pve, last hour")).toBeVisible();
    await expect(first).toContainText(/last 44 % · highest 86 % at \d+:\d+/);
    await expect(first.getByText("100 %", { exact: true })).toBeVisible();
    const image = first.getByRole("img", { name: /^CPU of pve, last hour: last 44 %, lowest 40 %, highest 86 % at / });
    await expect(image).toBeVisible();
    await expect(first.locator("path.graph__ink")).toHaveCount(1);
    await expect(graphs.nth(1).getByRole("listitem")).toHaveText(["pve 3 %", "agent 2 %"]);
    await expect(graphs.nth(2)).toContainText("highest 2.0 KiB, nas");
    await expect(graphs.nth(3)).toContainText("last 1.5");
    await expect(graphs.nth(4)).toContainText("93 %");

    await graphs.nth(1).getByRole("button", { name: "Table" }).click();
    const table = graphs.nth(1).getByRole("table");
    await expect(table.getByRole("row")).toHaveCount(4);
    await expect(table.getByRole("row").nth(2)).toContainText("unknown");
    await expectFits(page);
    await expectAccessible(page);
  }
});

test("a block that is no drawing stays code, whatever it holds", async ({ page, chat, rehearsal }) => {
  const hostile = { ...cpu, title: `<img src=x onerror="alert(1)">`, series: [{ name: "</svg><script>alert(2)</script>", values: [1, 2] }] };
  await rehearsal.says(
    [block({ ...cpu, onload: "alert(1)" }), block({ ...cpu, kind: "pie" }), "```plot\nnot JSON\n```\n", block(hostile)].join("\n"),
  );
  await chat.ask("Show me.");
  await chat.answered();
  const answer = chat.texts.last();
  await expect(answer.locator("figure.code-block")).toHaveCount(3);
  await expect(answer).toContainText("not JSON");
  await expect(answer.locator("figure.graph")).toHaveCount(1);
  await expect(answer.locator("figure.graph").getByText("<img src=x")).toBeVisible();
  await expect(page.getByRole("main").locator("img, iframe, script, object, embed")).toHaveCount(0);
});

test("there is room for a drawing before it is whole", async ({ page, chat, rehearsal }) => {
  await rehearsal.says(`Look.\n\n${block(cpu)}\nDone.`, 150);
  await chat.ask("Show me, slowly.");
  const graph = chat.texts.last().locator("figure.graph");
  await expect(graph).toHaveAttribute("aria-busy", "true");
  // It is drawn anew with each piece of its text: there may be none at the first look.
  let room = 0;
  await expect.poll(async () => (room = (await graph.boundingBox())?.height ?? 0)).toBeGreaterThan(0);
  await chat.answered();
  await expect(page.locator("figure.graph[aria-busy]")).toHaveCount(0);
  expect((await graph.boundingBox())?.height).toBe(room);
});

test("the past of a node is a sentence and a drawing", async ({ page, chat }) => {
  await chat.ask("Show the CPU of pve over the last hour");
  await chat.answered();
  await expect(chat.texts.last()).toContainText(/is at .* % now; it peaked at .* % at \d+ [A-Z][a-z]+, \d+:\d+ UTC, sir\./);
  const graph = chat.texts.last().locator("figure.graph");
  await expect(graph).toHaveCount(1);
  await expect(graph.getByRole("img")).toBeVisible();
  await expectAccessible(page);
});
