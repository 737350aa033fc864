// Confirmation cards as a person sees them, and checks of their journal.
import { expect, type Locator, type Page } from "@playwright/test";
import type { Chat } from "./chat.ts";
import type { Block, Rehearsal } from "./rehearsal.ts";

/** A call that asks for a press: the VM is off. */
export const START: Block = { type: "tool_use", name: "start_vm", input: { node: "pve", vmid: 113 } };
/** Another one: the container is off. */
export const START_OTHER: Block = {
  type: "tool_use",
  name: "start_container",
  input: { node: "pve", vmid: 213 },
};
/** A call that asks for a held press: the VM is running. */
export const STOP: Block = { type: "tool_use", name: "stop_vm", input: { node: "pve", vmid: 112 } };

/** A read-only command on a node, which is recorded and runs without a card. */
export const kernelLog = (node: string): Block => ({
  type: "tool_use",
  name: "execute_ssh",
  input: { node, command: "journalctl -k -n 20" },
});
/** An action with a small effect. */
export const RESTART_SERVICE: Block = {
  type: "tool_use",
  name: "restart_service",
  input: { node: "pve", service: "smbd" },
};
/** An action that can be repeated. */
export const RESTART_OTHER: Block = {
  type: "tool_use",
  name: "restart_container",
  input: { node: "agent", vmid: 231 },
};

export interface Event {
  seq: number;
  type: string;
  call?: string;
  digest?: string;
  input?: unknown;
  confirmation?: { digest: string; input: unknown; revision: number };
  verdict?: { type: string };
}

/** The card of one call. */
export class Card {
  readonly approve: Locator;
  readonly deny: Locator;
  readonly comment: Locator;

  constructor(readonly box: Locator) {
    this.approve = box.getByRole("button", { name: /^(Approve|Hold to approve|Keep holding…): / });
    this.deny = box.getByRole("button", { name: /^Deny: / });
    this.comment = box.getByRole("textbox", { name: "Comment for Jarvis, if you deny" });
  }

  /** Opens the folded part; the focus stays where it is. */
  async more(): Promise<void> {
    const folded = this.box.locator("details.confirm__details");
    if (await folded.count()) await folded.evaluate((it) => ((it as HTMLDetailsElement).open = true));
  }

  /** Reads the card from beginning to end, and waits until its buttons can be pressed. */
  async read(): Promise<void> {
    await this.box.getByRole("heading", { level: 3 }).scrollIntoViewIfNeeded();
    await expect(this.box.getByText("Read it from the beginning first.")).toHaveCount(0);
    // The buttons are always in view, but the content behind their bar is not.
    await this.box.locator(".confirm__end").evaluate((it) => it.scrollIntoView({ block: "center" }));
    // A press counts only if the button has not moved since the page's last check.
    let last = "";
    const stands = async () => {
      const place = JSON.stringify(await this.approve.boundingBox());
      const same = place === last && (await this.approve.isEnabled());
      last = place;
      return same;
    };
    await expect.poll(stands, { intervals: [200] }).toBe(true);
  }

  /** Reads the card and approves it, in the way it asks for. */
  async allow(): Promise<void> {
    await this.read();
    if (!(await this.approve.getAttribute("aria-label"))?.startsWith("Hold")) {
      // As a person does it there: a touch brings pointer, mouse and focus events in an order of its own.
      const touch = await this.approve.evaluate(() => navigator.maxTouchPoints > 0);
      await (touch ? this.approve.tap() : this.approve.click());
      return;
    }
    const mouse = this.box.page().mouse;
    await this.approve.hover();
    await mouse.down();
    await expect(this.box).toBeHidden();
    await mouse.up();
  }

  /** Goes to the button with the Tab key, reads the card, and approves it without the mouse. */
  async allowByKeys(): Promise<void> {
    const { keyboard } = this.box.page();
    const isFocused = () => this.approve.evaluate((it) => it === document.activeElement);
    for (let presses = 0; presses < 100 && !(await isFocused()); presses++) await keyboard.press("Tab");
    await expect(this.approve).toBeFocused();
    await this.read();
    const isHeld = (await this.approve.getAttribute("aria-label"))?.startsWith("Hold");
    await keyboard.down("Enter");
    if (isHeld) await expect(this.box).toBeHidden();
    await keyboard.up("Enter");
    await expect(this.box).toBeHidden();
  }

  /** The value of a field of the input, with its origin. */
  field(name: string): Locator {
    return this.box
      .getByRole("region", { name: "Input" })
      .or(this.box)
      .locator(".confirm__value")
      .filter({ has: this.box.page().getByText(name, { exact: true }) })
      .first();
  }
}

export class Cards {
  readonly open: Locator;

  constructor(
    private readonly chat: Chat,
    private readonly rehearsal: Rehearsal,
  ) {
    this.open = chat.transcript.locator(".confirm--asks");
  }

  card(index = 0): Card {
    return new Card(this.open.nth(index));
  }

  /** Makes the model request calls, and waits for the cards. */
  async ask(calls: Block[], question = "Start the windows VM, please.", then = "Done, sir."): Promise<Card> {
    await this.rehearsal.script(
      { blocks: [{ type: "text", text: "As you wish." }, ...calls] },
      { blocks: [{ type: "text", text: then }] },
    );
    await this.chat.ask(question);
    await expect(this.open).toHaveCount(calls.length);
    return this.card();
  }

  /** The card of a call after its decision. */
  told(text: string | RegExp): Locator {
    return this.chat.transcript.getByRole("group").filter({ hasText: text }).first();
  }

  /** Makes the model run a call that needs no card, and waits for the end of the turn. */
  async run(call: Block, question: string, turns = 1): Promise<void> {
    await this.rehearsal.script({ blocks: [call] }, { blocks: [{ type: "text", text: "Done, sir." }] });
    await this.chat.ask(question);
    await this.chat.answered(turns);
  }

  /** Asserts that no button of a card is left. */
  async nothingToDecide(): Promise<void> {
    await expect(this.open).toHaveCount(0);
    await expect(this.chat.transcript.getByRole("button", { name: /approve/i })).toHaveCount(0);
  }
}

/** The journal of the open conversation. */
export async function journal(page: Page): Promise<Event[]> {
  const id = new URL(page.url()).pathname.split("/").pop();
  return page.evaluate(async (id) => {
    const answer = await fetch("/api/conversation", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id }),
    });
    return ((await answer.json()) as { events: unknown[] }).events as never;
  }, id);
}

/**
 * Asserts the invariants of every journal: a call is decided once, runs at most once and only after
 * its approval, and runs with the input shown on the approved card.
 */
export async function expectLawful(page: Page): Promise<Event[]> {
  const events = await journal(page);
  const calls = new Set(events.filter(({ type }) => type === "confirmation_requested").map(({ call }) => call));
  for (const call of calls) {
    const of = (type: string) => events.filter((event) => event.call === call && event.type === type);
    const asked = of("confirmation_requested");
    const decided = of("confirmation_decided");
    const started = of("tool_started");
    expect(started.length, "runs").toBeLessThanOrEqual(1);
    const approved = decided.filter(({ verdict }) => verdict?.type === "approved");
    // Asked again after an approval only if its target had changed.
    expect(decided.length - approved.length, "other answers").toBeLessThanOrEqual(1);
    const last = asked.at(-1)?.confirmation;
    if (started[0]) {
      const word = approved.at(-1);
      expect(word, "an approval").toBeDefined();
      expect(word?.digest).toBe(last?.digest);
      expect(word?.seq).toBeLessThan(started[0].seq);
      if (started[0].input) expect(started[0].input).toEqual(last?.input);
    }
    // No card after the last answer.
    const answered = decided.at(-1)?.seq;
    if (answered && started.length === 0) expect(asked.at(-1)?.seq).toBeLessThan(answered);
  }
  return events;
}
