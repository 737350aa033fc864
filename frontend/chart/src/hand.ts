// Tools that change no record: while one is taken, the pointer on the candles is its own.
import type { Coordinate } from "klinecharts";
import type { ChartEvent } from "./model.ts";

export interface Hand {
  readonly isTaken: boolean;
  take(): void;
  press(at: Coordinate): void;
  move(at: Coordinate): void;
  /** Ends the press; returns the event of a tool that is done. */
  lift(at: Coordinate): ChartEvent | null;
  /** Puts it down, and removes what it left; returns whether there was anything. */
  cancel(): boolean;
}
