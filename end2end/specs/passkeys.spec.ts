// Passkeys, with Chromium's virtual authenticator: add, sign in, second factor, remove.
import { askForBoth, authenticator, firstStep, named, signOut } from "../support/passkeys.ts";
import { signIn } from "../support/people.ts";
import { expect, expectAccessible, test } from "../support/test.ts";

test("a passkey is added, signs in, is renamed and removed", async ({ browser, jarvis, consoleErrors }) => {
  consoleErrors.expect(/status of (401|403)/);
  const context = await browser.newContext();
  const page = await context.newPage();
  const url = named(jarvis.url);
  await signIn(page, named(jarvis.signInLink));
  const { cdp, id } = await authenticator(page);
  await page.goto(`${url}/settings/passkeys`);
  await expectAccessible(page);
  // By keyboard: the field, Enter.
  await page.locator("[data-passkey]").getByLabel("Name").focus();
  await page.keyboard.type("This laptop");
  await page.keyboard.press("Enter");
  const row = page.getByRole("listitem").filter({ hasText: "This laptop" });
  await expect(row).toContainText("never used");
  await expectAccessible(page);
  const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId: id });
  expect(credentials).toHaveLength(1);
  expect(credentials[0]).toMatchObject({ isResidentCredential: true, rpId: "localhost" });

  // The browser itself refuses the same device twice.
  await page.locator("[data-passkey]").getByLabel("Name").fill("Again");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.locator("[data-passkey]").getByRole("status")).toContainText("in the list already");

  await signOut(page, url);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Sign in with a passkey" }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${url}/`);
  await page.goto(`${url}/settings/passkeys`);
  await expect(row).toContainText("last used");
  await page.goto(`${url}/settings/sessions`);
  await expect(page.getByText(/by passkey/)).toBeVisible();

  await page.goto(`${url}/settings/passkeys`);
  await row.getByLabel("Name of This laptop").fill("Old laptop");
  await row.getByRole("button", { name: "Rename" }).click();
  const renamed = page.getByRole("listitem").filter({ hasText: "Old laptop" });
  await renamed.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("None.")).toBeVisible();
  await signOut(page, url);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.locator("[data-passkey]").getByRole("status")).toContainText("doesn't sign you in");
  expect((await page.goto(url))?.status()).toBe(401);
  await context.close();
});

test("a password alone is not enough once a passkey is asked for", async ({ browser, jarvis, consoleErrors }) => {
  consoleErrors.expect(/status of (401|403)/);
  const context = await browser.newContext();
  const page = await context.newPage();
  const url = named(jarvis.url);
  await signIn(page, named(jarvis.signInLink));
  const { cdp, id } = await authenticator(page);
  await askForBoth(page, url, "Key");

  await firstStep(page, url);
  await expectAccessible(page);
  // Half a sign-in grants nothing.
  expect((await page.request.get(`${url}/`)).status()).toBe(401);

  // Not without verifying the user.
  const sees = (isUserVerified: boolean) =>
    cdp.send("WebAuthn.setUserVerified", { authenticatorId: id, isUserVerified });
  await sees(false);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByRole("status")).toHaveText("No passkey was given.");
  await sees(true);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page).toHaveURL(`${url}/`);
  await page.goto(`${url}/settings/sessions`);
  await expect(page.getByText(/by password and passkey/)).toBeVisible();

  // The second factor is removed with the last passkey.
  await page.goto(`${url}/settings/passkeys`);
  await page.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText(/^Off: a password or a passkey alone/)).toBeVisible();
  await context.close();
});

test("where there are no passkeys the page says why", async ({ page, jarvis }) => {
  // An IP address instead of a host name.
  await page.goto(`${jarvis.url}/settings/passkeys`);
  const note = page.locator("[data-passkey]").getByRole("status");
  await expect(note).toContainText("one address of Jarvis only");
  await expect(note.getByRole("link")).toHaveAttribute("href", named(`${jarvis.url}/settings/passkeys`));
  await expect(page.getByRole("button", { name: "Add a passkey" })).toBeHidden();
});
