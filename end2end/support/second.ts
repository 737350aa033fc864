// Other people than the one who started the server.
import type { Browser, Page } from "@playwright/test";
import type { Jarvis } from "./server.ts";

/** Adds a user as the admin whose page it is, and signs them in with a browser of their own. */
export async function join(
  admin: Page,
  browser: Browser,
  jarvis: Jarvis,
  name: string,
  role: "viewer" | "operator" | "admin",
): Promise<Page> {
  const answer = await admin.request.post(`${jarvis.url}/settings/users`, {
    form: { do: "add", name, role },
    headers: { origin: jarvis.url },
  });
  const link = /\/sign-in\?token=[\w-]+/.exec(await answer.text())?.[0];
  if (!link) throw new Error(`no link for ${name}: ${answer.status()}`);
  const page = await (await browser.newContext()).newPage();
  await page.goto(new URL(link, jarvis.url).href);
  return page;
}
