// Figures on the candles that are no drawings: they are painted at each frame, and never hit.
import { type Chart, type OverlayFigure, registerOverlay } from "klinecharts";
import { type Figure, inOne } from "./paint.ts";

const PANE = { paneId: "candle_pane" };

/** Without points the library would wait for clicks. */
const POINTS = [{ dataIndex: 0, value: 0 }];

/** The overlays find their layers here: the library clones and merges its inputs. */
const layers = new WeakMap<Chart, Map<string, Layer>>();

export class Layer {
  private isThere = false;
  private revision = 0;

  constructor(
    private readonly chart: Chart,
    private readonly name: string,
    readonly paint: () => Figure[],
    /** Paints on the scale of prices. */
    readonly paintScale: () => Figure[] = () => [],
  ) {
    register();
    const all = layers.get(chart) ?? new Map<string, Layer>();
    layers.set(chart, all.set(this.id, this));
  }

  private get id(): string {
    return `layer:${this.name}`;
  }

  /** Shows it, or paints it again. */
  show(): void {
    this.revision += 1;
    const options = { id: this.id, extendData: this.revision };
    if (this.isThere) this.chart.overrideOverlay(options);
    else this.chart.createOverlay({ ...options, name: "layer", points: POINTS, lock: true, ...PANE });
    this.isThere = true;
  }

  /** Returns whether it was shown. */
  hide(): boolean {
    if (!this.isThere) return false;
    this.isThere = false;
    this.chart.removeOverlay({ id: this.id });
    return true;
  }
}

let registered = false;

function register(): void {
  if (registered) return;
  registered = true;
  const of = ({ chart, overlay }: { chart: Chart; overlay: { id: string } }) => layers.get(chart)?.get(overlay.id);
  const inert = (figures: Figure[]) => inOne(figures).map((figure): OverlayFigure => ({ ...figure, ignoreEvent: true }));
  registerOverlay({
    name: "layer",
    totalStep: 1,
    createPointFigures: (event) => inert(of(event)?.paint() ?? []),
    createYAxisFigures: (event) => inert(of(event)?.paintScale() ?? []),
    onRightClick: (event) => event.preventDefault?.(),
  });
}
