// The places of labels: those of lines at their lines, others off the bodies of candles and the lines of levels if
// they can be, and none over another.
import {
  type BoxAttrs,
  type LabelAttrs,
  type LabelStyle,
  type Size,
  labelBox,
  labelSize,
  placed,
  widthOf,
} from "./paint.ts";
import { MARGIN } from "./rules.ts";
import { FONT_SIZE } from "./theme.ts";

/** Gap between two labels on one line, in pixels. */
const GAP = 6;
/** Times that a label is moved along its line, and away from it. */
const TRIES = 3;

/** What is wrong with a place: a body is worse than a level's line and some distance together. */
const FLAWS = { struck: 0.5, moved: 1, ruled: 2, body: 4 };

/** Room under a label below its line, without which the next line seems to be the one that it names, in pixels. */
const ROOM_BELOW = 6;

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
  /** Height of the line of the last price. */
  last: number;
}

interface Candidate {
  attrs: LabelAttrs;
  /** What is wrong with it already. */
  flaws: number;
}

/**
 * Returns a label at a free place near its own, and takes that place: on the other side of its line, further
 * along it, or, if it does not name a line, further from it; on a candle only where there is no other. Where
 * nothing is free, there is none: its name is in the list.
 */
export function settled(
  label: LabelAttrs,
  style: LabelStyle,
  taken: BoxAttrs[],
  pane: Pane,
): LabelAttrs | null {
  const { short, ...whole } = label;
  let best = settle(whole, style, taken, pane);
  // The whole text is worth no other place.
  if (short !== undefined && (best === null || best.flaws >= FLAWS.moved)) {
    best = settle({ ...whole, text: short }, style, taken, pane);
  }
  if (best === null) return null;
  taken.push(labelBox(best.attrs, style));
  return best.attrs;
}

function settle(label: LabelAttrs, style: LabelStyle, taken: readonly BoxAttrs[], pane: Pane): Candidate | null {
  // What is to be seen is seen whole, and a line out of view has no label in it.
  const isInView = label.y >= 0 && label.y <= pane.height;
  const isLine = label.line !== undefined;
  if (isLine && !isInView) return null;
  const size = labelSize(label.text, style);
  let best: Candidate | null = null;
  for (const { attrs, flaws } of candidates(label, size)) {
    // Neither it nor the next ones are better.
    if (best !== null && best.flaws <= flaws) break;
    const box = placed(attrs, size);
    const isBeside = box.x >= 0 && box.x + box.width <= pane.width;
    const isInside = isBeside && (!isInView || (box.y >= 0 && box.y + box.height <= pane.height));
    if (!isInside || taken.some((other) => overlap(box, other))) continue;
    const isRuled = pane.isRuled(isLine ? cleared(box, attrs.above) : box);
    if (isLine && isRuled) continue;
    const isStruck = pane.last > box.y && pane.last < box.y + box.height;
    const body = pane.isOnBody(box) ? FLAWS.body : 0;
    const found = flaws + body + (isRuled ? FLAWS.ruled : 0) + (isStruck ? FLAWS.struck : 0);
    if (best === null || found < best.flaws) best = { attrs, flaws: found };
  }
  return best;
}

/**
 * The room without another line in which a label names its own. Labels are above their lines, so one that is below
 * needs more: the next line would seem to have it.
 */
function cleared({ x, y, width, height }: BoxAttrs, above: boolean): BoxAttrs {
  const [over, under] = above ? [MARGIN - 1, MARGIN] : [MARGIN, MARGIN + ROOM_BELOW];
  return { x, y: y - over, width, height: height + over + under };
}

function* candidates(label: LabelAttrs, size: Size): Generator<Candidate> {
  const { width, height } = size;
  yield { attrs: label, flaws: 0 };
  yield { attrs: { ...label, above: !label.above }, flaws: 0 };
  const moved = (by: Partial<LabelAttrs>) => ({ attrs: { ...label, ...by }, flaws: FLAWS.moved });
  const ways = { left: [1], center: [1, -1], right: [-1] }[label.align];
  for (let n = 1; n <= TRIES; n += 1) {
    for (const way of ways) {
      const x = label.x + way * n * (width + GAP);
      const { line } = label;
      const left = placed({ ...label, x }, size).x;
      if (line !== undefined && (left < line.from || left + width > line.to)) continue;
      yield moved({ x });
      yield moved({ x, above: !label.above });
    }
    if (label.line !== undefined) continue;
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
