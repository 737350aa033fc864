// The settings stand in the frame: the pages, the theme and the kill switch are at hand, without scripts.
import { expect, expectAccessible, test } from "../support/test.ts";

/** For tests that open another page first. */
const direct = test.extend<object>({ startPage: false });

test("from the settings every page, the theme and the kill switch are one press away", async ({ page, jarvis, context }) => {
  const quiet = await context.newPage();
  await quiet.goto(`${jarvis.url}/settings/look`);
  const tabs = quiet.getByRole("navigation", { name: "Dashboard" });
  for (const name of ["Chat", "HUD", "Chart", "Feed"]) await expect(tabs.getByRole("link", { name })).toBeVisible();
  const nav = quiet.getByRole("navigation", { name: "Settings" });
  await expect(nav.getByRole("link", { name: "Appearance" })).toHaveAttribute("aria-current", "page");
  await expect(nav.getByRole("heading", { name: "Installation" })).toBeVisible();
  await expectAccessible(quiet);

  await quiet.getByRole("radio", { name: "Light" }).check();
  await quiet.getByRole("button", { name: "Save" }).click();
  await expect(quiet.getByText("Saved in this browser.")).toBeVisible();
  await expect(quiet.locator("html")).toHaveAttribute("data-theme", "light");
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");

  await quiet.getByText("Kill switch", { exact: true }).click();
  await quiet.getByRole("button", { name: "Turn the kill switch on" }).click();
  await expect(quiet.getByText("Actions blocked", { exact: true })).toBeVisible();
  await expect(page.getByText("The kill switch is on: actions are blocked.")).toBeVisible();
  await quiet.getByText("Actions blocked", { exact: true }).click();
  await quiet.getByRole("button", { name: "Lift the kill switch" }).click();
  await expect(quiet.getByText("Kill switch", { exact: true })).toBeVisible();
  await expect(page.getByText("The kill switch is on: actions are blocked.")).toBeHidden();
});

direct("the list is complete and in reach at any width", async ({ page, jarvis }) => {
  for (const [width, height] of [[390, 844], [360, 740], [1024, 768]] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(`${jarvis.url}/settings/systems`);
    const nav = page.getByRole("navigation", { name: "Settings" });
    const passkeys = nav.getByRole("link", { name: "Passkeys" });
    if (width < 896) {
      // Where one is is said; the list is one press below it, and closes again.
      await expect(nav.getByText("Systems", { exact: true }).first()).toBeInViewport();
      await expect(passkeys).toBeHidden();
      await nav.getByRole("link", { name: "All settings" }).click();
      await expect(passkeys).toBeInViewport();
      await nav.getByRole("link", { name: "Close" }).click();
      await expect(passkeys).toBeHidden();
      await nav.getByRole("link", { name: "All settings" }).click();
      if (width === 390) await expectAccessible(page);
    }
    await passkeys.click();
    await expect(page.getByRole("heading", { name: "Passkeys", level: 1 })).toBeVisible();
  }
});

direct("the search opens the palette of the pages with a script", async ({ page, jarvis }) => {
  await page.goto(`${jarvis.url}/settings/tokens`);
  await page.getByRole("link", { name: "Search or run a command" }).click();
  const field = page.getByRole("dialog").getByRole("combobox");
  await expect(field).toBeFocused();
  await field.fill("passkeys");
  await page.getByRole("option", { name: /Passkeys/ }).click();
  await expect(page).toHaveURL(/\/settings\/passkeys$/);
});

direct("header and list stay in view to the end of a long page", async ({ page, jarvis }) => {
  for (const [width, height] of [[1440, 900], [1024, 768], [390, 844], [360, 740]] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(`${jarvis.url}/settings/systems`);
    await page.mouse.move(width / 2, height / 2);
    await page.mouse.wheel(0, 20_000);
    const end = () => page.evaluate(() => scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 1);
    await expect.poll(end).toBe(true);
    const header = await page.getByRole("banner").boundingBox();
    expect(header?.y).toBe(0);
    const nav = await page.getByRole("navigation", { name: "Settings" }).boundingBox();
    expect(nav?.y).toBeCloseTo(header?.height ?? 0, 0);
    // Beside the page, the list is as high as the window.
    if (width > 896) expect((nav?.y ?? 0) + (nav?.height ?? 0)).toBeCloseTo(height, 0);
  }
});

test("Chat leads back to the conversation that the tab read last", async ({ page, chat, rehearsal, jarvis }) => {
  await rehearsal.says("Quite, sir.");
  await chat.ask("The first?");
  await chat.answered();
  const address = page.url();
  await page.goto(`${jarvis.url}/settings`);
  await page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "Chat" }).click();
  await expect(page).toHaveURL(address);
  await expect(page.getByText("Quite, sir.")).toBeVisible();
});

test("a request that waits is one press away from the settings", async ({ page, chat, jarvis }) => {
  await chat.ask("restart pihole");
  await expect(page.getByText("Waiting for your decision", { exact: true })).toBeVisible();
  await page.goto(`${jarvis.url}/settings`);
  await page.getByRole("link", { name: "1 request waiting for you" }).click();
  await expect(page.getByText("Waiting for your decision", { exact: true })).toBeVisible();
});

test("notifications are switched for one browser", async ({ page, context, jarvis }) => {
  await context.grantPermissions(["notifications"], { origin: jarvis.url });
  await page.goto(`${jarvis.url}/settings/notifications`);
  const said = page.getByRole("status");
  await expect(said).toHaveText("On.");
  await page.getByRole("button", { name: "Turn notifications off" }).click();
  await expect(said).toHaveText("Off.");
  await page.reload();
  await expect(said).toHaveText("Off.");
  await page.getByRole("button", { name: "Turn notifications on" }).click();
  await expect(said).toHaveText("On.");
  await expectAccessible(page);
});

direct("comfortable rows are taller", async ({ page, jarvis }) => {
  const height = async () => {
    await page.goto(`${jarvis.url}/hud`);
    return (await page.locator(".guests__row").first().boundingBox())?.height;
  };
  expect(await height()).toBe(32);
  await page.goto(`${jarvis.url}/settings/look`);
  await page.getByRole("radio", { name: "Comfortable" }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved in this browser.")).toBeVisible();
  expect(await height()).toBe(40);
});
