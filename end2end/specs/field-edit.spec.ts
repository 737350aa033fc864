// A person writes versions of a proposal: steps, then free sh, which a second person has to approve.
import { Card } from "../support/cards.ts";
import { approve } from "../support/erp.ts";
import { FieldSheet, office, pane, SIMULATED } from "../support/field.ts";
import { expectFits } from "../support/fits.ts";
import { Other } from "../support/people.ts";
import type { Block } from "../support/rehearsal.ts";
import { Chat, expect, expectAccessible, test } from "../support/test.ts";

test.use({ startPage: false, jarvisOptions: SIMULATED, viewport: { width: 390, height: 844 } });

const tool = (name: string, input: object): Block => ({ type: "tool_use", name, input });

test("versions by people, and two of them for free sh", async ({ page, jarvis, rehearsal, context, browser }) => {
  test.slow();
  const room = await office(page, jarvis.url);
  await FieldSheet.open(page, jarvis.url, room.device);
  await page.getByRole("button", { name: /^Ask Jarvis about/ }).click();
  const chat = new Chat(page);
  const proposal = { device: room.id, title: "Check the routes", why: "It is slow.", steps: [{ run: "routes" }] };
  await rehearsal.script(
    { blocks: [tool("propose_script", proposal)] },
    { blocks: [{ type: "text", text: "Drafted." }] },
  );
  await chat.ask("Propose a check of its routes.");
  await chat.answered();
  const drafted = page.locator("a[href^='/field/proposal/']").last();
  const path = (await drafted.getAttribute("href")) ?? "";

  // A second person begins to write as well.
  const petra = await Other.joinApart(context, browser, jarvis, "Petra", "operator");
  const hers = await FieldSheet.open(petra.page, jarvis.url, path);
  const theirs = pane(petra.page, "Next version");
  await theirs.locator("summary").click();
  await theirs.getByRole("textbox", { name: "Text" }).fill("sockets");

  // By keyboard: a refusal names the step, and the text stays.
  const sheet = await FieldSheet.open(page, jarvis.url, path);
  const editor = pane(page, "Next version");
  const text = editor.getByRole("textbox", { name: "Text" });
  const save = editor.getByRole("button", { name: "Check and save" });
  await editor.locator("summary").press("Enter");
  await expect(text).toHaveValue("routes");
  await expectAccessible(page);
  await expectFits(page);
  await text.fill("links\nreboot now");
  await save.press("Enter");
  await expect(sheet.calls).toContainText("Step 2");
  await expect(sheet.state).toContainText("Version 1");
  await expect(text).toHaveValue("links\nreboot now");
  await text.fill("links\nroutes");
  await save.press("Enter");
  await expect(sheet.state).toContainText("Version 2");
  await expect(sheet.state).not.toContainText("by Jarvis");
  const script = pane(page, "Script, with changes since version 1");
  await expect(script.locator(".line--added")).toHaveCount(1);
  await expect(pane(page, "Steps").getByRole("listitem")).toHaveText(["links", "routes"]);

  // Hers was begun from version 1: nothing of it is saved, and nothing of it is lost.
  await theirs.getByRole("button", { name: "Check and save" }).click();
  await expect(hers.calls).toContainText("newer version");
  await expect(hers.state).toContainText("Version 2");
  await expect(theirs.getByRole("textbox", { name: "Text" })).toHaveValue("sockets");
  await expect(theirs).toContainText("Version 2 was saved after you began");

  await editor.locator("summary").press("Enter");
  await editor.getByRole("combobox", { name: "Form" }).selectOption("Free sh");
  await expect(editor).toContainText("its risk is always high");
  await text.fill("ip route\nip link\n");
  await expectAccessible(page);
  await save.press("Enter");
  await expect(sheet.state).toContainText("Version 3");
  // The editor begins with what was saved, and lives on.
  await expect(pane(page, "Script, with changes since version 2")).toContainText("ip route");
  await expect(editor.locator("summary")).toHaveText("Edit version 3");
  await editor.locator("summary").press("Enter");
  await expect(text).toHaveValue(/^ip route\n+ip link\n*$/);
  await expect(save).not.toHaveAttribute("aria-disabled", "true");
  await expect(pane(page, "Risk")).toContainText("High");
  await expect(pane(page, "Risk")).toContainText("2 persons");
  await expect(page.getByRole("group", { name: "Versions" }).getByRole("button")).toHaveCount(3);
  await expectFits(page);
  await sheet.actions.getByRole("button", { name: "Check again", exact: true }).press("Enter");
  await expect(sheet.calls).toContainText("high risk");

  const viewer = await Other.join(context, browser, jarvis, "Vera", "viewer");
  await FieldSheet.open(viewer.page, jarvis.url, path);
  await expect(pane(viewer.page, /^Script/)).toContainText("ip route");
  await expect(pane(viewer.page, "Next version")).toHaveCount(0);
  await viewer.context.close();

  // The person who asks for the run is not the one who approves it.
  const own = await sheet.ask("Run version 3");
  await expect(own.approve).toBeDisabled();
  await petra.page.getByRole("button", { name: "1 request waiting for you" }).click();
  const tray = petra.page.locator("#waiting-tray");
  await tray.getByRole("button", { name: /Requested by/ }).click();
  const card = new Card(tray.locator(".confirm--asks"));
  await expect(card.box).toContainText("ip route");
  await approve(card);
  await petra.context.close();

  // No simulated device has a shell. It says so, after two persons let it have the package.
  await FieldSheet.open(page, jarvis.url, room.device);
  await expect(pane(page, "Runs").getByRole("listitem").first()).toContainText("refused, nothing ran", {
    timeout: 60_000,
  });
});
