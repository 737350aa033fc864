// A simulated ERPNext company as a process of its own, behind a proxy that can lose answers.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request as send, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";

/** Users of the company: an agent with rights to work, and who leads the departments. */
export type CompanyUser = "agent" | "manager" | "reader";

const KEY = /^Key of (\w+)@\S+: (\S+), secret (\S+)$/;

export class Company {
  /** The company's answers to such requests are carried out and lost. */
  loses: ((method: string, path: string) => boolean) | undefined;
  /** Refuses connections, as a site that is down. */
  away = false;

  private constructor(
    private readonly child: ChildProcess,
    private readonly proxy: Server,
    private readonly keys: Map<string, [string, string]>,
  ) {}

  static async start(): Promise<Company> {
    const binary = process.env.JARVIS_BIN;
    if (!binary) throw new Error("JARVIS_BIN is not set");
    const child = spawn(binary, ["simerp", "--port", "0"], {
      env: { PATH: process.env.PATH ?? "" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const keys = new Map<string, [string, string]>();
    let at = "";
    for await (const line of createInterface({ input: child.stdout })) {
      at = /^Simulated company at (\S+)$/.exec(line)?.[1] ?? at;
      const [, user, key, secret] = KEY.exec(line) ?? [];
      if (user && key && secret) keys.set(user, [key, secret]);
      if (at && keys.size === 6) break;
    }
    const proxy = createServer();
    const company = new Company(child, proxy, keys);
    proxy.on("request", (asked, answer) => {
      if (company.away) return asked.socket.destroy();
      const { method = "GET", url = "/", headers } = asked;
      const inner = send(new URL(url, at), { method, headers }, (told) => {
        if (company.loses?.(method, url)) {
          told.resume().on("end", () => asked.socket.destroy());
          return;
        }
        answer.writeHead(told.statusCode ?? 502, told.headers);
        told.pipe(answer);
      });
      inner.on("error", () => asked.socket.destroy());
      asked.pipe(inner);
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    return company;
  }

  /** Environment of a server that works with this company as this user. */
  env(user: CompanyUser): Record<string, string> {
    const [key = "", secret = ""] = this.keys.get(user) ?? [];
    const { port } = this.proxy.address() as AddressInfo;
    return { ERPNEXT_URL: `http://127.0.0.1:${port}`, ERPNEXT_API_KEY: key, ERPNEXT_API_SECRET: secret };
  }

  async dispose(): Promise<void> {
    this.proxy.close();
    this.proxy.closeAllConnections();
    const exit = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await exit;
  }
}
