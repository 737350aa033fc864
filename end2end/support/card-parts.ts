// Cards with parts that no built-in tool has: the server's messages are changed on their way.
import type { Page } from "@playwright/test";

/** What a card shows beside its sentence, as `protocol::Confirmation` has it. */
export interface CardParts {
  risk?: { level: string; reasons: object[] };
  sections?: object[];
}

const line = (change: string, text: string) => ({ change, text });

/** One section of each kind, and reasons of each weight. */
export const EVERY_PART: CardParts = {
  risk: {
    level: "grave",
    reasons: [
      { rule: "tag", weight: "warning", sentence: "Tagged critical", detail: "Automations stop for about 40 s." },
      { rule: "depends", weight: "warning", sentence: "2 guests depend on it", detail: "zigbee2mqtt, node-red" },
      { rule: "backup", weight: "good", sentence: "Backup is 6 h old", detail: "2026-11-23T02:00:00Z" },
      { rule: "ha", weight: "note", sentence: "Managed by high availability" },
      {
        rule: "deletes",
        weight: "grave",
        sentence: "deletes recursively",
        detail: "CACHE is not set in this script.",
        span: { section: 1, line: 2 },
      },
    ],
  },
  sections: [
    {
      type: "diff",
      title: "Configuration",
      lines: [
        line("kept", "cores: 4"),
        line("removed", "memory: 16384"),
        line("added", "memory: 24576"),
        line("kept", "onboot: 1"),
      ],
    },
    {
      type: "text",
      title: "Script",
      language: "bash",
      lines: [line("kept", "set -euo pipefail"), line("kept", 'rm -rf "$CACHE"/*'), line("kept", "<b>bold</b>")],
    },
    {
      type: "table",
      title: "Journal 2026-11, entry 0418",
      columns: [
        { name: "Account", numeric: false },
        { name: "Text", numeric: false },
        { name: "Debit", numeric: true },
        { name: "Credit", numeric: true },
      ],
      rows: [
        ["6815", "Hosting", "412.00", ""],
        ["1406", "Input tax 19 %", "78.28", ""],
        ["3300", "Payables", "", "490.28"],
      ],
      sums: ["Sum, EUR", "", "490.28", "490.28"],
    },
    { type: "fields", title: "Terms", fields: [{ label: "Due", value: "2026-12-07T00:00:00Z" }] },
    { type: "links", title: "See also", links: [{ text: "Invoice 2026-1041", href: "https://erp.example/1041" }] },
  ],
};

/** Gives each card that asks these parts. Call it before the page is loaded. */
export async function dealParts(page: Page, parts: CardParts): Promise<void> {
  const deal = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const event = value as { type?: string; confirmation?: object };
    if (event.type === "confirmation_requested") Object.assign(event.confirmation ?? {}, parts);
    for (const inner of Object.values(value)) deal(inner);
  };
  await page.routeWebSocket(/./, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      if (typeof message !== "string") return socket.send(message);
      const frame = JSON.parse(message);
      deal(frame);
      socket.send(JSON.stringify(frame));
    });
  });
}
