// What the rehearsal model of a server answers next, and what it was asked.
import type { Jarvis } from "./server.ts";

/** A content block of an answer. */
export type Block =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string }
  | { type: "tool_use"; name: string; input: unknown };

/** What becomes of one request; what is left out, the rehearsal model decides. */
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

  /** Adds to what becomes of the next requests. */
  async script(...entries: Scripted[]): Promise<void> {
    const answer = await fetch(`${this.jarvis.rehearsalUrl}/control/script`, {
      method: "POST",
      body: JSON.stringify(entries),
    });
    if (!answer.ok) throw new Error(`the script was refused: ${await answer.text()}`);
  }

  /** The next answer is this text, at so many tokens in a second, or at once. */
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

  /** How many requests for an answer came in. */
  async requests(): Promise<number> {
    const answer = await fetch(`${this.jarvis.rehearsalUrl}/control/requests`);
    return ((await answer.json()) as unknown[]).length;
  }
}

/** `w1 w2 w3 …`: a text that shows when a part of it is missing or comes twice. */
export function numbered(count: number): string {
  return Array.from({ length: count }, (_, n) => `w${n + 1}`).join(" ");
}
