// People other than the one who started the server.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { Chat } from "./chat.ts";
import type { Jarvis } from "./server.ts";

/** Script that makes an account look independent of the admin who added it. */
const APART = `
import sqlite3, sys
database, name = sys.argv[1:]
database = sqlite3.connect(database, timeout=10)
user = database.execute("SELECT id FROM users WHERE name = ?", (name,)).fetchone()
database.execute("UPDATE users SET made_by = NULL WHERE id = ?", user)
database.execute("UPDATE sign_in_links SET made_by = NULL WHERE user = ?", user)
database.commit()
`;

/** Uses a sign-in link: opens its page and clicks the button there. */
export async function signIn(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => url.pathname !== "/sign-in");
}

/** Another person with a separate browser. */
export class Other {
  readonly chat: Chat;

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    this.chat = new Chat(page);
  }

  /** Like `join`, for an account that counts as independent and so may be a second person. */
  static async joinApart(...who: Parameters<typeof Other.join>): Promise<Other> {
    const [admin, browser, jarvis, name, role, options] = who;
    const link = await Other.invite(admin, jarvis, name, role);
    execFileSync("python3", ["-c", APART, join(jarvis.dataDir, "jarvis.db"), name]);
    return Other.enter(browser, jarvis, link, options);
  }

  /** Adds a user in the admin's browser, and signs them in. */
  static async join(
    admin: BrowserContext,
    browser: Browser,
    jarvis: Jarvis,
    name: string,
    role: "viewer" | "operator" | "admin",
    options: Parameters<Browser["newContext"]>[0] = {},
  ): Promise<Other> {
    return Other.enter(browser, jarvis, await Other.invite(admin, jarvis, name, role), options);
  }

  /** Adds a user, and returns the path of their link. */
  private static async invite(
    admin: BrowserContext,
    jarvis: Jarvis,
    name: string,
    role: string,
  ): Promise<string> {
    const answer = await admin.request.post(`${jarvis.url}/settings/users`, {
      form: { do: "add", name, role },
      headers: { origin: jarvis.url },
    });
    const link = /\/sign-in\?token=[\w-]+/.exec(await answer.text())?.[0];
    if (!link) throw new Error(`no link for ${name}: ${answer.status()}`);
    return link;
  }

  private static async enter(
    browser: Browser,
    jarvis: Jarvis,
    link: string,
    options: Parameters<Browser["newContext"]>[0],
  ): Promise<Other> {
    const context = await browser.newContext(options);
    // As the button of the link's page does, which `settings.spec.ts` presses: one page less to load.
    await context.request.post(new URL(link, jarvis.url).href, { headers: { origin: jarvis.url }, maxRedirects: 0 });
    const page = await context.newPage();
    await page.goto(jarvis.url);
    const other = new Other(context, page);
    await other.chat.alive();
    return other;
  }
}
