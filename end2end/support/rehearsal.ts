// Script of a server's rehearsal model, and the requests it received.
import type { Jarvis } from "./server.ts";

/** A content block of an answer. */
export type Block =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string }
  | { type: "tool_use"; name: string; input: unknown };

/** Script for one request; omitted fields are up to the rehearsal model. */
export interface Scripted {
  blocks?: Block[];
  stop_reason?: string;
  faults?: ({ type: string } & Record<string, unknown>)[];
  pace?: { first_token_ms?: number; tokens_per_second?: number };
  times?: number;
  when?: string;
}

export class Rehearsal {
  constructor(private readonly jarvis: Jarvis) {}

  /** Appends to the script of the next requests. */
  async script(...entries: Scripted[]): Promise<void> {
    const answer = await fetch(`${this.jarvis.rehearsalUrl}/control/script`, {
      method: "POST",
      body: JSON.stringify(entries),
    });
    if (!answer.ok) throw new Error(`the script was refused: ${await answer.text()}`);
  }

  /** Makes the next answer this text, at a number of tokens per second, or at once. */
  async says(text: string, tokensPerSecond = 0): Promise<void> {
    await this.script({
      blocks: [{ type: "text", text }],
      pace: { tokens_per_second: tokensPerSecond },
    });
  }

  /** The requests for an answer, as JSON. */
  async asked(): Promise<string[]> {
    const answer = await fetch(`${this.jarvis.rehearsalUrl}/control/requests`);
    return ((await answer.json()) as unknown[]).map((request) => JSON.stringify(request));
  }

  /** The number of requests for an answer. */
  async requests(): Promise<number> {
    const answer = await fetch(`${this.jarvis.rehearsalUrl}/control/requests`);
    return ((await answer.json()) as unknown[]).length;
  }
}

/** Text such as `w1 w2 w3 …`, which reveals missing and duplicated parts. */
export function numbered(count: number): string {
  return Array.from({ length: count }, (_, n) => `w${n + 1}`).join(" ");
}
