// The drawings on a chart. The record is authoritative; the library has a projection of it, and an
// edit by hand changes a shape of ours, which becomes times and prices at once.
import type {
  Chart,
  Coordinate,
  Overlay,
  OverlayCreate,
  OverlayEvent,
} from "klinecharts";
import { registerOverlay } from "klinecharts";
import type { Span } from "./bodies.ts";
import { type Canvas, FILL, type Look, POSITION_BARS, figures } from "./figures.ts";
import { Layer } from "./layer.ts";
import type { Colour, Drawing, Emit, Shape } from "./model.ts";
import { type BoxAttrs, type Figure, type Parts, inOne, register, topmost } from "./paint.ts";
import { BadInput } from "./read.ts";
import { ruled } from "./rules.ts";
import { type Range, extended, reachOf } from "./scale.ts";
import { BODY, type Grid, type Place, TOOLS, drawn, grips, moved } from "./shape.ts";
import type { Level } from "./tags.ts";
import { seconds } from "./time.ts";
import { Underlay } from "./underlay.ts";

/** The view of the drawings, as they need it. */
export interface Stage extends Grid {
  chart: Chart;
  timeframe: string;
  canvas(): Canvas;
  /** The bar and the price at a place of the pane. */
  place(at: { x?: number | undefined; y?: number | undefined }): Place;
  /** The bars in view, also those without a candle. */
  inView(): Span;
  /** Computes the scale again. */
  rescale(): void;
  /** Seconds from bar to bar. */
  step: number;
  /** The places of texts that are not of drawings. */
  texts(on: Canvas): BoxAttrs[];
}

interface Shown {
  drawing: Drawing;
  /** The shape of the record, or the shape edited by hand. */
  shape: Shape;
  figures: Figure[];
  /** The places of its labels, which those of lesser drawings keep clear of. */
  labels: BoxAttrs[];
}

interface Drag {
  id: string;
  grip: string;
  from: Place;
  shape: Shape;
  /** The library's own object, to release it from a drag. */
  overlay: Overlay;
  /** A record that arrived meanwhile. */
  waiting: Drawing | null;
}

/** A drawing in progress: the places that were clicked, and the position of the pointer. */
interface Sketch {
  tool: string;
  places: Place[];
  pointer: Place | null;
}

const PANE = { paneId: "candle_pane" };

/** Without points the library would wait for clicks. The figures have the real positions. */
const POINTS = [{ dataIndex: 0, value: 0 }];
const SKETCH_ID = "sketch:";
/** The look of a drawing in progress. */
const SKETCH: Look = {
  colour: "cyan",
  line: "dashed",
  width: 0,
  label: "",
  importance: "medium",
  byModel: false,
  closed: null,
};

/** The labels of more important drawings get their places first, then those of older ones. */
const RANKS = { high: 0, medium: 1, low: 2 };

/** The overlays find their drawings here: the library clones and merges its inputs. */
const owners = new WeakMap<Chart, Drawings>();

export class Drawings {
  private readonly shown = new Map<string, Shown>();
  private drag: Drag | null = null;
  private sketch: Sketch | null = null;
  private revision = 0;
  /** True while the figures are those of the frame that is painted. */
  private isLaidOut = false;
  selected: string | null = null;
  private readonly underlay: Underlay;
  /** The figures of the drawing in progress. */
  private sketched: Figure[] = [];

  constructor(
    private readonly stage: Stage,
    private readonly emit: Emit,
  ) {
    owners.set(stage.chart, this);
    this.underlay = new Underlay(stage.chart);
    // Also a frame without drawings: the last one may have left its fill.
    new Layer(stage.chart, "fills", () => {
      this.layOut();
      return [];
    }).show();
  }

  put(drawing: Drawing): "created" | "updated" {
    const old = this.shown.get(drawing.id);
    if (old && this.drag?.id === drawing.id) {
      this.drag.waiting = drawing;
      return "updated";
    }
    // Until the next frame the old figures are the ones to be seen, and hit.
    const { figures = [], labels = [] } = old ?? {};
    this.shown.set(drawing.id, { drawing, shape: drawing.shape, figures, labels });
    if (drawing.byModel || old?.drawing.byModel) this.stage.rescale();
    // An id that exists would be left unchanged: it has to be overridden.
    if (old) {
      this.refresh(drawing.id);
      return "updated";
    }
    this.create(drawing);
    return "created";
  }

  remove(id: string): void {
    if (this.drag?.id === id) this.cancelDrag();
    const it = this.shown.get(id);
    if (!it) return;
    this.shown.delete(id);
    this.stage.chart.removeOverlay({ id });
    if (it.drawing.byModel) this.stage.rescale();
    if (this.selected === id) this.select(null);
  }

  /** Removes all for another symbol: the library would keep them. */
  clear(): void {
    this.cancelDrag();
    this.cancelSketch();
    for (const id of [...this.shown.keys()]) this.remove(id);
  }

  /** Redraws all after a change of something that they depend on. */
  refreshAll(): void {
    for (const id of this.shown.keys()) this.refresh(id);
  }

  select(id: string | null): void {
    const next = id !== null && this.shown.has(id) ? id : null;
    const last = this.selected;
    if (next === last) return;
    this.selected = next;
    for (const one of [last, next]) if (one !== null) this.refresh(one);
    this.emit({ type: "selected", id: next });
  }

  /** The topmost drawing at a place of the pane; null if there is none. */
  at(place: Coordinate): string | null {
    const ids = [...this.shown].filter(([, it]) => this.isVisible(it.drawing)).reverse();
    const hit = ids.find(([, it]) => topmost(it.figures, place) !== undefined);
    return hit?.[0] ?? null;
  }

  // Drawing by hand.

  start(tool: string): void {
    if (TOOLS[tool] === undefined) throw new BadInput(`nothing is drawn with ${tool}`);
    this.endSketch();
    this.sketch = { tool, places: [], pointer: null };
    const options = { name: "sketch", id: SKETCH_ID, points: POINTS, ...PANE };
    this.stage.chart.createOverlay(options);
  }

  get sketching(): string | null {
    return this.sketch?.tool ?? null;
  }

  /** Handles a movement of the pointer. */
  sketchTo(place: Coordinate): void {
    if (this.sketch === null) return;
    this.sketch.pointer = this.stage.place(place);
    this.revision += 1;
    this.stage.chart.overrideOverlay({ id: SKETCH_ID, extendData: this.revision });
  }

  /** Handles a click. The library's own clicks are unsuitable: a quick second one is lost. */
  sketchAt(place: Coordinate): void {
    const { sketch } = this;
    if (sketch === null) return;
    sketch.places.push(this.stage.place(place));
    if (sketch.places.length < (TOOLS[sketch.tool] ?? 1)) {
      this.sketchTo(place);
      return;
    }
    const shape = drawn(sketch.tool, sketch.places, this.stage);
    if (shape === null) {
      this.cancelSketch();
      return;
    }
    this.endSketch();
    this.emit({ type: "drawn", shape });
  }

  /** Cancels the drawing in progress; returns whether there was one. */
  cancelSketch(): boolean {
    if (this.sketch === null) return false;
    this.endSketch();
    this.emit({ type: "cancelled" });
    return true;
  }

  /** Ends it, and tells nobody. */
  endSketch(): void {
    if (this.sketch === null) return;
    this.sketch = null;
    this.stage.chart.removeOverlay({ id: SKETCH_ID });
  }

  // Dragging.

  press({ overlay, x = 0, y = 0 }: OverlayEvent<unknown>): void {
    const it = this.shown.get(overlay.id);
    if (!it || it.drawing.locked) return;
    this.drag = {
      id: overlay.id,
      grip: topmost(it.figures, { x, y })?.key ?? BODY,
      from: this.stage.place({ x, y }),
      shape: it.shape,
      overlay,
      waiting: null,
    };
  }

  dragTo({ overlay, x, y }: OverlayEvent<unknown>): void {
    const { drag } = this;
    const it = this.shown.get(overlay.id);
    if (!drag || !it || drag.id !== overlay.id) return;
    const to = this.stage.place({ x, y });
    const by = { index: to.index - drag.from.index, price: to.price - drag.from.price };
    it.shape = moved(drag.shape, drag.grip, by, this.stage);
    this.refresh(drag.id);
  }

  /** Ends a drag or a click: only a change of the record is reported. */
  drop(): void {
    const { drag } = this;
    this.drag = null;
    const it = drag && this.shown.get(drag.id);
    if (!drag || !it) return;
    if (JSON.stringify(it.shape) !== JSON.stringify(drag.shape)) {
      this.emit({ type: "dragged", id: drag.id, shape: it.shape });
    } else if (drag.waiting) {
      this.put(drag.waiting);
    }
  }

  /** Ends a drag that was released where the library does not see it and would continue. */
  dropOutside(): void {
    const { drag } = this;
    if (!drag) return;
    this.release(drag);
    this.drop();
  }

  /** Restores the place before a drag; returns whether there was one. */
  cancelDrag(): boolean {
    const { drag } = this;
    if (!drag) return false;
    this.drag = null;
    const it = this.shown.get(drag.id);
    if (it) {
      it.shape = drag.shape;
      this.release(drag);
      if (drag.waiting) this.put(drag.waiting);
    }
    return true;
  }

  /** The library keeps the pressed object until it sees the button released. */
  private release({ id, overlay }: Drag): void {
    overlay.lock = true;
    this.stage.chart.removeOverlay({ id });
    const it = this.shown.get(id);
    if (it) this.create(it.drawing);
  }

  /** Older candles were added: a drawing or drag in progress keeps its bars. */
  shift(by: number): void {
    const places = [...(this.sketch?.places ?? []), this.sketch?.pointer, this.drag?.from];
    for (const place of places) if (place) place.index += by;
  }

  // The library's side.

  private create(drawing: Drawing): void {
    const options: OverlayCreate = { name: "drawing", id: drawing.id, ...PANE };
    this.stage.chart.createOverlay({ ...options, ...this.projected(drawing) });
  }

  private refresh(id: string): void {
    const it = this.shown.get(id);
    if (it) this.stage.chart.overrideOverlay({ id, ...this.projected(it.drawing) });
  }

  private projected(drawing: Drawing): Pick<OverlayCreate, "points"> & Partial<OverlayCreate> {
    this.revision += 1;
    return {
      points: POINTS,
      lock: drawing.locked,
      visible: this.isVisible(drawing),
      // A changed value is repainted.
      extendData: this.revision,
    };
  }

  private isVisible({ hidden, visibleOn }: Drawing): boolean {
    return !hidden && (visibleOn.length === 0 || visibleOn.includes(this.stage.timeframe));
  }

  figuresOf(id: string): Parts[] {
    this.layOut();
    return inOne(above(this.shown.get(id)?.figures ?? []));
  }

  /** Makes the figures of all drawings, once for each frame: their labels share the room. */
  private layOut(): void {
    if (this.isLaidOut) return;
    this.isLaidOut = true;
    // A frame is painted in one go.
    queueMicrotask(() => {
      this.isLaidOut = false;
    });
    const all = [...this.shown.entries()];
    const levels = all.filter(([, it]) => this.isVisible(it.drawing) && isLevel(it));
    const reaches = levels.map(([, { shape, drawing }]) => {
      const reach = reachOf(shape, drawing.closed);
      // Levels of a fibonacci lead to their names at the right edge.
      return shape.kind === "fibonacci" ? { ...reach, to: null } : reach;
    });
    const pane = this.stage.canvas();
    const canvas: Canvas = { ...pane, isRuled: ruled(reaches, pane) };
    const taken = this.stage.texts(canvas);
    all.sort(([, one], [, other]) => RANKS[one.drawing.importance] - RANKS[other.drawing.importance]);
    for (const [id, it] of all) {
      const before = taken.length;
      const isVisible = this.isVisible(it.drawing);
      it.figures = isVisible ? figures(it.shape, it.drawing, this.selected === id, canvas, taken) : [];
      it.labels = taken.slice(before);
    }
    this.sketched = this.sketchFigures(canvas);
    const everything = [...all.flatMap(([, it]) => it.figures), ...this.sketched];
    this.underlay.paint(everything.filter(({ key }) => key === FILL), canvas);
  }

  /**
   * Extends a range of prices by those of the assistant's drawings at the bars in view. People see
   * where they draw; and the records count, so that nothing moves under a drag.
   */
  taken(range: Range): Range {
    const { timeline } = this.stage;
    const view = this.stage.inView();
    const [positions, others]: [number[], number[]] = [[], []];
    for (const { drawing } of this.shown.values()) {
      if (!drawing.byModel || !this.isVisible(drawing)) continue;
      const { shape, closed } = drawing;
      const { from, to, prices } = reachOf(shape, closed);
      const start = from === null ? Number.NEGATIVE_INFINITY : timeline.index(seconds(from));
      if (start > view.to || (to !== null && timeline.index(seconds(to)) < view.from)) continue;
      const isNow = shape.kind === "position" && closed === null && start + POSITION_BARS >= view.from;
      (isNow ? positions : others).push(...prices);
    }
    return extended(range, positions, others);
  }

  /** The prices that are named on the scale: of lines to the right edge that are in view. */
  levels(): Level[] {
    const { theme, width, x } = this.stage.canvas();
    return [...this.shown.values()].flatMap(({ shape, drawing }): Level[] => {
      const { colour, importance, closed } = drawing;
      const level = (price: number, name: Colour, rank: number) => ({ price, colour: theme.palette[name], rank });
      if (!this.isVisible(drawing)) return [];
      const ray = shape.kind === "horizontal_ray" || shape.kind === "position";
      if (ray && x(shape.start) >= width) return [];
      switch (shape.kind) {
        case "horizontal_line":
        case "horizontal_ray":
          return [level(shape.price, colour, 1 + RANKS[importance])];
        case "position":
          if (closed !== null) return [];
          return [level(shape.target, "green", 0), level(shape.stop, "red", 0), level(shape.entry, colour, 0)];
        default:
          return [];
      }
    });
  }

  figuresOfSketch(): Parts[] {
    this.layOut();
    return inOne(above(this.sketched));
  }

  private sketchFigures(on: Canvas): Figure[] {
    const { sketch } = this;
    if (sketch === null) return [];
    const next = sketch.pointer ?? sketch.places.at(-1);
    if (next === undefined) return [];
    const all = [...sketch.places];
    while (all.length < (TOOLS[sketch.tool] ?? 1)) all.push(next);
    const shape = drawn(sketch.tool, all, this.stage);
    return shape === null ? [] : figures(shape, SKETCH, true, on, []);
  }

  /** The state for tests and for programs that inspect the chart. */
  state(): unknown[] {
    const canvas = this.stage.canvas();
    return [...this.shown.values()].map(({ drawing, shape, labels }) => ({
      id: drawing.id,
      kind: shape.kind,
      shown: this.isVisible(drawing),
      locked: drawing.locked,
      selected: this.selected === drawing.id,
      shape,
      labels,
      places: anchors(shape).map(({ name, time, price }) => ({
        name,
        time,
        price,
        x: time === null ? null : canvas.x(time),
        y: canvas.y(price),
      })),
    }));
  }
}

/** Returns those that are painted on the candles. */
function above(all: readonly Figure[]): Figure[] {
  return all.filter(({ key }) => key !== FILL);
}

/** Returns whether it has lines at prices. */
function isLevel({ shape }: Shown): boolean {
  return ["horizontal_line", "horizontal_ray", "fibonacci", "position"].includes(shape.kind);
}

function anchors(shape: Shape): { name: string; time: string | null; price: number }[] {
  switch (shape.kind) {
    case "horizontal_line":
      return [{ name: "price", time: null, price: shape.price }];
    case "marker":
      return [{ name: "at", ...shape.at }];
    default:
      return grips(shape);
  }
}

let registered = false;

/** Registers once for all charts: the library knows overlays and figures by name. */
export function registerDrawings(): void {
  if (registered) return;
  registered = true;
  register();
  const of = ({ chart }: { chart: Chart }) => owners.get(chart);
  registerOverlay({
    name: "drawing",
    totalStep: 1,
    createPointFigures: ({ chart, overlay }) => of({ chart })?.figuresOf(overlay.id) ?? [],
    // Otherwise the library deletes a clicked drawing. The menu comes with the page's own event.
    onRightClick: (event) => event.preventDefault?.(),
    onPressedMoveStart: (event) => of(event)?.press(event),
    onPressedMoving: (event) => of(event)?.dragTo(event),
    onPressedMoveEnd: (event) => of(event)?.drop(),
  });
  registerOverlay({
    name: "sketch",
    totalStep: 1,
    createPointFigures: (event) => of(event)?.figuresOfSketch() ?? [],
    onRightClick: (event) => event.preventDefault?.(),
  });
}
