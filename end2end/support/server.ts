// A `jarvis` process with its own data folder.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface JarvisOptions {
  /** Environment of the server, beside the minimum that it always gets. */
  env: Record<string, string>;
  /** Arguments after `jarvis serve --listen … --data-dir …`. */
  args: string[];
  /** Content of `jarvis.toml`. */
  config?: string;
  /** Initial data folder; it is copied. */
  data?: string;
}

/** Every server enables control of its rehearsal model, which answers without delay. */
const ARGS = ["--rehearsal-control"];
const ENV = {
  JARVIS_REHEARSAL_RATE: "0",
  JARVIS_REHEARSAL_FIRST_TOKEN_MS: "0",
  // Only a few tests need notices of the simulated cluster.
  JARVIS_NOTICES: "false",
  // Nor the simulated field devices, which go on in the background.
  JARVIS_SIMULATED_FIELD: "false",
  // A single user runs the whole suite.
  JARVIS_USER_SOCKETS: "10000",
  JARVIS_USER_COMMANDS: "1000000",
};

/** For `restart`: an unreachable cluster. */
export const OUT_OF_REACH = {
  PROXMOX_URL: "https://127.0.0.1:9",
  PROXMOX_TOKEN_ID: "jarvis@pve!console",
  PROXMOX_TOKEN_SECRET: "00000000-0000-4000-8000-000000000000",
  PROXMOX_FINGERPRINT: "00".repeat(32),
};

const START_LIMIT_MS = 30_000;
/** A file system in memory, on Linux. */
const MEMORY = "/dev/shm";
/** So much room has to be there: the servers' data, and the browsers, which use it as well. */
const ROOM = 2 * 1024 ** 3;
const REHEARSAL = /rehearsal model answers \((http:\/\/[^)]+)\)/;
const SIGN_IN_LINK = /https?:\/\/\S+\/sign-in\?token=\S+/;

/** The folder for data: in memory if there is room, for no test needs it after a loss of power. */
async function parent(): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => undefined);
  return memory && memory.bavail * memory.bsize > ROOM ? MEMORY : tmpdir();
}

export class Jarvis {
  /** Address of the server, without a trailing slash. */
  url = "";
  /** The newest one-time link printed by the server. */
  signInLink = "";
  /** Address of the rehearsal model of the current process. */
  rehearsalUrl = "";
  /** Everything the server has written, in all its processes. */
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
    const dataDir = await mkdtemp(join(await parent(), "jarvis-test-"));
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

  /** SIGTERM: the server may finish its work. Returns its exit code. */
  async stop(): Promise<number | null> {
    return this.end("SIGTERM");
  }

  /** Starts again on the same port and data after `kill` or `stop`. */
  async restart(env: Record<string, string> = {}): Promise<void> {
    Object.assign(this.options.env, env);
    await this.launch(new URL(this.url).host);
  }

  /** Runs a subcommand on the data. Most of them need the server stopped. */
  run(...args: string[]): string {
    const [command = "", subcommand = "", ...rest] = args;
    const all = [command, subcommand, "--data-dir", this.dataDir, ...rest];
    return execFileSync(this.binary, all, { cwd: this.dataDir, encoding: "utf8", env: this.environment() });
  }

  /**
   * Not this process's whole environment: the server refuses unknown JARVIS_ variables, and a
   * developer's API key must not reach a test.
   */
  private environment(): Record<string, string> {
    return { PATH: process.env.PATH ?? "", HOME: this.dataDir, ...this.options.env };
  }

  /** Stops the server's files from growing, as on a full disk, or lets them grow again. */
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
    const args = ["serve", "--listen", listen, "--data-dir", this.dataDir, ...this.options.args];
    // A file that may not grow then gives an error, as on a full disk, not a fatal signal.
    const shell = ["-c", 'trap "" XFSZ; exec "$0" "$@"', this.binary, ...args];
    const child = spawn("/bin/sh", shell, {
      cwd: this.dataDir,
      env: this.environment(),
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
      // At the first start the link reveals the address; at a restart the address is known.
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

  /** Polls until the server reports that it is ready. */
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
