// A bad network between browser and server: the test decides the fate of each websocket frame.
import { once } from "node:events";
import { createServer, connect, type AddressInfo, type Server, type Socket } from "node:net";
import type { Jarvis } from "./server.ts";

/** A text frame in transit. */
export interface Passing {
  from: "page" | "server";
  text: string;
  /** Number of the text frame in this direction on this connection, from 1. */
  number: number;
  /** Number of the websocket, from 1. */
  socket: number;
}

/**
 * Fate of a frame: it passes, is duplicated, is lost; the connection breaks before it or in its
 * middle; it is delayed until after a later one; it and all behind it wait for something; its
 * content is replaced.
 */
export type Fate =
  | "pass"
  | "twice"
  | "lose"
  | "cut"
  | "tear"
  | { after: (later: Passing) => boolean }
  | { until: Promise<unknown> }
  | { say: string };

const PASS = (): Fate => "pass";

/**
 * Carries everything between a browser and a server. It has no clock and no randomness of its own.
 */
export class Proxy {
  /** Address that replaces the server's. */
  url = "";
  /** Number of websockets so far. */
  sockets = 0;
  /** Number of websockets that the proxy broke. */
  cuts = 0;
  /** Decides the fate of each text frame of a websocket. */
  judge: (frame: Passing) => Fate = PASS;
  /** True while new connections are refused. */
  away = false;

  private readonly wires = new Set<Wire>();
  private readonly server: Server;

  private constructor(private readonly target: URL) {
    this.server = createServer((page) => {
      if (this.away) {
        page.on("error", () => undefined).resetAndDestroy();
        return;
      }
      const wire = new Wire(this, page, connect(Number(this.target.port), this.target.hostname));
      this.wires.add(wire);
      page.once("close", () => this.wires.delete(wire));
    });
  }

  static async start(jarvis: Jarvis): Promise<Proxy> {
    const proxy = new Proxy(new URL(jarvis.url));
    proxy.server.listen(0, "127.0.0.1");
    await once(proxy.server, "listening");
    proxy.url = `http://127.0.0.1:${(proxy.server.address() as AddressInfo).port}`;
    return proxy;
  }

  /** An address of the server, through the proxy. */
  through(address: string): string {
    const url = new URL(address);
    return `${this.url}${url.pathname}${url.search}`;
  }

  /** Lets every frame pass again. */
  calm(): void {
    this.judge = PASS;
  }

  /** Resets all websockets at once. */
  cut(): void {
    for (const wire of this.wires) if (wire.number) wire.cut();
  }

  /** Takes the network down until `back`: all connections break, and new ones fail. */
  leave(): void {
    this.away = true;
    for (const wire of this.wires) wire.cut();
  }

  back(): void {
    this.away = false;
  }

  async close(): Promise<void> {
    this.leave();
    this.server.close();
    await once(this.server, "close");
  }
}

/** A connection of the browser, with the matching connection to the server. */
class Wire {
  /** Number of the websocket; 0 for other connections. */
  number = 0;
  private isCut = false;

  constructor(
    private readonly proxy: Proxy,
    private readonly page: Socket,
    private readonly server: Socket,
  ) {
    for (const socket of [page, server]) {
      socket.setNoDelay(true);
      // An error on one side breaks both.
      socket.on("error", () => this.cut());
    }
    const toServer = new Direction("page", proxy, this, page, server);
    new Direction("server", proxy, this, server, page, toServer);
  }

  upgraded(): void {
    this.number = ++this.proxy.sockets;
  }

  cut(): void {
    if (this.isCut) return;
    this.isCut = true;
    if (this.number) this.proxy.cuts++;
    this.page.resetAndDestroy();
    this.server.resetAndDestroy();
  }
}

/** Bytes from one side to the other, in order. */
class Direction {
  private waiting = Buffer.alloc(0);
  /** Parser state before the websocket's frames. */
  private stage: "head" | "plain" | "frames" = "head";
  private number = 0;
  private late: { bytes: Buffer; after: (later: Passing) => boolean }[] = [];
  private work = Promise.resolve();

  constructor(
    private readonly from: Passing["from"],
    private readonly proxy: Proxy,
    private readonly wire: Wire,
    source: Socket,
    private readonly sink: Socket,
    /** The other direction, whose head came first. */
    private readonly asked?: Direction,
  ) {
    const queue = (step: () => void | Promise<void>): void => {
      this.work = this.work.then(step);
    };
    source.on("data", (bytes) => queue(() => this.take(bytes)));
    source.on("end", () => queue(() => void sink.end()));
    source.on("close", () => queue(() => void sink.end()));
  }

  private write(bytes: Buffer): void {
    if (this.sink.writable) this.sink.write(bytes);
  }

  private async take(bytes: Buffer): Promise<void> {
    if (this.stage === "plain") return this.write(bytes);
    this.waiting = Buffer.concat([this.waiting, bytes]);
    if (this.stage === "head") this.head();
    while (this.stage === "frames") {
      const frame = read(this.waiting);
      if (!frame) return;
      this.waiting = this.waiting.subarray(frame.bytes.length);
      await this.pass(frame);
    }
  }

  private head(): void {
    const end = this.waiting.indexOf("\r\n\r\n");
    if (end < 0) return;
    const head = this.waiting.subarray(0, end + 4);
    const upgrades = this.asked
      ? this.asked.stage === "frames" && head.toString("latin1").startsWith("HTTP/1.1 101 ")
      : /\r\nupgrade: *websocket\r\n/i.test(head.toString("latin1"));
    this.stage = upgrades ? "frames" : "plain";
    if (upgrades && this.asked) this.wire.upgraded();
    this.write(upgrades ? head : this.waiting);
    this.waiting = upgrades ? this.waiting.subarray(end + 4) : Buffer.alloc(0);
  }

  private async pass(frame: Frame): Promise<void> {
    if (frame.text === undefined) return this.write(frame.bytes);
    const passing = { from: this.from, text: frame.text, number: ++this.number, socket: this.wire.number };
    const fate = this.proxy.judge(passing);
    await this.become(frame, fate);
    const due = this.late.filter(({ after }) => after(passing));
    this.late = this.late.filter((late) => !due.includes(late));
    for (const { bytes } of due) this.write(bytes);
  }

  private async become(frame: Frame, fate: Fate): Promise<void> {
    if (typeof fate === "object") {
      if ("after" in fate) {
        this.late.push({ bytes: frame.bytes, after: fate.after });
        return;
      }
      if ("until" in fate) await fate.until;
      return this.write("say" in fate ? plain(fate.say) : frame.bytes);
    }
    switch (fate) {
      case "twice":
        this.write(frame.bytes);
      // falls through
      case "pass":
        return this.write(frame.bytes);
      case "lose":
        return;
      case "tear": {
        const half = frame.bytes.subarray(0, frame.bytes.length >> 1);
        // Once it has been sent: a reset discards unsent bytes.
        if (this.sink.writable) await new Promise((sent) => this.sink.write(half, sent));
        return this.wire.cut();
      }
      case "cut":
        return this.wire.cut();
    }
  }
}

interface Frame {
  /** The frame as received, with its head and mask. */
  bytes: Buffer;
  /** The content, if it is a text frame. */
  text?: string;
}

/** The first frame of the bytes, if it is complete. */
function read(bytes: Buffer): Frame | undefined {
  if (bytes.length < 2) return undefined;
  const short = bytes.readUInt8(1) & 0x7f;
  const masked = (bytes.readUInt8(1) & 0x80) !== 0;
  const wide = short === 126 ? 2 : short === 127 ? 8 : 0;
  const start = 2 + wide + (masked ? 4 : 0);
  if (bytes.length < start) return undefined;
  const length = wide === 2 ? bytes.readUInt16BE(2) : wide === 8 ? Number(bytes.readBigUInt64BE(2)) : short;
  if (bytes.length < start + length) return undefined;
  const frame: Frame = { bytes: bytes.subarray(0, start + length) };
  // Neither side splits its messages.
  if ((bytes.readUInt8(0) & 0x8f) === 0x81) {
    const said = Buffer.from(bytes.subarray(start, start + length));
    if (masked) for (let n = 0; n < length; n++) said[n] = said.readUInt8(n) ^ bytes.readUInt8(start - 4 + (n % 4));
    frame.text = said.toString("utf8");
  }
  return frame;
}

/** An unmasked text frame, as the server sends it. */
function plain(text: string): Buffer {
  const said = Buffer.from(text);
  if (said.length < 126) return Buffer.concat([Buffer.from([0x81, said.length]), said]);
  const head = Buffer.alloc(4);
  head.writeUInt16BE(0x817e, 0);
  head.writeUInt16BE(said.length, 2);
  return Buffer.concat([head, said]);
}

/** A pseudo-random generator with the same sequence in every run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
