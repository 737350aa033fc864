// A chat page in a browser with an empty cache: its weight and its load time.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContext } from "@playwright/test";
import { Chat, test } from "../support/test.ts";
import { add } from "./figures.ts";
import { firstPaint, typeEarly } from "./moments.ts";

const RUNS = 10;
const GROUP = "chat page, cold";

type State = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** First paint and usable input of one cold load, in milliseconds, with what came over the wire. */
interface Loaded {
  paint: number;
  usable: number;
  bytes: number;
  requests: number;
}

/** Loads a page with an empty cache; `other` is a page that is open already. */
async function load(browser: Browser, state: State, address: string, other?: string): Promise<Loaded> {
  const context = await browser.newContext({ storageState: state });
  if (other) {
    const before = await context.newPage();
    await before.goto(other);
    // The browser keeps a process ready once a page is there.
    await before.waitForTimeout(1500);
  }
  const fresh = await context.newPage();
  const devtools = await context.newCDPSession(fresh);
  await devtools.send("Network.enable");
  let [bytes, requests] = [0, 0];
  devtools.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests += 1;
  });
  await fresh.addInitScript(typeEarly);
  await fresh.goto(address, { waitUntil: "commit" });
  const when = await fresh.waitForFunction(() => (window as { usable?: number }).usable);
  const usable = (await when.jsonValue()) as number;
  await new Chat(fresh).alive();
  const paint = await firstPaint(fresh);
  await fresh.waitForLoadState("networkidle");
  await context.close();
  return { paint, usable, bytes, requests };
}

test("weight and first moments", async ({ browser, page, chat }) => {
  await chat.ask("[[tokens:200]] [[first:0]] An answer, please.");
  await chat.answered();
  const address = page.url();
  const state = await page.context().storageState();
  const server = createServer((_, answer) => answer.setHeader("content-type", "text/html").end("<h1>Another page</h1>"));
  await new Promise<void>((done) => server.listen(0, "localhost", done));
  const other = `http://localhost:${(server.address() as AddressInfo).port}/`;
  const [started, used]: [Loaded[], Loaded[]] = [[], []];
  const still: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    started.push(await load(browser, state, address));
    used.push(await load(browser, state, address, other));
    // The least that this browser takes on this machine: a text without styles and scripts.
    const context = await browser.newContext({ storageState: state });
    const plain = await context.newPage();
    await plain.goto(new URL("/robots.txt", address).href);
    await plain.waitForTimeout(300);
    still.push(await firstPaint(plain));
    await context.close();
  }
  server.close();
  const last = used.at(-1);
  await add(GROUP, "weight on the wire", { value: (last?.bytes ?? 0) / 1024, unit: "KiB" });
  await add(GROUP, "requests", { value: last?.requests ?? 0, unit: "" });
  // As people meet it; a browser that has shown nothing yet begins a process for the page first.
  for (const [loads, where] of [[used, "another page is open"], [started, "first page of the browser"]] as const) {
    await add(GROUP, `first contentful paint, ${where}`, loads.map(({ paint }) => paint));
    await add(GROUP, `input usable, ${where}`, loads.map(({ usable }) => usable));
  }
  await add(GROUP, "first contentful paint of a plain text, beside them", still);
});
