// Prices that a test tells, in a file that the server follows.
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class PriceFile {
  /** Beside the server's folder, which is not known before its start. */
  private readonly path: string;

  constructor(name: string) {
    this.path = join(tmpdir(), `jarvis-${name}-${process.pid}.json`);
  }

  /** For `test.use`: a chart page whose server follows the file. A price is unknown after `silent` seconds. */
  options(silent: number, env: Record<string, string> = {}) {
    return {
      startPage: false,
      viewport: { width: 1440, height: 900 },
      timezoneId: "UTC",
      jarvisOptions: {
        env: { JARVIS_MARKETS_PRICE_FILE: this.path, JARVIS_MARKETS_SILENT_SECONDS: String(silent), ...env },
        args: [],
      },
    };
  }

  /** Tells the price of EUR/USD at a time in seconds since 1970. */
  tell(bid: number, ask: number, at: number): void {
    const time = new Date(at * 1_000).toISOString().replace(".000Z", "Z");
    this.write(JSON.stringify({ EURUSD: { bid, ask, at: time } }));
  }

  /** Replaces the file as a whole, as the documentation asks for. */
  write(text: string): void {
    writeFileSync(`${this.path}.new`, text);
    renameSync(`${this.path}.new`, this.path);
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}
