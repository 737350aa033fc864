// Tasks of the page's main thread, from a trace of the browser.

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds of wall time and of CPU time. */
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** The duration of each task in milliseconds: wall time and CPU time. */
export function tasks(trace: Buffer): { wall: number[]; processor: number[] } {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const main = new Set<string>();
  for (const event of traceEvents) {
    if (event.name === "thread_name" && event.args?.name === "CrRendererMain") {
      main.add(`${event.pid} ${event.tid}`);
    }
  }
  const ran = traceEvents.filter(
    ({ name, ph, pid, tid }) =>
      ph === "X" && name === "ThreadControllerImpl::RunTask" && main.has(`${pid} ${tid}`),
  );
  if (ran.length === 0) throw new Error("the trace has no tasks of the page");
  return {
    wall: ran.map(({ dur }) => (dur ?? 0) / 1000),
    processor: ran.map(({ tdur }) => (tdur ?? 0) / 1000),
  };
}
