// A field device as a test plays it: a third implementation of the protocol, without a sandbox. It does nothing by
// itself, so that a test decides what the server hears, and when.
import { execFileSync } from "node:child_process";
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { join } from "node:path";
import { expect } from "@playwright/test";
import type { Jarvis } from "./server.ts";

const ENROL_TYPE = "application/vnd.jarvis.enrol";
const SESSION_TYPE = "application/vnd.jarvis.session";

/** Script that makes it a day ago that a device was heard. */
const SILENT = `
import sqlite3, sys
database, device = sys.argv[1:]
database = sqlite3.connect(database, timeout=10)
database.execute("UPDATE field_devices SET last_seen_ms = last_seen_ms - 86400000 WHERE id = ?", (device,))
database.commit()
`;

const LIMITS = {
  memory: "controller",
  cpu: true,
  tasks: true,
  workspace: true,
  no_network: true,
  listed_network: true,
  raw: true,
};
const CAPABILITIES = { sandboxes: { systemd: LIMITS } };

/** A job under the device's claim. */
export interface ClaimedJob {
  job: string;
  epoch: number;
  claim: string;
  /** Bytes of output that were sent. */
  sent: number;
}

/** How a job ended, in the words of the protocol. */
export type JobEnd = { exit: number } | "cancelled";

export class FakeDevice {
  private readonly key: KeyObject;
  private readonly publicKey: string;
  /** The groups of its fingerprint that people compare. */
  readonly shown: string;
  private id = "";
  /** The name of the server, which sessions are signed for. */
  private name = "";
  private session = "";

  constructor(private readonly server: string) {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const bytes = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
    this.key = privateKey;
    this.publicKey = bytes.toString("hex");
    const fingerprint = createHash("sha256").update(bytes).digest("hex");
    this.shown = fingerprint.slice(0, 16).match(/.{4}/g)?.join(" ") ?? "";
  }

  /** Enrols with a token, and returns the identifier that the server gives. */
  async enrol(token: string): Promise<string> {
    const secret = token.split(".")[1];
    const proof = this.signed(ENROL_TYPE, `${secret}.${this.publicKey}`);
    const body = { token: secret, key: this.publicKey, proof, facts: {}, capabilities: CAPABILITIES };
    const enrolled = await this.send<{ device: string; server: string }>("POST", "enrol", body);
    this.id = enrolled.device;
    this.name = enrolled.server;
    return this.id;
  }

  /** Makes it a day ago that the server heard of it. */
  fallsSilent(jarvis: Jarvis): void {
    execFileSync("python3", ["-c", SILENT, join(jarvis.dataDir, "jarvis.db"), this.id]);
  }

  /** Begins a life: opens a session and says hello. It knows nothing of the fate of the last life's jobs. */
  async lives(unknown: ClaimedJob[] = []): Promise<void> {
    const { nonce } = await this.send<{ nonce: string }>("POST", "session", { device: this.id });
    const instance = randomBytes(8).toString("hex");
    const signature = this.signed(SESSION_TYPE, `${this.id}.${nonce}.${instance}.${this.name}`);
    const answer = { device: this.id, nonce, instance, signature };
    this.session = (await this.send<{ token: string }>("PUT", "session", answer)).token;
    const journal = unknown.map(({ job, epoch, claim }) => ({ job, epoch, claim, report: { unknown: "rebooted" } }));
    await this.send("POST", "hello", { instance, facts: {}, capabilities: CAPABILITIES, root_version: 1, journal });
  }

  /** Asks for work once; none if there is none. */
  async claims(): Promise<ClaimedJob | undefined> {
    const claim = randomBytes(32).toString("hex");
    const body = { request: randomBytes(16).toString("hex"), claim, wait_s: 0 };
    const work = await this.send<{ kind: string; job: string; epoch: number } | undefined>("POST", "claim", body);
    if (!work) return undefined;
    expect(work.kind).toBe("job");
    return { job: work.job, epoch: work.epoch, claim, sent: 0 };
  }

  /** Takes the job that waits, and starts it. */
  async starts(): Promise<ClaimedJob> {
    const job = await this.claims();
    if (!job) throw new Error("no job waits for the device");
    const nonce = randomBytes(16).toString("hex");
    const go = await this.send<object>("POST", `jobs/${job.job}/start`, { ...own(job), nonce });
    expect(go).toMatchObject({ answer: "go", nonce });
    return job;
  }

  /** Sends more of the output of a job. */
  async writes(job: ClaimedJob, text: string): Promise<void> {
    const path = `jobs/${job.job}/log/out?offset=${job.sent}&epoch=${job.epoch}`;
    const { offset } = await this.send<{ offset: number }>("PUT", path, text, job.claim);
    job.sent += Buffer.byteLength(text);
    expect(offset).toBe(job.sent);
  }

  /** Renews the lease of a job. Returns whether the job has to end. */
  async isCancelled(job: ClaimedJob): Promise<boolean> {
    const answer = await this.send<{ cancel: boolean }>("POST", `jobs/${job.job}/renew`, own(job));
    return answer.cancel;
  }

  async ends(job: ClaimedJob, how: JobEnd): Promise<void> {
    const report = { how, wall_ms: 1200, cpu_ms: null, peak_bytes: null, tasks: null, output_bytes: job.sent };
    const body = { ...own(job), report, streams: {}, sandbox: "systemd", simulated: false };
    await this.send("POST", `jobs/${job.job}/end`, body);
  }

  /** A signature over the DSSE bytes of a text. */
  private signed(type: string, text: string): string {
    const bytes = Buffer.from(text);
    const head = `DSSEv1 ${type.length} ${type} ${bytes.length} `;
    return sign(null, Buffer.concat([Buffer.from(head), bytes]), this.key).toString("base64");
  }

  /** Sends a message, or the text of a log, and returns the answer; undefined for one without a body. */
  private async send<Answer>(method: string, path: string, body: object | string, claim?: string): Promise<Answer> {
    const isText = typeof body === "string";
    const headers: Record<string, string> = {
      "content-type": isText ? "application/octet-stream" : "application/json",
      "user-agent": "jarvis-runner/9.9.9",
    };
    if (this.session) headers.authorization = `Device ${this.session}`;
    if (claim) headers["jarvis-claim"] = claim;
    const content = isText ? body : JSON.stringify(body);
    const answer = await fetch(`${this.server}/api/v1/device/${path}`, { method, headers, body: content });
    const text = await answer.text();
    expect(answer.ok, `${path}: ${answer.status} ${text}`).toBe(true);
    return (text ? JSON.parse(text) : undefined) as Answer;
  }
}

/** The members by which each message about a job says whose it is. */
const own = ({ epoch, claim }: ClaimedJob) => ({ epoch, claim });
