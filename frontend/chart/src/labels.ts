// The places of labels: right of their drawing's line if they can be, and never over one another.
import { type BoxAttrs, type LabelAttrs, type LabelStyle, labelBox } from "./paint.ts";

/** Gap between two labels on one line, in pixels. */
const GAP = 6;
/** Times that a label is moved along its line, and away from it. */
const TRIES = 3;

/** The part of the pane where the library writes the prices of a candle. */
export function legend(width: number): BoxAttrs {
  return { x: 0, y: 0, width: Math.min(width, 320), height: 26 };
}

/**
 * Returns a label at a free place near its own, and takes that place: on the other side of its
 * line, further along it, or further from it. Where nothing is free, it stays.
 */
export function settled(
  label: LabelAttrs,
  style: LabelStyle,
  taken: BoxAttrs[],
  size: { width: number; height: number },
): LabelAttrs {
  for (const candidate of candidates(label, style)) {
    const box = labelBox(candidate, style);
    const inside = box.x >= 0 && box.x + box.width <= size.width;
    if (inside && !taken.some((other) => overlap(box, other))) {
      taken.push(box);
      return candidate;
    }
  }
  const box = labelBox(label, style);
  // A label outside the pane takes no place in it.
  if (box.y + box.height > 0 && box.y < size.height) taken.push(box);
  return label;
}

function* candidates(label: LabelAttrs, style: LabelStyle): Generator<LabelAttrs> {
  yield label;
  yield { ...label, above: !label.above };
  const { width, height } = labelBox(label, style);
  const along = label.align === "left" ? 1 : -1;
  for (let n = 1; n <= TRIES; n += 1) {
    const x = label.x + along * n * (width + GAP);
    yield { ...label, x };
    yield { ...label, x, above: !label.above };
  }
  for (let n = 1; n <= TRIES; n += 1) {
    yield { ...label, y: label.y - n * height, above: true };
    yield { ...label, y: label.y + n * height, above: false };
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
