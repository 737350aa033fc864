// Injects faults into a server's simulated cluster.
import { request } from "node:https";
import type { Jarvis } from "./server.ts";

export type Order =
  | { type: "offline"; node: string; on: boolean }
  | { type: "quorum"; on: boolean }
  | { type: "delay"; ms: number }
  | { type: "revoke"; path: string; privilege: string }
  | { type: "restore" }
  | { type: "renewed"; on: boolean }
  | { type: "backup"; vmid: number; fails: boolean }
  | { type: "storage_unknown"; node: string; storage: string; on: boolean };

export class Cluster {
  constructor(private readonly jarvis: Jarvis) {}

  async order(...orders: Order[]): Promise<void> {
    const url = /cluster is simulated \((https:\/\/[^)]+)\)/.exec(this.jarvis.log)?.[1];
    if (!url) throw new Error("no cluster is simulated");
    const status = await new Promise<number>((resolve, reject) => {
      // Its certificate is not trusted by any CA; it is on this machine.
      const options = { method: "POST", rejectUnauthorized: false, agent: false };
      const sent = request(`${url}/control`, options, (answer) => {
        answer.resume();
        answer.once("end", () => resolve(answer.statusCode ?? 0));
      });
      sent.once("error", reject);
      const body = JSON.stringify(orders);
      sent.setHeader("content-length", Buffer.byteLength(body));
      sent.end(body);
    });
    if (status !== 200) throw new Error(`the orders were refused with ${status}`);
  }
}
