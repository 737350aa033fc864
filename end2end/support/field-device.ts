// A field device that only enrols: a third implementation of that one message.
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { expect } from "@playwright/test";

const ENROL_TYPE = "application/vnd.jarvis.enrol";

export class FakeDevice {
  private readonly key: KeyObject;
  private readonly publicKey: string;
  /** The groups of its fingerprint that people compare. */
  readonly shown: string;

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
    const text = Buffer.from(`${secret}.${this.publicKey}`);
    const head = `DSSEv1 ${ENROL_TYPE.length} ${ENROL_TYPE} ${text.length} `;
    const proof = sign(null, Buffer.concat([Buffer.from(head), text]), this.key).toString("base64");
    const answer = await fetch(`${this.server}/api/v1/device/enrol`, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "jarvis-runner/9.9.9" },
      body: JSON.stringify({ token: secret, key: this.publicKey, proof, facts: {}, capabilities: {} }),
    });
    expect(answer.status, await answer.clone().text()).toBe(200);
    const enrolled = (await answer.json()) as { device: string };
    return enrolled.device;
  }
}
