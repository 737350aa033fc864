// Passkeys, with Chromium's virtual authenticator.
import { expect, type CDPSession, type Page } from "@playwright/test";

/** A valid password. */
const PASSWORD = "correct horse battery";

/** A virtual authenticator that stores passkeys and always verifies the user. */
export async function authenticator(page: Page): Promise<{ cdp: CDPSession; id: string }> {
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

/** Passkeys need a host name, not an IP address. */
export const named = (address: string) => address.replace("127.0.0.1", "localhost");

async function addPasskey(page: Page, url: string, name: string): Promise<void> {
  await page.goto(`${url}/settings/passkeys`);
  const box = page.locator("[data-passkey]");
  await box.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: new RegExp(`^${name}`) })).toBeVisible();
}

/** Sets a password, adds a passkey and requires both at sign-in. */
export async function askForBoth(page: Page, url: string, name: string): Promise<void> {
  await page.goto(`${url}/settings`);
  await page.getByLabel("New password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Repeat new password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status")).toBeVisible();
  await addPasskey(page, url, name);
  await page.getByRole("button", { name: "Require a passkey after the password" }).click();
  await expect(page.getByText(/^On: a password works only/)).toBeVisible();
}

export async function signOut(page: Page, url: string): Promise<void> {
  await page.context().clearCookies();
  await page.goto(`${url}/sign-in`);
}

/** Signs in with the password, up to the request for the passkey. */
export async function firstStep(page: Page, url: string): Promise<void> {
  await signOut(page, url);
  await page.getByLabel("Name").fill("Operator");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Now your passkey" })).toBeVisible();
}
