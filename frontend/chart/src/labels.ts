// The places of labels: off the bodies of candles and the lines of other levels if they can be, and never over
// one another.
import { type BoxAttrs, type LabelAttrs, type LabelStyle, type Size, labelSize, placed, widthOf } from "./paint.ts";
import { FONT_SIZE } from "./theme.ts";

/** Gap between two labels on one line, in pixels. */
const GAP = 6;
/** Times that a label is moved along its line, and away from it. */
const TRIES = 3;

/** What is wrong with a place: a body is worse than a line and some distance together. */
const FLAWS = { moved: 1, ruled: 1, body: 4 };

/** The room that the library leaves around its rows and around their texts, in pixels. */
const ROW = { left: 4, right: 4, top: 6, height: 20, apart: 12 };
/** Space after the longest row: its values change with the candle under the pointer. */
const SLACK = 8;

/** The part of the pane where the library writes these rows. It breaks a row that is too long. */
export function legend(rows: readonly (readonly string[])[], width: number, family: string): BoxAttrs {
  let [y, longest] = [ROW.top, 0];
  for (const texts of rows) {
    let x = ROW.left;
    for (const text of texts) {
      const next = x + widthOf(text, `${FONT_SIZE}px ${family}`, FONT_SIZE) + ROW.apart;
      const breaks = x > ROW.left && next > width - ROW.right;
      if (breaks) y += ROW.height;
      x = breaks ? ROW.left + next - x : next;
      longest = Math.max(longest, x);
    }
    y += ROW.height;
  }
  return { x: 0, y: 0, width: Math.min(width, longest + SLACK), height: y };
}

/** What a label has to fit into. */
interface Pane extends Size {
  isOnBody(box: BoxAttrs): boolean;
  /** Returns whether a level's line crosses it. */
  isRuled(box: BoxAttrs): boolean;
}

interface Candidate {
  attrs: LabelAttrs;
  /** What is wrong with it already. */
  flaws: number;
}

/**
 * Returns a label at a free place near its own, and takes that place: on the other side of its
 * line, further along it, or further from it; on another level's line if both sides have one, and on
 * a candle only where there is no other. Where nothing is free, there is none: its name is in the
 * list.
 */
export function settled(
  label: LabelAttrs,
  style: LabelStyle,
  taken: BoxAttrs[],
  pane: Pane,
): LabelAttrs | null {
  // What is to be seen is seen whole.
  const isInView = label.y >= 0 && label.y <= pane.height;
  const size = labelSize(label.text, style);
  let best: LabelAttrs | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const { attrs, flaws } of candidates(label, size)) {
    // Neither it nor the next ones are better.
    if (least <= flaws) break;
    const box = placed(attrs, size);
    const isBeside = box.x >= 0 && box.x + box.width <= pane.width;
    const isInside = isBeside && (!isInView || (box.y >= 0 && box.y + box.height <= pane.height));
    if (!isInside || taken.some((other) => overlap(box, other))) continue;
    const body = pane.isOnBody(box) ? FLAWS.body : 0;
    const found = flaws + body + (pane.isRuled(box) ? FLAWS.ruled : 0);
    if (found < least) [best, least] = [attrs, found];
  }
  if (best !== null) taken.push(placed(best, size));
  return best;
}

function* candidates(label: LabelAttrs, { width, height }: Size): Generator<Candidate> {
  yield { attrs: label, flaws: 0 };
  yield { attrs: { ...label, above: !label.above }, flaws: 0 };
  const moved = (by: Partial<LabelAttrs>) => ({ attrs: { ...label, ...by }, flaws: FLAWS.moved });
  const ways = { left: [1], center: [1, -1], right: [-1] }[label.align];
  for (let n = 1; n <= TRIES; n += 1) {
    for (const way of ways) {
      const x = label.x + way * n * (width + GAP);
      yield moved({ x });
      yield moved({ x, above: !label.above });
    }
    yield moved({ y: label.y - n * height, above: true });
    yield moved({ y: label.y + n * height, above: false });
  }
}

function overlap(one: BoxAttrs, other: BoxAttrs): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}
