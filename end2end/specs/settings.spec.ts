// The settings: plain pages and forms, by keyboard, and the effect of each change.
import type { Browser, Page } from "@playwright/test";
import { expect, expectAccessible, test } from "../support/test.ts";

// Plain pages: nothing here needs the module.
test.use({ startPage: false });

const PASSWORD = "correct horse battery";

/** Sets a password for the signed-in user. */
async function setPassword(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/settings`);
  await page.getByLabel("New password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Repeat new password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByRole("status")).toContainText("The password was changed");
}

/** Opens an address in another browser. */
async function elsewhere(browser: Browser, address: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(address);
  return page;
}

/** Presses the Tab key until an element has the focus. */
async function tabTo(page: Page, what: ReturnType<Page["getByRole"]>): Promise<void> {
  for (let steps = 0; steps < 40; steps += 1) {
    if (await what.evaluate((it) => it === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("the Tab key does not lead there");
}

test("a password is set and signs in, by keyboard alone", async ({ page, jarvis, browser, consoleErrors }) => {
  consoleErrors.expect(/status of (403|422)/);
  await page.goto(`${jarvis.url}/settings`);
  await expectAccessible(page);
  await tabTo(page, page.getByLabel("New password", { exact: true }));
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Tab");
  await page.keyboard.type("another horse battery");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("new passwords don't match");
  await expectAccessible(page);
  await tabTo(page, page.getByLabel("New password", { exact: true }));
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Tab");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status")).toContainText("The password was changed");
  await expectAccessible(page);

  const other = await elsewhere(browser, `${jarvis.url}/sign-in`);
  await expect(other.getByLabel("Name")).toBeFocused();
  await other.keyboard.type("operator");
  await other.keyboard.press("Tab");
  await other.keyboard.type("a wrong password");
  await other.keyboard.press("Enter");
  await expect(other.getByRole("alert")).toHaveText("Incorrect name or password.");
  await expectAccessible(other);
  // The name is kept, and the password is typed at once.
  await expect(other.getByLabel("Name")).toHaveValue("operator");
  await other.keyboard.type(PASSWORD);
  await other.keyboard.press("Enter");
  await expect(other).toHaveURL(`${jarvis.url}/`);
  await other.goto(`${jarvis.url}/settings`);
  // A person who signed in by password has to enter it to change it.
  await expect(other.getByLabel("Current password")).toBeVisible();
  await other.context().close();
});

test("sessions are listed and ended", async ({ page, jarvis, browser }) => {
  await setPassword(page, jarvis.url);
  const other = await elsewhere(browser, `${jarvis.url}/sign-in`);
  await other.getByLabel("Name").fill("Operator");
  await other.getByLabel("Password").fill(PASSWORD);
  await other.keyboard.press("Enter");
  await expect(other).toHaveURL(`${jarvis.url}/`);

  await page.getByRole("link", { name: "Sessions" }).click();
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(2);
  await expect(page.getByText("This session")).toHaveCount(1);
  await expectAccessible(page);
  const end = page.getByRole("button", { name: "End session" });
  await tabTo(page, end);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status")).toHaveText("The selected sessions have ended.");
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(1);
  expect((await other.goto(jarvis.url))?.status()).toBe(401);
  await other.context().close();
});

test("a token of one toolset works until it is revoked", async ({ page, jarvis, request, consoleErrors }) => {
  consoleErrors.expect(/status of 422/);
  await page.goto(`${jarvis.url}/settings/tokens`);
  await expect(page.getByText("None.")).toBeVisible();
  await page.getByLabel("Name").fill("Backup report");
  await page.getByLabel("Only these:").check();
  await page.getByRole("button", { name: "Create token" }).click();
  await expect(page.getByRole("alert")).toHaveText("Choose at least one toolset, or all.");
  await page.getByLabel("Name").fill("Backup report");
  await page.getByLabel("Only these:").focus();
  await page.keyboard.press("Space");
  await tabTo(page, page.getByLabel("homelab"));
  await page.keyboard.press("Space");
  await tabTo(page, page.getByRole("button", { name: "Create token" }));
  await page.keyboard.press("Enter");
  const secret = await page.getByRole("status").locator("code").innerText();
  expect(secret).toMatch(/^jarvis_token_[0-9a-f]{64}$/);
  await expect(page.getByRole("main").getByRole("listitem")).toContainText(/viewer · homelab · valid until .* · never used/);
  await expectAccessible(page);

  const ask = () =>
    request.post(`${jarvis.url}/api/status`, {
      headers: { authorization: `Bearer ${secret}`, accept: "application/json" },
      data: {},
    });
  expect((await ask()).status()).toBe(200);
  await page.goto(`${jarvis.url}/settings/tokens`);
  await expect(page.getByText(secret)).toHaveCount(0);
  await expect(page.getByRole("main").getByRole("listitem")).toContainText("last used");
  await page.getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByRole("status")).toHaveText("The token no longer works.");
  expect((await ask()).status()).toBe(401);
});

test("an admin adds a user, and what changes counts at once", async ({ page, jarvis, browser, consoleErrors }) => {
  consoleErrors.expect(/status of 4(01|22)/);
  await page.goto(`${jarvis.url}/settings/users`);
  await page.getByLabel("Name").fill("Vera");
  await page.keyboard.press("Enter");
  const link = await page.getByRole("status").locator("code").innerText();
  await page.getByText("QR code", { exact: true }).click();
  await expect(page.getByRole("img", { name: "QR code of the link" })).toBeVisible();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await expectAccessible(page);
  await page.getByLabel("Name").fill("vera");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toHaveText("Another user has this name.");

  const vera = await elsewhere(browser, link);
  await vera.getByRole("button", { name: "Sign in", exact: true }).click();
  await vera.goto(`${jarvis.url}/settings`);
  await expect(vera.getByText("Vera, viewer")).toBeVisible();
  await expect(vera.getByRole("link", { name: "Users" })).toHaveCount(0);
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: "Vera" });
  await row.getByRole("combobox", { name: "Role" }).selectOption("operator");
  await row.getByRole("button", { name: "Set role" }).click();
  await expect(page.getByRole("status")).toHaveText("Saved; in effect now.");
  await vera.reload();
  await expect(vera.getByText("Vera, operator")).toBeVisible();
  await row.getByRole("button", { name: "Disable" }).click();
  await expect(row).toContainText("disabled since");
  expect((await vera.goto(`${jarvis.url}/settings`))?.status()).toBe(401);
  await vera.context().close();
});

test("a persona is set, kept when it is refused, and restored", async ({ page, jarvis, consoleErrors }) => {
  consoleErrors.expect(/status of 422/);
  await page.goto(`${jarvis.url}/settings/assistant`);
  const style = page.getByRole("textbox", { name: /^Style/ });
  const custom = page.getByRole("textbox", { name: "Custom form of address" });
  await style.fill("You are brief.");
  await custom.fill('captain"');
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("alert")).toContainText("A form of address has at most");
  await expect(style).toHaveValue("You are brief.");
  await expectAccessible(page);
  // Typed words count without the button beside them.
  await custom.fill("captain");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("status")).toHaveText("Saved. New conversations will use it.");
  await expect(page.getByRole("radio", { name: "Custom:" })).toBeChecked();
  await page.getByRole("radio", { name: "None", exact: true }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("radio", { name: "None", exact: true })).toBeChecked();
  await page.getByRole("button", { name: "Restore this version" }).click();
  await expect(custom).toHaveValue("captain");
  await expectAccessible(page);
});
