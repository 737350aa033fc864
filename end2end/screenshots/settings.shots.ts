// Screenshots of sign-in and settings, wide and narrow, dark and light: `npm run screenshots`.
import { join } from "node:path";
import { expect, test } from "../support/test.ts";

const SCREENS = [
  { name: "wide", viewport: { width: 1440, height: 900 } },
  { name: "desktop", viewport: { width: 1024, height: 768 } },
  { name: "phone", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
];

for (const { name, ...screen } of SCREENS) {
  for (const theme of ["dark", "light"] as const) {
    test.describe(`${name} ${theme}`, () => {
      test.use(screen);

      test("sign-in and settings", async ({ page, context, jarvis, consoleErrors }) => {
        test.slow();
        consoleErrors.expect(/status of (401|403|422)/);
        const folder = join(import.meta.dirname, "..", "test-results", "gallery", `${name}-${theme}`);
        const shoot = async (state: string) => {
          await page.screenshot({ path: join(folder, `s-${state}.png`), fullPage: true });
        };
        await context.addCookies([{ name: "jarvis_theme", value: theme, url: jarvis.url }]);
        await page.goto(`${jarvis.url}/sign-in`);
        await shoot("1-sign-in");
        await page.getByLabel("Name").fill("Operator");
        await page.getByLabel("Password").fill("wrong");
        await page.keyboard.press("Enter");
        await expect(page.getByRole("alert")).toBeVisible();
        await shoot("2-wrong");
        await page.goto(`${jarvis.url}/sign-in?token=guess`);
        await shoot("3-link");
        await page.goto(`${jarvis.url}/settings`);
        await shoot("4-password");
        await page.goto(`${jarvis.url}/settings/sessions`);
        await shoot("5-sessions");
        await page.goto(`${jarvis.url}/settings/tokens`);
        for (const token of ["Backup report", "A wall screen with a rather long name, on the second floor"]) {
          await page.getByLabel("Name").fill(token);
          await page.getByRole("button", { name: "Create token" }).click();
          await expect(page.getByRole("status")).toBeVisible();
        }
        await shoot("6-tokens");
        await page.goto(`${jarvis.url}/settings/users`);
        for (const user of ["Vera", "Bartholomew Featherstonehaugh of the night shift"]) {
          await page.getByLabel("Name").fill(user);
          await page.getByRole("button", { name: "Add" }).click();
          await expect(page.getByRole("status")).toBeVisible();
        }
        const vera = page.getByRole("listitem").filter({ hasText: "Vera" });
        await shoot("7-users");
        await vera.getByRole("button", { name: "Disable" }).click();
        await shoot("8-disabled");
        await page.goto(`${jarvis.url}/settings/passkeys`);
        await shoot("9-passkeys-elsewhere");
        // Passkeys need a host name, not an IP address.
        const named = (address: string) => address.replace("127.0.0.1", "localhost");
        await jarvis.stop();
        await jarvis.restart();
        await context.addCookies([{ name: "jarvis_theme", value: theme, url: named(jarvis.url) }]);
        await page.goto(named(jarvis.signInLink));
        await shoot("9-link");
        await page.getByRole("button", { name: "Sign in" }).click();
        const cdp = await context.newCDPSession(page);
        await cdp.send("WebAuthn.enable");
        await cdp.send("WebAuthn.addVirtualAuthenticator", {
          options: {
            protocol: "ctap2",
            transport: "internal",
            hasResidentKey: true,
            hasUserVerification: true,
            isUserVerified: true,
            automaticPresenceSimulation: true,
          },
        });
        await page.goto(named(`${jarvis.url}/settings/passkeys`));
        await page.locator("[data-passkey]").getByLabel("Name").fill("This laptop");
        await page.getByRole("button", { name: "Add a passkey" }).click();
        await expect(page.getByRole("listitem")).toBeVisible();
        await page.getByRole("button", { name: "Require a passkey after the password" }).click();
        await shoot("9-passkeys");
      });
    });
  }
}
