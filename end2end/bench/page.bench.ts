// A chat page in a browser with an empty cache: its weight and its load time.
import { Chat, test } from "../support/test.ts";
import { add } from "./figures.ts";
import { firstPaint, typeEarly } from "./moments.ts";

const RUNS = 10;
const GROUP = "chat page, cold";

test("weight and first moments", async ({ browser, page, chat }) => {
  await chat.ask("[[tokens:200]] [[first:0]] An answer, please.");
  await chat.answered();
  const address = page.url();
  const state = await page.context().storageState();
  const paints: number[] = [];
  const still: number[] = [];
  const usable: number[] = [];
  let weight = 0;
  let requests = 0;
  for (let run = 0; run < RUNS; run++) {
    const context = await browser.newContext({ storageState: state });
    const fresh = await context.newPage();
    const devtools = await context.newCDPSession(fresh);
    await devtools.send("Network.enable");
    weight = 0;
    requests = 0;
    devtools.on("Network.loadingFinished", ({ encodedDataLength }) => {
      weight += encodedDataLength;
      requests += 1;
    });
    await fresh.addInitScript(typeEarly);
    await fresh.goto(address, { waitUntil: "commit" });
    const when = await fresh.waitForFunction(() => (window as { usable?: number }).usable);
    usable.push((await when.jsonValue()) as number);
    await new Chat(fresh).alive();
    paints.push(await firstPaint(fresh));
    await fresh.waitForLoadState("networkidle");
    await context.close();
    // The least that this browser takes on this machine: a text without styles and scripts.
    const other = await browser.newContext({ storageState: state });
    const plain = await other.newPage();
    await plain.goto(new URL("/robots.txt", address).href);
    await plain.waitForTimeout(300);
    still.push(await firstPaint(plain));
    await other.close();
  }
  await add(GROUP, "weight on the wire", { value: weight / 1024, unit: "KiB" });
  await add(GROUP, "requests", { value: requests, unit: "" });
  await add(GROUP, "first contentful paint", paints);
  await add(GROUP, "  of a plain text, beside it", still);
  await add(GROUP, "input usable", usable);
});
