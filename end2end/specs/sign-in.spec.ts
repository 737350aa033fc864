// Nothing is reachable without the link printed by the server.
import { signIn } from "../support/people.ts";
import { expect, expectAccessible, test } from "../support/test.ts";

test("without the link there is nothing", async ({ browser, jarvis, chat, page }) => {
  await chat.ask("How is the cluster doing?");
  await chat.answered();
  const conversation = page.url();

  const stranger = await browser.newContext();
  const other = await stranger.newPage();
  for (const address of [jarvis.url, conversation]) {
    const answer = await other.goto(address);
    expect(answer?.status()).toBe(401);
    await expect(other.getByRole("heading", { name: "Sign in" })).toBeVisible();
    expect(await other.content()).not.toContain("cluster doing");
  }
  await expectAccessible(other);

  // The link was valid once; a wrong one never is.
  for (const link of [jarvis.signInLink, `${jarvis.url}/sign-in?token=guess`]) {
    const answer = await other.goto(link);
    expect(answer?.status()).toBe(403);
    await expect(other.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
  }
  // No session: only the address that the stranger requested.
  expect((await stranger.cookies()).filter(({ name }) => !name.endsWith("-to"))).toEqual([]);

  // The websocket refuses strangers and foreign origins.
  const upgrade = await stranger.request.get(`${jarvis.url}/ws`, {
    headers: { origin: jarvis.url, connection: "upgrade", upgrade: "websocket" },
  });
  expect(upgrade.status()).toBe(401);
  await stranger.close();
});

test("the cookie is out of reach of scripts and other sites", async ({ page, context }) => {
  expect(await page.evaluate(() => document.cookie)).toBe("");
  const cookies = await context.cookies();
  expect(cookies).toHaveLength(1);
  expect(cookies[0]).toMatchObject({ httpOnly: true, path: "/" });
  expect(["Strict", "Lax"]).toContain(cookies[0]?.sameSite);
});

test("signing out ends every tab", async ({ page, chat, context, jarvis, consoleErrors }) => {
  consoleErrors.expect(/status of 401|WebSocket connection to/);
  await chat.ask("How is the cluster doing?");
  await chat.answered();
  const second = await context.newPage();
  await second.goto(page.url());
  await second.getByRole("button", { name: "Account and server" }).click();
  await second.getByRole("button", { name: "Sign out" }).click();
  await expect(second.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(chat.connection).toHaveText("Signed out");
  await expect(page.getByText("You're signed out.")).toBeVisible();
  await expect(page.getByRole("link", { name: /^Sign in again/ })).toHaveAttribute("href", "/sign-in");

  // A message written now waits for the next sign-in, in the same tab.
  await chat.ask("Which VMs are stopped?");
  await expect(chat.transcript.getByText("Waiting for the connection")).toBeVisible();
  await jarvis.stop();
  await jarvis.restart();
  await signIn(second, jarvis.signInLink);
  await page.getByRole("button", { name: "Try again" }).click();
  await chat.alive();
  await chat.answered(2);
});
