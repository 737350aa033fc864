// The official AG-UI client, of either version, through a list of runs. Reads one JSON object from standard input:
// { url, token, package, thread, steps: [{ say?, forge?, runId?, forwardedProps?, resume?, editedArgs? }] }.
// `resume` is "approve", "deny", "edit" (to editedArgs), "cancel" or "look" for all open interrupts. Prints a list with
// what each run led to: { events, messages, interrupts, error }, the number of events that were sent, and what is wrong
// with them.
import { createRequire } from 'node:module';
import path from 'node:path';

import { problems } from '../../crates/agui/tests/types.mjs';

const require = createRequire(path.join(path.resolve(process.env.JARVIS_END2END), 'package.json'));
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const task = JSON.parse(Buffer.concat(chunks).toString());
const { HttpAgent } = require(task.package);

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
  edit: (it, { editedArgs }) => ({
    interruptId: it.id,
    status: 'resolved',
    payload: { approved: true, editedArgs, digest: it.metadata.jarvis.digest },
  }),
  cancel: (it) => ({ interruptId: it.id, status: 'cancelled' }),
  look: (it) => ({ interruptId: it.id, status: 'resolved' }),
};

// A stream as it is sent, beside the client, which repairs and leaves out: every event fits its type of 1.0.
let sent = 0;
const malformed = [];
const checks = [];
const { fetch } = globalThis;
globalThis.fetch = async (...request) => {
  const response = await fetch(...request);
  if (!response.ok || !response.body) return response;
  const [ours, theirs] = response.body.tee();
  checks.push(check(ours));
  return new Response(theirs, { status: response.status, headers: response.headers });
};
async function check(body) {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
  for (const block of text.split('\n\n')) {
    if (!block.startsWith('data: ')) continue;
    sent += 1;
    for (const why of problems(JSON.parse(block.slice(6)))) malformed.push({ block, why });
  }
}

const outcomes = [];
for (const [at, step] of task.steps.entries()) {
  if (step.forge) agent.addMessages(step.forge);
  if (step.say) agent.addMessage({ id: `${task.package}-${at}`, role: 'user', content: step.say });
  const answer = answers[step.resume];
  const resume = answer && interrupts.map((it) => answer(it, step));
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
await Promise.all(checks);
console.log(JSON.stringify({ outcomes, sent, malformed }));
