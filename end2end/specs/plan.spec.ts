// A plan and the conversation that executes it link to each other, from the server's data.
import { Chat, expect, test } from "../support/test.ts";

test("a plan has no tools, and is run in a conversation of its own", async ({
  page,
  chat,
  rehearsal,
  context,
  jarvis,
}) => {
  await page.getByRole("checkbox", { name: /Plan first/ }).check();
  await rehearsal.says("First look, then start VM 113.");
  await chat.ask("How would you start the windows VM?");
  await chat.answered();
  await expect(page.getByText("No tools: nothing is looked up or changed here.")).toBeVisible();
  const plan = page.url();
  // A second tab that only shows the plan.
  const other = new Chat(await context.newPage());
  await other.page.goto(plan);
  await other.alive();
  const on = (tab: Chat) => tab.page.getByRole("link", { name: "another conversation" });
  const back = (tab: Chat) => tab.page.getByRole("link", { name: "an earlier conversation" });
  await expect(on(other)).toHaveCount(0);

  await page.bringToFront();
  await rehearsal.says("Carried out.");
  await page.getByRole("button", { name: "Run the plan" }).click();
  await expect(page).not.toHaveURL(plan);
  await chat.answered();
  // The model has the plan; the person's message is only the instruction.
  await expect(chat.texts.first()).toContainText("Carry out the plan.");
  const next = new URL(page.url()).pathname;

  // The second tab gets the link, and keeps it after a reload and a restart of the server.
  await expect(on(other)).toHaveAttribute("href", next);
  await expect(other.page.getByText("Continued in another conversation.")).toBeVisible();
  await other.page.reload();
  await expect(on(other)).toHaveAttribute("href", next);
  await on(other).click();
  await expect(other.page).toHaveURL(new RegExp(`${next}$`));
  await expect(back(other)).toHaveAttribute("href", new URL(plan).pathname);
  await other.page.reload();
  await expect(back(other)).toHaveAttribute("href", new URL(plan).pathname);

  await back(chat).click();
  await expect(page).toHaveURL(plan);
  await expect(on(chat)).toHaveAttribute("href", next);

  // Without the conversation there is nothing to link to.
  await other.page.evaluate(async (id) => {
    const body = JSON.stringify({ id });
    await fetch("/api/delete", { method: "POST", headers: { "content-type": "application/json" }, body });
  }, next.split("/").pop());
  await expect(on(chat)).toHaveCount(0);
  await other.page.close();
  expect(jarvis.log).not.toContain("ERROR");
});
