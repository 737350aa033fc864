// Long conversations, without the time it takes to type them.
import type { Page } from "@playwright/test";

/** The name of a question, a unique word in the index. */
export const named = (n: number): string => `q${String(n).padStart(3, "0")}`;

/**
 * Asks a number of questions over a separate socket, each after the answer to the one before;
 * `from` is the number of the first. Begins a conversation unless one is given. Returns its id.
 */
export async function converse(
  page: Page,
  from: number,
  count: number,
  conversation?: string,
): Promise<string> {
  const texts = Array.from({ length: count }, (_, n) => `What about ${named(from + n)}?`);
  return page.evaluate(
    async ({ texts, conversation }) => {
      const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
      const ulid = () => {
        let time = Date.now();
        let text = "";
        for (let n = 0; n < 10; n++) {
          text = digits.charAt(time % 32) + text;
          time = Math.floor(time / 32);
        }
        for (let n = 0; n < 16; n++) text += digits.charAt(Math.floor(Math.random() * 32));
        return text;
      };
      const known = conversation !== undefined;
      const id = conversation ?? `cnv_${ulid()}`;
      const socket = new WebSocket(`${location.origin.replace("http", "ws")}/ws`);
      let next: (frame: { type: string; events?: { type: string }[]; error?: unknown }) => void = () => {};
      socket.onmessage = ({ data }) => next(JSON.parse(data as string));
      const send = (frame: unknown) => socket.send(JSON.stringify(frame));
      const until = (done: (frame: { type: string; events?: { type: string }[] }) => boolean) =>
        new Promise<void>((resolve, reject) => {
          next = (frame) => {
            if (frame.type === "rejected") reject(new Error(JSON.stringify(frame.error)));
            if (done(frame)) resolve();
          };
        });
      await until((frame) => frame.type === "hello");
      const subscribe = async (after: number) => {
        send({ type: "subscribe", topic: { type: "conversation", conversation: id, after } });
        await until((frame) => frame.type === "subscribed");
      };
      if (known) await subscribe(0);
      for (const [n, text] of texts.entries()) {
        const first = n === 0 && !known;
        const command = first
          ? { type: "start", conversation: id, mode: "default", text }
          : { type: "send", conversation: id, text };
        const ends = (frame: { events?: { type: string }[] }) =>
          !!frame.events?.some(({ type }) => type === "turn_finished");
        send({ type: "command", id: `cmd_${ulid()}`, command });
        if (first) {
          await until(({ type }) => type === "accepted");
          send({ type: "subscribe", topic: { type: "conversation", conversation: id, after: 0 } });
        }
        await until(ends);
      }
      socket.close();
      return id;
    },
    { texts, conversation },
  );
}
