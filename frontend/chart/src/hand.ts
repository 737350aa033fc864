// Tools that change no record: while one is taken, the pointer on the candles is its own.
import type { Coordinate } from "klinecharts";

export interface Hand {
  readonly isTaken: boolean;
  take(): void;
  press(at: Coordinate): void;
  move(at: Coordinate): void;
  /** Ends the press; returns whether the tool is done. */
  lift(at: Coordinate): boolean;
  /** Puts it down, and removes what it left; returns whether there was anything. */
  cancel(): boolean;
}
