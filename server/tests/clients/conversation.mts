// A program in TypeScript: a conversation with a card, and a call of its own, over the types that were made of the
// description.
import createClient from 'openapi-fetch';
import type { components, paths } from './api.mjs';

export interface Task {
  url: string;
  token: string;
  say: string;
  order: string;
  gone: string;
}

type Event = components['schemas']['Event'];

export async function converse(task: Task) {
  const client = createClient<paths>({
    baseUrl: task.url,
    headers: { Authorization: `Bearer ${task.token}` },
  });

  // Reads the events of the journal after one, to the first of a type; returns them with their numbers.
  const follow = async (id: string, after: string | undefined, last: string) => {
    const { data, error } = await client.GET('/api/v1/conversations/{id}/events', {
      params: { path: { id }, header: after === undefined ? {} : { 'Last-Event-ID': after } },
      parseAs: 'stream',
    });
    if (error || !data) throw new Error(error?.message ?? 'no stream');
    const events: [string, Event][] = [];
    const stream = data.getReader();
    const decoder = new TextDecoder();
    let rest = '';
    for (;;) {
      const { done, value } = await stream.read();
      if (done) throw new Error(`the stream ended before ${last}`);
      rest += decoder.decode(value, { stream: true });
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const field = (name: string) =>
          block.split('\n').find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1).trim();
        const [number, json] = [field('id'), field('data')];
        if (json === undefined) continue;
        const event = JSON.parse(json) as Event;
        if (number !== undefined) events.push([number, event]);
        if (event.type === last) {
          await stream.cancel();
          return events;
        }
      }
    }
  };

  const begun = await client.POST('/api/v1/conversations', {
    params: { header: { 'Idempotency-Key': 'first-message' } },
    body: { message: task.say },
  });
  if (begun.error) throw new Error(begun.error.message);
  const id = begun.data.conversation;
  const first = await follow(id, undefined, 'turn_finished');
  const head = first.at(-1)?.[0] ?? '0';
  const sent = await client.POST('/api/v1/conversations/{id}/messages', {
    params: { path: { id } },
    body: { message: task.order },
  });
  if (sent.error) throw new Error(sent.error.message);
  const second = await follow(id, head, 'confirmation_requested');
  const cards = await client.GET('/api/v1/confirmations');
  const feed = await client.GET('/api/v1/feed', { params: { query: { limit: 20 } } });
  const gone = await client.GET('/api/v1/conversations/{id}', { params: { path: { id: task.gone } } });

  const tools = await client.GET('/api/v1/tools');
  const systems = await client.GET('/api/v1/systems');
  const audit = await client.GET('/api/v1/audit/head');
  const ordered = await client.POST('/api/v1/runs', {
    params: { header: { 'Idempotency-Key': 'first-run' } },
    body: { tool: 'start_container', input: { node: 'pve', vmid: 213 } },
  });
  if (ordered.error) throw new Error(ordered.error.message);
  const path = { id: ordered.data.id };
  let run = await client.GET('/api/v1/runs/{id}', { params: { path } });
  while (run.data?.state === 'running') run = await client.GET('/api/v1/runs/{id}', { params: { path } });
  if (run.error) throw new Error(run.error.message);
  const asked = { params: { path: { id: run.data.call } } };
  const card = await client.GET('/api/v1/confirmations/{id}', asked);
  if (card.error) throw new Error(card.error.message);
  const refused = await client.POST('/api/v1/confirmations/{id}', {
    ...asked,
    body: { decision: 'approve', digest: card.data.card.digest },
  });

  return {
    conversation: id,
    sent: sent.data.conversation,
    first: first.map(([, event]) => event),
    head: Number(head),
    second: second.map(([number]) => Number(number)),
    cards: cards.data?.confirmations,
    feed: feed.data?.entries,
    gone: gone.error,
    gone_id: gone.response.headers.get('x-request-id'),
    tools: tools.data?.tools.map((tool) => tool.name),
    systems: systems.data?.systems,
    audit: audit.data,
    run: run.data,
    card: card.data,
    refused: refused.error,
  };
}
