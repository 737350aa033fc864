// Dark, light, or the system's theme.
import { expect, test } from "../support/test.ts";

test("the theme is kept, and the first HTML has it already", async ({ page, chat, context, jarvis }) => {
  const background = () =>
    page.evaluate(() =>
      getComputedStyle(document.documentElement).backgroundColor,
    );
  const html = async () => (await context.request.get(jarvis.url)).text();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "system");
  const dark = await background();

  const menu = page.getByRole("button", { name: "Account and server" });
  await menu.click();
  await page.getByRole("button", { name: "Theme: System" }).click();
  await page.getByRole("button", { name: "Theme: Dark" }).click();
  await expect(page.getByRole("button", { name: "Theme: Light" })).toBeVisible();
  // A shadow that the browser cannot read is none.
  await expect(page.locator("#user-menu")).not.toHaveCSS("box-shadow", "none");
  await expect.poll(background).not.toBe(dark);
  const light = await background();
  expect(await html()).toMatch(/<html[^>]*data-theme="light"/);

  // Every colour the page ever has is the chosen one.
  await page.addInitScript(() => {
    const seen = new Set<string>();
    const look = () => {
      // Nothing is painted before the style sheet is loaded.
      if (document.body) seen.add(getComputedStyle(document.documentElement).backgroundColor);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    Object.assign(window, { seen });
  });
  await page.reload();
  await chat.alive();
  await menu.click();
  await expect(page.getByRole("button", { name: "Theme: Light" })).toBeVisible();
  const seen = await page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen]);
  expect(seen).toEqual([light]);

  // The system's theme, including its changes.
  await page.getByRole("button", { name: "Theme: Light" }).click();
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(background).toBe(light);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(background).toBe(dark);
  expect(await html()).toMatch(/<html[^>]*data-theme="system"/);
});

test("check boxes have the colours of the page, not the browser's grey", async ({ page }) => {
  const colour = (token: string) =>
    page.evaluate((token) => {
      const probe = document.createElement("i");
      probe.style.color = `var(${token})`;
      document.body.append(probe);
      const colour = getComputedStyle(probe).color;
      probe.remove();
      return colour;
    }, token);
  const box = page.getByRole("checkbox", { name: /Plan first/ });
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(box).toHaveCSS("appearance", "none");
    await expect(box).toHaveCSS("background-color", await colour("--raised"));
    await box.check();
    await expect(box).toHaveCSS("background-color", await colour("--cyan-fill"));
    await box.uncheck();
  }
});
