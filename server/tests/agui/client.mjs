// The official AG-UI client, of either version, through a list of runs. Reads one JSON object from standard input:
// { url, token, package, thread, steps: [{ say?, forge?, runId?, forwardedProps?, resume? }] }.
// `resume` is "approve", "deny", "cancel", "look" for all open interrupts, or entries as they are. Prints a list
// with what each run led to: { events, messages, interrupts, error }.
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(path.join(path.resolve(process.env.JARVIS_END2END), 'package.json'));
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const task = JSON.parse(Buffer.concat(chunks).toString());
const { HttpAgent } = require(task.package);
// The types of 1.0, also for what the older client is sent.
const of1 = createRequire(require.resolve('@ag-ui/client'));
const { EventSchema } = of1('@ag-ui/core/schemas');

const agent = new HttpAgent({
  url: `${task.url}/agui`,
  threadId: task.thread,
  headers: { Authorization: `Bearer ${task.token}` },
});

let interrupts = [];
const answers = {
  approve: (it) => ({
    interruptId: it.id,
    status: 'resolved',
    payload: { approved: true, digest: it.metadata.jarvis.digest },
  }),
  deny: (it) => ({ interruptId: it.id, status: 'resolved', payload: { approved: false, comment: 'Not now' } }),
  cancel: (it) => ({ interruptId: it.id, status: 'cancelled' }),
  look: (it) => ({ interruptId: it.id, status: 'resolved' }),
};

// A stream as the protocol has it, read by hand: every event fits its type of 1.0. These types are made of the JSON
// Schema of the protocol but let members pass that it does not declare; there every object is closed.
const malformed = [];
const { fetch } = globalThis;
globalThis.fetch = async (...request) => {
  const response = await fetch(...request);
  if (!response.ok || !response.body) return response;
  const [ours, theirs] = response.body.tee();
  void check(ours);
  return new Response(theirs, { status: response.status, headers: response.headers });
};
async function check(body) {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
  for (const block of text.split('\n\n')) {
    if (!block.startsWith('data: ')) continue;
    const event = JSON.parse(block.slice(6));
    const read = EventSchema.safeParse(event);
    if (!read.success) malformed.push({ block, why: read.error.message });
    else for (const why of undeclared(EventSchema, event, '')) malformed.push({ block, why });
  }
}
// The members of a value that its type does not declare. Open by the schema: `metadata`, the `content` of activities and
// the operations of JSON Patch.
function* undeclared(type, value, at) {
  const { def } = type._zod;
  if (def.type === 'object') {
    for (const [name, member] of Object.entries(value)) {
      const declared = def.shape[name];
      if (!declared) yield `${at}/${name} is not declared`;
      else if (name !== 'patch') yield* undeclared(declared, member, `${at}/${name}`);
    }
  } else if (def.type === 'array') {
    for (const [n, element] of value.entries()) yield* undeclared(def.element, element, `${at}/${n}`);
  } else if (def.type === 'union') {
    yield* undeclared(def.options.find((option) => option.safeParse(value).success), value, at);
  } else if (def.type === 'lazy') {
    yield* undeclared(def.getter(), value, at);
  } else if (def.innerType) {
    yield* undeclared(def.innerType, value, at);
  }
}

const outcomes = [];
for (const [at, step] of task.steps.entries()) {
  if (step.forge) agent.addMessages(step.forge);
  if (step.say) agent.addMessage({ id: `${task.package}-${at}`, role: 'user', content: step.say });
  const answer = answers[step.resume];
  const resume = answer ? interrupts.map(answer) : step.resume;
  const outcome = { events: [], error: null };
  const subscriber = { onEvent: ({ event }) => void outcome.events.push(event) };
  try {
    const { forwardedProps } = step;
    await agent.runAgent({ runId: step.runId ?? `run-${at}`, forwardedProps, resume }, subscriber);
  } catch (error) {
    outcome.error = String(error.message ?? error);
  }
  const last = outcome.events.at(-1);
  interrupts = last?.outcome?.interrupts ?? [];
  outcomes.push({ ...outcome, interrupts, messages: structuredClone(agent.messages) });
}
console.log(JSON.stringify({ outcomes, malformed }));
