// Other people than the one who started the server.
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { Chat } from "./chat.ts";
import type { Jarvis } from "./server.ts";

/** Uses a sign-in link: opens its page and presses the button there. */
export async function signIn(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => url.pathname !== "/sign-in");
}

/** Another person with a browser of their own. */
export class Other {
  readonly chat: Chat;

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    this.chat = new Chat(page);
  }

  /** Adds a user as the admin whose browser it is, and signs them in. */
  static async join(
    admin: BrowserContext,
    browser: Browser,
    jarvis: Jarvis,
    name: string,
    role: "viewer" | "operator" | "admin",
    options: Parameters<Browser["newContext"]>[0] = {},
  ): Promise<Other> {
    const answer = await admin.request.post(`${jarvis.url}/settings/users`, {
      form: { do: "add", name, role },
      headers: { origin: jarvis.url },
    });
    const link = /\/sign-in\?token=[\w-]+/.exec(await answer.text())?.[0];
    if (!link) throw new Error(`no link for ${name}: ${answer.status()}`);
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await signIn(page, new URL(link, jarvis.url).href);
    const other = new Other(context, page);
    await other.chat.alive();
    return other;
  }
}
