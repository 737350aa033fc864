// Passkeys, with Chromium's own authenticator that is no device: add, sign in, second step, remove.
import type { CDPSession, Page } from "@playwright/test";
import { signIn } from "../support/people.ts";
import { expect, expectAccessible, test } from "../support/test.ts";

const PASSWORD = "correct horse battery";

/** A device that keeps passkeys and takes the person for the right one. */
async function authenticator(page: Page): Promise<{ cdp: CDPSession; id: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, id: authenticatorId };
}

/** Passkeys need an address with a name. */
const named = (address: string) => address.replace("127.0.0.1", "localhost");

async function addPasskey(page: Page, url: string, name: string): Promise<void> {
  await page.goto(`${url}/settings/passkeys`);
  const box = page.locator("[data-passkey]");
  await box.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: name })).toBeVisible();
}

async function signOut(page: Page, url: string): Promise<void> {
  await page.context().clearCookies();
  await page.goto(`${url}/sign-in`);
}

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

  // The same device twice is refused by the browser itself.
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
  await expect(page.getByText("There is none.")).toBeVisible();
  await signOut(page, url);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.locator("[data-passkey]").getByRole("status")).toContainText("does not sign you in");
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
  await page.goto(`${url}/settings`);
  await page.getByLabel("New password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("New password again").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status")).toBeVisible();
  await addPasskey(page, url, "Key");
  await page.getByRole("button", { name: "Ask for a passkey after the password" }).click();
  await expect(page.getByText(/^On: a password signs in only/)).toBeVisible();

  const password = async () => {
    await signOut(page, url);
    await page.getByLabel("Name").fill("Operator");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Now your passkey" })).toBeVisible();
  };
  await password();
  await expectAccessible(page);
  // Half a sign-in is none.
  expect((await page.request.get(`${url}/`)).status()).toBe(401);

  // Not without the person.
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

  // With the last passkey the second step goes.
  await page.goto(`${url}/settings/passkeys`);
  await page.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText(/^Off: a password alone/)).toBeVisible();
  await context.close();
});

test("where there are no passkeys the page says why", async ({ page, jarvis }) => {
  // An address without a name.
  await page.goto(`${jarvis.url}/settings/passkeys`);
  const note = page.locator("[data-passkey]").getByRole("status");
  await expect(note).toContainText("one address of Jarvis only");
  await expect(note.getByRole("link")).toHaveAttribute("href", named(`${jarvis.url}/settings/passkeys`));
  await expect(page.getByRole("button", { name: "Add a passkey" })).toBeHidden();
});
