// The official TypeScript SDK against the rehearsal model. BASE_URL and KEY come from the
// environment; the package is found from the folder in JARVIS_END2END.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const { BASE_URL, KEY, JARVIS_END2END } = process.env;
const require = createRequire(path.join(path.resolve(JARVIS_END2END), 'package.json'));
const load = async (name) => import(pathToFileURL(require.resolve(name)).href.replace(/\.js$/, '.mjs'));
const { default: Anthropic } = await load('@anthropic-ai/sdk');
const { betaTool } = await load('@anthropic-ai/sdk/helpers/beta/json-schema');

const model = 'rehearsal-1';
const client = new Anthropic({ baseURL: BASE_URL, apiKey: KEY, maxRetries: 2 });
const impatient = client.withOptions({ maxRetries: 0 });
const messages = [{ role: 'user', content: 'Hello' }];
const hello = (who = impatient) => who.messages.create({ model, max_tokens: 500, messages });
const script = (...entries) =>
  fetch(`${BASE_URL}/control/script`, { method: 'POST', body: JSON.stringify(entries) });
const seen = async () => (await fetch(`${BASE_URL}/control/requests`)).json();

const checks = {
  async models() {
    const { data } = await client.models.list();
    assert.equal(data[0].id, model);
    assert.equal((await client.models.retrieve(model)).max_input_tokens, 200_000);
    await assert.rejects(client.models.retrieve('nope'), Anthropic.NotFoundError);
  },

  async streaming() {
    const stream = client.messages.stream({
      model,
      max_tokens: 2000,
      thinking: { type: 'adaptive', display: 'summarized' },
      messages: [{ role: 'user', content: 'Is the cluster quorate?' }],
      tools: [{ name: 'get_cluster_status', description: 'Quorum.', input_schema: { type: 'object', properties: {} } }],
    });
    let thinking = '';
    stream.on('thinking', (delta) => (thinking += delta));
    const message = await stream.finalMessage();
    assert.deepEqual(message.content.map((block) => block.type), ['thinking', 'tool_use']);
    assert.equal(message.content[0].thinking, thinking);
    assert.deepEqual(message.content[1].input, {});
    assert.equal(message.stop_reason, 'tool_use');
    assert.ok(message.usage.output_tokens > 0);

    const answer = client.messages.stream({ model, max_tokens: 500, messages });
    let text = '';
    answer.on('text', (delta) => (text += delta));
    assert.equal((await answer.finalMessage()).content.at(-1).text, text);
  },

  async toolRunner() {
    const asked = [];
    const tool = betaTool({
      name: 'get_weather',
      description: 'The weather in a city.',
      inputSchema: {
        type: 'object',
        properties: { location: { type: 'string' } },
        required: ['location'],
        additionalProperties: false,
      },
      run: ({ location }) => {
        asked.push(location);
        return JSON.stringify({ location, outside_celsius: 21.5 });
      },
    });
    for (const stream of [false, true]) {
      const runner = client.beta.messages.toolRunner({
        model,
        max_tokens: 1000,
        stream,
        thinking: { type: 'adaptive' },
        tools: [tool],
        messages: [{ role: 'user', content: 'What is the weather in Zagreb?' }],
      });
      const message = await runner.runUntilDone();
      assert.match(message.content.at(-1).text, /21\.5 °C/);
    }
    assert.deepEqual(asked, ['Zagreb', 'Zagreb']);
  },

  async errorsAndRetries() {
    const stranger = new Anthropic({ baseURL: BASE_URL, apiKey: 'wrong', maxRetries: 0 });
    await assert.rejects(hello(stranger), Anthropic.AuthenticationError);
    await script({ faults: [{ type: 'overloaded' }] });
    await assert.rejects(hello(), (error) => error.status === 529);
    const before = (await seen()).length;
    await script(
      { faults: [{ type: 'rate_limit', retry_after: { milliseconds: 1 } }] },
      { faults: [{ type: 'status', status: 503, should_retry: true }] },
    );
    assert.equal((await hello(client)).stop_reason, 'end_turn');
    assert.deepEqual((await seen()).slice(before).map((entry) => entry.status), [429, 503, 200]);
    await script({ faults: [{ type: 'html', status: 502 }] });
    await assert.rejects(hello(), Anthropic.InternalServerError);
  },

  async streamFaults() {
    const final = () => impatient.messages.stream({ model, max_tokens: 500, messages }).finalMessage();
    const texts = (message) => message.content.filter((b) => b.type === 'text').map((b) => b.text);
    const whole = texts(await final());
    for (const type of ['pings', 'one_byte', 'crlf', 'unknown', 'several_message_deltas']) {
      await script({ faults: [{ type }] });
      assert.deepEqual(texts(await final()), whole, type);
    }
    await script({ faults: [{ type: 'error_event', after: 2 }] });
    await assert.rejects(final(), /Asked for by the rehearsal/);
    for (const type of ['no_message_stop', 'cut_frame', 'cut_utf8', 'reset']) {
      await script({ faults: [{ type, after: 2 }] });
      await assert.rejects(final(), type);
    }
  },
};

for (const [name, check] of Object.entries(checks)) {
  await check();
  console.log('ok', name);
}
process.exit(0);
