// One `jarvis` process with a data folder of its own.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface JarvisOptions {
  /** Environment of the server, beside the little that it always gets. */
  env: Record<string, string>;
  /** Arguments after `jarvis serve --listen … --data-dir …`. */
  args: string[];
  /** What stands in `jarvis.toml`. */
  config?: string;
  /** A data folder to begin with; it is copied. */
  data?: string;
}

/** Every server takes orders for its rehearsal model, and answers without waiting. */
const ARGS = ["--rehearsal-control"];
const ENV = {
  JARVIS_REHEARSAL_RATE: "0",
  JARVIS_REHEARSAL_FIRST_TOKEN_MS: "0",
  // What the simulated cluster has to tell is the business of few tests.
  JARVIS_NOTICES: "false",
  // One user plays the whole suite.
  JARVIS_USER_SOCKETS: "10000",
  JARVIS_USER_COMMANDS: "1000000",
};

/** For `restart`: a cluster of which nothing is reached. */
export const OUT_OF_REACH = {
  PROXMOX_URL: "https://127.0.0.1:9",
  PROXMOX_TOKEN_ID: "jarvis@pve!console",
  PROXMOX_TOKEN_SECRET: "00000000-0000-4000-8000-000000000000",
  PROXMOX_FINGERPRINT: "00".repeat(32),
};

const START_LIMIT_MS = 30_000;
const REHEARSAL = /rehearsal model answers \((http:\/\/[^)]+)\)/;
const SIGN_IN_LINK = /https?:\/\/\S+\/sign-in\?token=\S+/;

export class Jarvis {
  /** Where the server answers, without a slash at the end. */
  url = "";
  /** The newest one-time link that the server printed. */
  signInLink = "";
  /** Where the rehearsal model of the server's present life answers. */
  rehearsalUrl = "";
  /** Everything that the server wrote, all its lives together. */
  log = "";

  private child: ChildProcess | undefined;

  private constructor(
    private readonly binary: string,
    readonly dataDir: string,
    private readonly options: JarvisOptions,
  ) {}

  static async start(options: JarvisOptions): Promise<Jarvis> {
    const binary = process.env.JARVIS_BIN;
    if (!binary) {
      throw new Error("JARVIS_BIN is not set: run these tests through `cargo xtask test browser`");
    }
    const dataDir = await mkdtemp(join(tmpdir(), "jarvis-test-"));
    if (options.data) await cp(options.data, dataDir, { recursive: true });
    const jarvis = new Jarvis(binary, dataDir, {
      env: { ...ENV, ...options.env },
      args: [...ARGS, ...options.args],
    });
    if (options.config) await writeFile(join(dataDir, "jarvis.toml"), options.config);
    await jarvis.launch("127.0.0.1:0");
    return jarvis;
  }

  /** SIGKILL: no time to save anything. */
  async kill(): Promise<void> {
    await this.end("SIGKILL");
  }

  /** SIGTERM: the server may finish what it does. Gives its exit code. */
  async stop(): Promise<number | null> {
    return this.end("SIGTERM");
  }

  /** Starts again on the same port and data after `kill` or `stop`. */
  async restart(env: Record<string, string> = {}): Promise<void> {
    Object.assign(this.options.env, env);
    await this.launch(new URL(this.url).host);
  }

  /** Lets no file of the server grow, as on a disk that is full, or lets them grow again. */
  fillDisk(full: boolean): void {
    execFileSync("prlimit", ["--pid", String(this.child?.pid), `--fsize=${full ? "0" : "unlimited"}:`]);
  }

  /** Ends the server and removes its data. */
  async dispose(): Promise<void> {
    await this.end("SIGKILL");
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async launch(listen: string): Promise<void> {
    if (this.child) throw new Error("the server runs already");
    this.rehearsalUrl = "";
    // Not this process' whole environment: the server refuses JARVIS_ variables that it does not
    // know, and a developer's API key has no place in a test.
    const env = { PATH: process.env.PATH ?? "", HOME: this.dataDir, ...this.options.env };
    const args = ["serve", "--listen", listen, "--data-dir", this.dataDir, ...this.options.args];
    // A file that may not grow gives an error then, as a full disk does, and no signal that ends it.
    const shell = ["-c", 'trap "" XFSZ; exec "$0" "$@"', this.binary, ...args];
    const child = spawn("/bin/sh", shell, {
      cwd: this.dataDir,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.child = child;

    return new Promise((resolve, reject) => {
      const late = new Error("jarvis did not start in time");
      const timer = setTimeout(() => settle(late), START_LIMIT_MS);
      const settle = (error?: Error): void => {
        clearTimeout(timer);
        if (error) reject(new Error(`${error.message}\n${this.log}`));
        else resolve();
      };
      child.once("error", settle);
      child.once("exit", (code, signal) => {
        settle(new Error(`jarvis ended with ${code ?? signal} at start`));
      });
      // A first start tells its address by the link; at a restart the address is known.
      if (this.url) this.ready(child).then(() => settle(), settle);
      for (const stream of [child.stdout, child.stderr]) {
        createInterface({ input: stream }).on("line", (line) => {
          this.log += `${line}\n`;
          this.rehearsalUrl = REHEARSAL.exec(line)?.[1] ?? this.rehearsalUrl;
          const found = SIGN_IN_LINK.exec(line)?.[0];
          if (!found) return;
          this.signInLink = found;
          if (this.url) return;
          this.url = new URL(found).origin;
          this.ready(child).then(() => settle(), settle);
        });
      }
    });
  }

  /** Asks until the server says that it can serve. */
  private async ready(child: ChildProcess): Promise<void> {
    while (child.exitCode === null && !child.signalCode) {
      const answer = await fetch(`${this.url}/readyz`).catch(() => undefined);
      if (answer?.ok && this.rehearsalUrl) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  private async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.child;
    this.child = undefined;
    if (!child) return null;
    if (child.exitCode === null && !child.signalCode) {
      const exit = once(child, "exit");
      child.kill(signal);
      await exit;
    }
    return child.exitCode;
  }
}
