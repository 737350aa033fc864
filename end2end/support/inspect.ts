// Inspects a page from within the browser and reports violations of the layout rules.

interface View {
  width: number;
  height: number;
  theme: string;
}

/** Sent to the browser as source code, so it uses nothing from outside. */
export async function inspect({ width, height, theme }: View): Promise<string[]> {
  interface Edge {
    el: Element;
    box: DOMRect;
    /** Axes on which content outside is unreachable. */
    hard: { x: boolean; y: boolean };
    /** Axes on which content outside can be scrolled into view. */
    soft: { x: boolean; y: boolean };
    positioned: boolean;
    /** End of its content, relative to its own start. */
    end: number;
    /** What it lies in: a swipe past its end goes on there. */
    outer: Edge[];
  }
  /** A text that takes several lines. */
  interface Lines {
    el: Element;
    node: Text;
    boxes: DOMRect[];
  }
  /** A text field that scrolls by itself. */
  interface Field {
    el: Element;
    outer: Edge[];
  }
  interface Around {
    edges: Edge[];
    /** Number of edges that clip positioned content. */
    positioned: number;
    /** The layer above the rest of the page, which may cover it. */
    layer: Element | null;
  }
  interface Piece {
    el: Element;
    box: DOMRect;
    text: string;
    around: Around;
  }

  const root = document.documentElement;
  const frame = document.querySelector(".frame");
  const settled = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const CONTROL = "a[href], button, input, select, textarea, summary, [role=button], [tabindex='0']";
  const found = new Set<string>();

  const name = (el: Element) => {
    const text = (el.getAttribute("aria-label") ?? el.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40);
    const classes = [...el.classList].map((it) => `.${it}`).join("");
    return `<${el.localName}${classes}>${text ? ` “${text}”` : ""}`;
  };
  const round = ({ left, top, right, bottom }: DOMRect) =>
    `${Math.round(left)},${Math.round(top)}–${Math.round(right)},${Math.round(bottom)}`;
  const isTop = (el: Element) => el.matches(":popover-open, :modal, [role=listbox]");
  const isSmall = ({ width, height }: DOMRect) => width <= 1.5 || height <= 1.5;
  const within = (one: DOMRect, other: DOMRect) => {
    const [left, top] = [Math.max(one.left, other.left), Math.max(one.top, other.top)];
    const [right, bottom] = [Math.min(one.right, other.right), Math.min(one.bottom, other.bottom)];
    return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
  };

  /** Collects the text, controls and scrollers that are visible or can be scrolled into view. */
  function collect() {
    const texts: Piece[] = [];
    const lines: Lines[] = [];
    const fields: Field[] = [];
    const controls: Piece[] = [];
    const edges: Edge[] = [];
    const walk = (el: Element, outer: Around) => {
      if (!el.checkVisibility({ contentVisibilityAuto: true, opacityProperty: true })) return;
      const style = getComputedStyle(el);
      if (style.clipPath.includes("inset(50%") || el.matches(".skip-link:not(:focus), svg, canvas, option")) return;
      let around = outer;
      if (style.position === "fixed" || isTop(el)) around = { edges: [], positioned: 0, layer: el };
      else if (style.position === "absolute") around = { ...outer, edges: outer.edges.slice(0, outer.positioned) };
      else if (style.position === "sticky") around = { ...outer, layer: el };
      const box = el.getBoundingClientRect();
      const shown = style.visibility === "visible";
      for (const edge of isSmall(box) ? [] : around.edges) {
        edge.end = Math.max(edge.end, box.bottom - edge.box.top + edge.el.scrollTop);
      }
      // Inert elements take neither focus nor clicks.
      if (shown && el.matches(CONTROL) && !el.closest("[inert]") && !isSmall(box)) {
        controls.push({ el, box: el.getClientRects()[0] ?? box, text: "", around });
      }
      const is = (axis: string, ...kinds: string[]) => kinds.includes(axis);
      const [x, y] = [style.overflowX, style.overflowY];
      const edge = {
        el,
        box,
        hard: { x: is(x, "hidden", "clip"), y: is(y, "hidden", "clip") },
        soft: { x: is(x, "auto", "scroll"), y: is(y, "auto", "scroll") },
        positioned: style.position !== "static",
        end: 0,
        outer: around.edges,
      };
      if (shown && el.matches("textarea")) fields.push({ el, outer: around.edges });
      const cuts = edge.hard.x || edge.hard.y || edge.soft.x || edge.soft.y;
      if (cuts && el !== root && el !== document.body && !el.matches("input, textarea, select")) {
        edges.push(edge);
        around = { ...around, edges: [...around.edges, edge] };
      }
      if (edge.positioned) around = { ...around, positioned: around.edges.length };
      for (const child of el.childNodes) {
        if (child instanceof Element) walk(child, around);
        else if (shown && child instanceof Text && child.data.trim()) {
          const range = document.createRange();
          range.selectNodeContents(child);
          const boxes = [...range.getClientRects()].filter((box) => !isSmall(box));
          if (boxes.length > 1) lines.push({ el, node: child, boxes });
          for (const box of boxes) {
            texts.push({ el, box, text: child.data, around });
            for (const edge of around.edges) {
              edge.end = Math.max(edge.end, box.bottom - edge.box.top + edge.el.scrollTop);
            }
          }
        }
      }
    };
    walk(document.body, { edges: [], positioned: 0, layer: null });
    return { texts, lines, controls, edges, fields };
  }

  /** The part of a piece visible without scrolling; reports parts that never become visible. */
  function reach(piece: Piece, what: string): DOMRect {
    let box = piece.box;
    const soft = { x: false, y: frame === null };
    let isCut = false;
    for (const edge of [...piece.around.edges].reverse()) {
      const style = getComputedStyle(edge.el);
      const cut = {
        x: edge.hard.x && !soft.x && (box.left < edge.box.left - 1.5 || box.right > edge.box.right + 1.5),
        // Letters may overflow a line that is no higher than they are.
        y: edge.hard.y && !soft.y && (box.top < edge.box.top - 4 || box.bottom > edge.box.bottom + 4),
      };
      if (!isCut && (cut.x || cut.y)) {
        // The rest may still be scrolled out of view.
        isCut = true;
        const dots = cut.x ? style.textOverflow === "ellipsis" : style.webkitLineClamp !== "none";
        // A link to the full text says more than a title.
        const whole = edge.el.closest("[title]") ?? (cut.y ? edge.el.closest("a[href]") : null);
        if (what === "text" && dots && !whole) found.add(`cut with dots and no title: ${name(edge.el)}`);
        if (what !== "text" || !dots) found.add(`${what} cut by ${name(edge.el)}: ${name(piece.el)}`);
      }
      soft.x ||= edge.soft.x;
      soft.y ||= edge.soft.y;
      if (edge.soft.x || edge.soft.y || edge.hard.x || edge.hard.y) box = within(box, edge.box);
    }
    const out = {
      x: !soft.x && (piece.box.left < -1 || piece.box.right > width + 1),
      y: !soft.y && (piece.box.top < -1 || piece.box.bottom > height + 1),
    };
    if (!isCut && (out.x || out.y) && box.width > 0 && box.height > 0) {
      found.add(`${what} outside the window at ${round(piece.box)}: ${name(piece.el)}`);
    }
    return within(box, new DOMRect(0, 0, width, height));
  }

  /** Returns whether an opaque element covers `el` at a point. */
  function isUnder(el: Element, x: number, y: number): boolean {
    for (const it of document.elementsFromPoint(x, y)) {
      if (it === el || el.contains(it) || it.contains(el)) {
        if (it === el || el.contains(it)) return false;
        continue;
      }
      const colour = getComputedStyle(it).backgroundColor;
      if (colour !== "rgba(0, 0, 0, 0)" && !/(, 0?\.\d+\)|\/ 0?\.\d+\))$/.test(colour)) return true;
    }
    return false;
  }

  function overlaps(texts: Piece[]): void {
    const pieces = texts.map((piece) => {
      const { edges } = piece.around;
      const last = edges.findLastIndex(({ soft }) => soft.x || soft.y);
      // The part left of it in place, whether scrolled into view or not.
      const kept = edges.slice(last + 1).reduce((box, edge) => within(box, edge.box), piece.box);
      return { piece, kept, seen: reach(piece, "text"), scroller: edges[last]?.el };
    });
    pieces.sort((one, other) => one.piece.box.top - other.piece.box.top);
    for (const [place, one] of pieces.entries()) {
      for (const other of pieces.slice(place + 1)) {
        if (other.piece.box.top > one.piece.box.bottom) break;
        if (one.piece.el === other.piece.el || one.piece.around.layer !== other.piece.around.layer) continue;
        const both =
          one.scroller === other.scroller
            ? within(one.kept, other.kept)
            : within(one.seen, other.seen);
        // A line of text is lower than the box that the browser reports.
        const least = Math.min(one.piece.box.height, other.piece.box.height);
        if (both.width <= 2 || both.height <= least * 0.4) continue;
        const [x, y] = [both.x + both.width / 2, both.y + both.height / 2];
        const inWindow = x >= 0 && y >= 0 && x < width && y < height;
        if (inWindow && (isUnder(one.piece.el, x, y) || isUnder(other.piece.el, x, y))) continue;
        found.add(`text over text at ${round(both)}: ${name(one.piece.el)} and ${name(other.piece.el)}`);
      }
    }
  }

  /**
   * Returns whether a control can be scrolled out from under its cover, such as the button that
   * leads to the end.
   */
  function comesFree({ box, around }: Piece, over: DOMRect): boolean {
    const scroller = around.edges.findLast(({ soft }) => soft.y);
    if (!scroller) return false;
    const { scrollHeight, clientHeight, scrollTop } = scroller.el;
    const isFar = scrollHeight - clientHeight - scrollTop >= box.bottom - over.top;
    return isFar && over.top - scroller.box.top >= box.height;
  }

  function covered(controls: Piece[]): void {
    for (const control of controls) {
      const seen = reach(control, "control");
      const { el, box } = control;
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const isSeen = x > seen.left && x < seen.right && y > seen.top && y < seen.bottom;
      if (!isSeen || getComputedStyle(el).pointerEvents === "none") continue;
      const hit = document.elementFromPoint(x, y);
      if (!hit || el.contains(hit) || hit.contains(el) || el.closest("label")?.contains(hit)) continue;
      // An open layer covers the page, and sticky elements cover scrolled content.
      let layer: Element | null = hit;
      while (layer && !isTop(layer) && !["fixed", "sticky"].includes(getComputedStyle(layer).position)) {
        layer = layer.parentElement;
      }
      if (layer && layer !== control.around.layer) continue;
      if (comesFree(control, (hit.closest(CONTROL) ?? hit).getBoundingClientRect())) continue;
      found.add(`control covered by ${name(hit)}: ${name(el)}`);
    }
  }

  /** Checks that scrollers are positioned, and end where their content ends. */
  function scrollers(edges: Edge[]): void {
    for (const { el, soft, hard, positioned, end } of edges) {
      if ((soft.x || soft.y) && !positioned) found.add(`a scroller that is not positioned: ${name(el)}`);
      if ((hard.x && el.scrollLeft !== 0) || (hard.y && el.scrollTop !== 0)) {
        found.add(`scrolled, and cannot be: ${name(el)}`);
      }
      if (!soft.y || el.scrollHeight <= el.clientHeight + 1) continue;
      const padding = Number.parseFloat(getComputedStyle(el).paddingBottom);
      if (el.scrollHeight > end + padding + 6) {
        found.add(`scrolls ${Math.round(el.scrollHeight - end)} px into nothing: ${name(el)}`);
      }
    }
  }

  /** Checks that no column is so narrow that it breaks ordinary words. */
  function broken(lines: Lines[]): void {
    for (const { el, node, boxes } of lines) {
      // A column that takes an ordinary word is wider than this.
      if (boxes.some((box) => box.width > box.height * 6)) continue;
      for (const { index, 0: word } of node.data.matchAll(/(?<![^\s(“])\p{L}{3,10}(?![^\s.,:;!?)”])/gu)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const parts = [...range.getClientRects()].filter((box) => !isSmall(box));
        const isBroken = parts.some((box) => box.top > (parts[0]?.bottom ?? 0) - box.height / 2);
        if (isBroken) found.add(`“${word}” broken over ${parts.length} lines: ${name(el)}`);
      }
    }
  }

  /** Checks that a swipe past the end of a scroller does not go on to the page or the browser. */
  function contained(edges: Edge[], fields: Field[]): void {
    const keeps = (el: Element, axis: "X" | "Y") => getComputedStyle(el)[`overscrollBehavior${axis}`] !== "auto";
    // A page without the module is the scroller itself.
    if (frame && !keeps(root, "Y")) found.add("a swipe on the frame moves the document");
    for (const { el, outer } of frame ? [...edges.filter(({ soft }) => soft.y), ...fields] : []) {
      const scrolls = el.scrollHeight > el.clientHeight + 1 || getComputedStyle(el).maxHeight !== "none";
      const around = outer.filter(({ soft }) => soft.y).map(({ el }) => el);
      if (scrolls && ![el, ...around].some((it) => keeps(it, "Y"))) {
        found.add(`a swipe past its end moves the page: ${name(el)}`);
      }
    }
    // What scrolls down scrolls sideways too, for that is how browsers read `overflow-y`: a line that is
    // too long is then cut and nobody sees that there is more. Output and tables are meant to.
    for (const { el, soft } of edges) {
      const isDown = el.scrollHeight > el.clientHeight + 1 || getComputedStyle(el).maxHeight !== "none";
      const isMeant = el.matches("pre, .value--output, .table-scroll");
      if (soft.x && isDown && !isMeant && el.scrollWidth > el.clientWidth + 1) {
        found.add(`scrolls down and sideways: ${name(el)}`);
      }
    }
    for (const { el, soft } of edges) {
      if (soft.x && el.scrollWidth > el.clientWidth + 1 && !keeps(el, "X")) {
        found.add(`a swipe past its side goes back in history: ${name(el)}`);
      }
    }
  }

  /** Checks that scrolling an element into view moves nothing that is not a scroller. */
  function holds(edges: Edge[]): void {
    const before = edges.map(({ el }) => ({ el, left: el.scrollLeft, top: el.scrollTop }));
    for (const it of document.querySelectorAll(`:is(${CONTROL}, .visually-hidden)`)) {
      if (it.checkVisibility()) it.scrollIntoView({ block: "end" });
    }
    for (const { el, hard } of edges) {
      if ((hard.x && el.scrollLeft !== 0) || (hard.y && el.scrollTop !== 0)) {
        found.add(`moved by what is in it: ${name(el)}`);
      }
    }
    const { x, y } = frame?.getBoundingClientRect() ?? { x: 0, y: 0 };
    if (x !== 0 || y !== 0) found.add(`the frame moved to ${x}, ${y}`);
    if (!frame) window.scrollTo(0, 0);
    for (const { el, left, top } of before) el.scrollTo({ left, top, behavior: "instant" });
  }

  root.dataset["theme"] = theme;
  // Canvases repaint with the new colours.
  window.dispatchEvent(new Event("jarvis-theme"));
  // The new size takes effect some frames after the request.
  const isSized = () =>
    root.clientHeight === height &&
    Math.abs(root.clientWidth - width) < 20 &&
    (!frame || Math.abs(frame.getBoundingClientRect().height - height) < 1);
  for (let frames = 0; frames < 300 && !isSized(); frames++) await settled();
  if (!isSized()) found.add(`the window is ${root.clientWidth}×${root.clientHeight}`);
  await settled();
  const page = document.scrollingElement ?? root;
  if (page.scrollWidth > width) found.add(`the document is ${page.scrollWidth} wide`);
  // A page without the module is a plain document: it scrolls vertically.
  if (frame && page.scrollHeight > height) found.add(`the document is ${page.scrollHeight} high`);
  const { texts, lines, controls, edges, fields } = collect();
  overlaps(texts);
  broken(lines);
  covered(controls);
  scrollers(edges);
  contained(edges, fields);
  holds(edges);
  return [...found];
}
