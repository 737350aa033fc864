// The places of the tags on the scale of prices. None covers another: they are moved apart in the order of
// their prices, and the last price's stays where it is. A price out of the scale is named at the edge.

/** A price that is named on the scale. */
export interface Level {
  price: number;
  colour: string;
  /** Of those without room for all, the lower ranks stay. */
  rank: number;
}

export interface Tag {
  price: number;
  /** Its middle, in pixels from the top. */
  y: number;
  text: string;
  colour: string;
  /** The side on which its price is out of view. */
  beyond: "above" | "below" | null;
  isLast: boolean;
}

/** The scale of a pane. */
export interface Scale {
  height: number;
  /** Distance from one tag to the next, in pixels. */
  step: number;
  y(price: number): number;
  text(price: number): string;
}

/** Tags at one edge: of more than that, the last one has their number. */
const MOST = 2;

/** Returns the tags of these prices and of the last price. */
export function tags(levels: readonly Level[], last: Level | null, on: Scale): Tag[] {
  const half = on.step / 2;
  const tag = ({ price, colour }: Level, isLast = false): Tag => {
    return { price, y: on.y(price), text: on.text(price), colour, beyond: null, isLast };
  };
  // A price of two drawings is named once.
  const known = new Set<string>();
  const away = ({ price }: Level) => Math.abs(on.y(price) - on.height / 2);
  const named = [...levels]
    .sort((one, other) => one.rank - other.rank || away(one) - away(other))
    .map((level) => tag(level))
    .filter(({ text }) => !known.has(text) && known.add(text));
  const now = last === null ? [] : [tag(last, true)];
  const all = [...now, ...named];

  const edge = (beyond: "above" | "below"): Tag[] => {
    const isAbove = beyond === "above";
    const out = all.filter(({ y }) => (isAbove ? y < 0 : y > on.height));
    const kept = out.length > MOST ? out.slice(0, MOST - 1) : out;
    // From the edge inwards, the farthest first.
    kept.sort((one, other) => (isAbove ? one.y - other.y : other.y - one.y));
    const rest = out.slice(kept.length);
    const [first] = rest;
    if (first !== undefined) kept.unshift({ ...first, text: `${rest.length} more` });
    const place = (n: number) => (isAbove ? half + n * on.step : on.height - half - n * on.step);
    return kept.map((it, n) => ({ ...it, beyond, y: place(n) }));
  };
  const [above, below] = [edge("above"), edge("below").reverse()];

  const [from, to] = [half + above.length * on.step, on.height - half - below.length * on.step];
  const inside = ({ y }: Tag) => y >= 0 && y <= on.height;
  const fixed = now.filter(inside).map((it) => ({ ...it, y: Math.max(from, Math.min(it.y, to)) }));
  const here = named.filter(inside);
  const [middle] = fixed;
  if (middle === undefined) return [...above, ...fitted(here, on.step, from, to), ...below];
  // By the price: two that differ by little have the same height.
  const upper = fitted(here.filter(({ price }) => price > middle.price), on.step, from, middle.y - on.step);
  const lower = fitted(here.filter(({ price }) => price <= middle.price), on.step, middle.y + on.step, to);
  return [...above, ...upper, ...fixed, ...lower, ...below];
}

/** Returns the first of these for which there is room, moved apart. */
function fitted(all: readonly Tag[], step: number, from: number, to: number): Tag[] {
  const room = Math.max(0, Math.floor((to - from) / step) + 1);
  const kept = all.slice(0, room).sort((one, other) => other.price - one.price);
  const places = apart(kept.map(({ y }) => y), step, from, to);
  return kept.map((it, n) => ({ ...it, y: places[n] ?? it.y }));
}

/** Returns places at least `step` apart, in the order of the wanted ones and as near to them as can be. */
export function apart(wanted: readonly number[], step: number, from: number, to: number): number[] {
  // Without the steps between them they only have to stay in order: where they do not, they meet in the middle.
  const groups: { sum: number; count: number }[] = [];
  for (const [n, y] of wanted.entries()) {
    const group = { sum: y - n * step, count: 1 };
    for (let last = groups.at(-1); last && last.sum / last.count > group.sum / group.count; last = groups.at(-1)) {
      groups.pop();
      group.sum += last.sum;
      group.count += last.count;
    }
    groups.push(group);
  }
  const most = to - (wanted.length - 1) * step;
  const places = groups.flatMap(({ sum, count }) => Array<number>(count).fill(sum / count));
  return places.map((place, n) => Math.round(Math.max(from, Math.min(place, most)) + n * step));
}
