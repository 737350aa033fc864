// Tasks of the page's main thread, from a trace of the browser.

const TASK = "ThreadControllerImpl::RunTask";
const FRAME = "FireAnimationFrame";

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds: of the beginning, of wall time, of CPU time. */
  ts: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** What took time on the main thread under this name. */
function onMain(trace: Buffer, name: string): TraceEvent[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const main = new Set<string>();
  for (const event of traceEvents) {
    if (event.name === "thread_name" && event.args?.name === "CrRendererMain") {
      main.add(`${event.pid} ${event.tid}`);
    }
  }
  return traceEvents.filter(
    (event) => event.ph === "X" && event.name === name && main.has(`${event.pid} ${event.tid}`),
  );
}

/** The duration of each task in milliseconds: wall time and CPU time. */
export function tasks(trace: Buffer): { wall: number[]; processor: number[] } {
  const ran = onMain(trace, TASK);
  if (ran.length === 0) throw new Error("the trace has no tasks of the page");
  return {
    wall: ran.map(({ dur }) => (dur ?? 0) / 1000),
    processor: ran.map(({ tdur }) => (tdur ?? 0) / 1000),
  };
}

/** The CPU time of the main thread in each frame, in milliseconds: from a task that draws to the next one. */
export function frames(trace: Buffer): number[] {
  const drawn = onMain(trace, FRAME).map(({ ts }) => ts);
  const work: number[] = [];
  const ran = onMain(trace, TASK).sort((a, b) => a.ts - b.ts);
  for (const { ts, dur = 0, tdur = 0 } of ran) {
    if (drawn.some((at) => at >= ts && at <= ts + dur)) work.push(0);
    if (work.length > 0) work[work.length - 1] = (work.at(-1) ?? 0) + tdur / 1000;
  }
  if (work.length === 0) throw new Error("the trace has no frames of the page");
  return work;
}
