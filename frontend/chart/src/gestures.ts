// Gestures and keys that the library lacks: menu, deselection, keys, two fingers.
import type { Chart, Coordinate } from "klinecharts";
import type { Drawings } from "./drawings.ts";
import type { Hand } from "./hand.ts";
import type { Emit } from "./model.ts";
import { aimWith } from "./paint.ts";

/** Duration of a press that opens the menu, in milliseconds. */
const LONG = 500;
/** Movement that still counts as standing still, in pixels. */
const STILL = 8;
/** Those that move the view while the chart has the focus. */
const KEYS = "ArrowLeft ArrowRight PageUp PageDown Home End Plus -";
/** Bars per press of an arrow key. */
const STEP = 5;

export class Gestures {
  private readonly listening = new AbortController();
  /** The library's element: it takes the focus. */
  private readonly box: HTMLElement | null;
  private down: Coordinate | null = null;
  private long: number | null = null;
  /** A press opens the menu once: a long one may arrive as an event of the system too. */
  private asked = false;
  private held = false;
  /** Runs when the press has ended: a page closes anything opened while it was held. */
  private wanted: (() => void) | null = null;

  constructor(
    private readonly element: HTMLElement,
    private readonly chart: Chart,
    private readonly drawings: Drawings,
    private readonly hands: readonly Hand[],
    private readonly emit: Emit,
  ) {
    this.box = chart.getDom();
    if (this.box) {
      // The library puts itself before everything else in the focus order.
      this.box.tabIndex = 0;
      this.box.setAttribute("role", "application");
      this.box.setAttribute("aria-keyshortcuts", KEYS);
      this.box.style.outline = "";
    }
    const capture = { capture: true, signal: this.listening.signal };
    const signal = { signal: this.listening.signal };
    element.addEventListener("pointerdown", this.pressed, capture);
    element.addEventListener("pointermove", this.wandered, capture);
    element.addEventListener("contextmenu", this.menued, capture);
    // The library pans and drags with these.
    element.addEventListener("mousedown", this.kept, capture);
    element.addEventListener("touchstart", this.kept, { ...capture, passive: true });
    element.addEventListener("touchstart", this.touched, { ...capture, passive: true });
    element.addEventListener("keydown", this.typed, signal);
    window.addEventListener("keydown", this.escaped, signal);
    window.addEventListener("touchend", this.lifted, { ...signal, passive: true });
    window.addEventListener("pointerup", this.released, capture);
    window.addEventListener("pointercancel", this.lost, capture);
  }

  name(text: string): void {
    this.box?.setAttribute("aria-label", text);
  }

  stop(): void {
    this.listening.abort();
    this.endLong();
  }

  /** Converts a position in the window to a place on the pane with the candles. */
  private place({ clientX, clientY }: { clientX: number; clientY: number }): Coordinate {
    const pane = this.chart.getDom("candle_pane", "main")?.getBoundingClientRect();
    return { x: clientX - (pane?.x ?? 0), y: clientY - (pane?.y ?? 0) };
  }

  private readonly pressed = (event: PointerEvent): void => {
    aimWith(event.pointerType);
    this.endLong();
    this.held = true;
    this.asked = false;
    this.wanted = null;
    const hand = this.hand();
    if (hand === undefined) this.putDown();
    else if (event.isPrimary && event.button === 0 && this.inPane(event)) {
      hand.press(this.place(event));
      return;
    }
    if (!event.isPrimary) {
      this.down = null;
      return;
    }
    this.down = { x: event.clientX, y: event.clientY };
    if (event.pointerType === "touch") {
      this.long = window.setTimeout(() => {
        const id = this.drawings.at(this.place(event));
        if (id !== null) this.menu(id, event);
      }, LONG);
    }
  };

  private readonly wandered = (event: PointerEvent): void => {
    const { down } = this;
    this.hand()?.move(this.place(event));
    if (this.drawings.sketching !== null) this.drawings.sketchTo(this.place(event));
    if (!down || Math.hypot(event.clientX - down.x, event.clientY - down.y) <= STILL) return;
    this.down = null;
    this.endLong();
  };

  private readonly released = (event: PointerEvent): void => {
    this.endLong();
    const still = this.down !== null && event.button === 0;
    this.down = null;
    this.held = false;
    const hand = this.hand();
    if (hand !== undefined) {
      const done = hand.lift(this.place(event));
      if (done !== null) this.emit(done);
      return;
    }
    // After the library has handled it; it does not if the position is outside the chart.
    window.setTimeout(() => {
      if (this.listening.signal.aborted) return;
      this.say();
      this.drawings.dropOutside();
      if (!still || !this.inPane(event)) return;
      const place = this.place(event);
      if (this.drawings.sketching !== null) this.drawings.sketchAt(place);
      else this.drawings.select(this.drawings.at(place));
    });
  };

  private hand(): Hand | undefined {
    return this.hands.find((hand) => hand.isTaken);
  }

  /** Puts every tool down, and removes what they left; returns whether there was anything. */
  putDown(): boolean {
    if (this.hand() !== undefined) this.emit({ type: "cancelled" });
    return this.hands.map((hand) => hand.cancel()).includes(true);
  }

  private readonly kept = (event: Event): void => {
    if (this.hand() !== undefined && this.inPane(event)) event.stopPropagation();
  };

  private inPane(event: Event): boolean {
    const pane = this.chart.getDom("candle_pane", "main");
    return event.target instanceof Node && pane?.contains(event.target) === true;
  }

  private readonly lost = (): void => {
    this.endLong();
    this.down = null;
    this.held = false;
    this.putDown();
    this.drawings.cancelDrag();
    this.say();
  };

  private readonly menued = (event: MouseEvent): void => {
    event.preventDefault();
    // From the keyboard it applies to the selected drawing.
    const by_key = event.button !== 2 && (event as PointerEvent).pointerType === "";
    if (by_key) this.asked = false;
    const id = by_key ? this.drawings.selected : this.drawings.at(this.place(event));
    if (this.drawings.cancelSketch() || this.putDown() || id === null) return;
    this.menu(id, event);
  };

  private menu(id: string, event: { clientX: number; clientY: number }): void {
    if (this.asked) return;
    this.asked = true;
    this.endLong();
    this.down = null;
    this.drawings.cancelDrag();
    const box = this.element.getBoundingClientRect();
    const place = { x: event.clientX - box.x, y: event.clientY - box.y };
    this.drawings.select(id);
    this.wanted = () => this.emit({ type: "menu", id, ...place });
    if (!this.held) this.say();
  }

  private say(): void {
    this.wanted?.();
    this.wanted = null;
  }

  private endLong(): void {
    if (this.long !== null) clearTimeout(this.long);
    this.long = null;
  }

  private readonly touched = (event: TouchEvent): void => {
    // Two fingers zoom, whatever the first one touches.
    if (event.touches.length > 1) {
      this.endLong();
      this.down = null;
      this.drawings.cancelDrag();
    }
  };

  /**
   * A flicked chart keeps gliding, but not for people who prefer reduced motion. The library has no
   * setting for it; the glide has begun when this is called for the finger.
   */
  private readonly lifted = (): void => {
    if (!window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const inside = this.chart as unknown as {
      _chartEvent?: { _flingScrollAnimation?: { cancel(): void } | null };
    };
    inside._chartEvent?._flingScrollAnimation?.cancel();
  };

  private readonly typed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { bar } = this.chart.getBarSpace();
    switch (event.key) {
      case "ArrowLeft":
        this.chart.scrollByDistance(STEP * bar);
        break;
      case "ArrowRight":
        this.chart.scrollByDistance(-STEP * bar);
        break;
      case "PageUp":
        this.chart.scrollByDistance(this.width());
        break;
      case "PageDown":
        this.chart.scrollByDistance(-this.width());
        break;
      case "Home":
        // This bar is at the right edge then.
        this.chart.scrollToDataIndex(Math.floor(this.width() / bar) - 1);
        break;
      case "End":
        this.chart.scrollToRealTime();
        break;
      case "+":
      case "=":
        this.chart.zoomAtCoordinate(1.25);
        break;
      case "-":
        this.chart.zoomAtCoordinate(0.8);
        break;
      case "Escape":
        if (this.drawings.cancelDrag() || this.drawings.cancelSketch() || this.putDown()) break;
        if (this.drawings.selected === null) return;
        this.drawings.select(null);
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  /** A person who took up a tool may have the focus elsewhere. */
  private readonly escaped = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    if (this.drawings.cancelSketch() || this.putDown()) event.preventDefault();
  };

  private width(): number {
    return this.chart.getSize("candle_pane", "main")?.width ?? 0;
  }
}
