// The conformance suite and the official client against one server. Reads one JSON object from standard input:
// { url, token, jarvis, modules, node, scenarios: [{ name, version }] }; jarvis is the program. Prints the outcome:
// { scenarios: { all: [name], VERSION: [name] }, runs: [{ name, version, exit, checks: [{ id, status, error,
// untestable }], output }], clients: { http, bridge } }.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const task = JSON.parse(Buffer.concat(chunks).toString());
const server = new URL(task.url);

// The suite sends no credentials. Whatever else it sends stays as it is: its own address becomes the server's, and
// others are the server's to refuse.
const proxy = http.createServer((asked, answer) => {
  const own = [`127.0.0.1:${proxy.address().port}`, `localhost:${proxy.address().port}`];
  const headers = { ...asked.headers, authorization: `Bearer ${task.token}` };
  if (own.includes(headers.host)) headers.host = server.host;
  if (own.some((host) => headers.origin === `http://${host}`)) headers.origin = server.origin;
  const { hostname, port } = server;
  const request = http.request({ hostname, port, method: asked.method, path: asked.url, headers }, (response) => {
    answer.writeHead(response.statusCode, response.headers);
    response.pipe(answer);
  });
  request.on('error', () => answer.destroy());
  asked.pipe(request);
});
await new Promise((done) => proxy.listen(0, '127.0.0.1', done));
const url = `http://127.0.0.1:${proxy.address().port}/mcp`;

function ran(command, args, cwd) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, NO_COLOR: '1' } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece));
    child.on('error', (error) => done({ exit: -1, output: String(error) }));
    child.on('close', (exit) => done({ exit, output }));
  });
}

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* files(name);
    else yield name;
  }
}

const suite = path.join(task.modules, '@modelcontextprotocol/conformance/dist/index.js');

// The suite's scenarios for servers: of one revision, or all of them, with those of extensions.
async function listed(...revision) {
  const { exit, output } = await ran(task.node, [suite, 'list', '--server', ...revision], os.tmpdir());
  const names = [...output.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name);
  if (exit !== 0 || names.length === 0) throw new Error(`the suite lists nothing: ${output}`);
  return names;
}

const scenarios = { all: await listed() };
for (const version of new Set(task.scenarios.map((scenario) => scenario.version))) {
  scenarios[version] = await listed('--spec-version', version);
}
const runs = [];
for (const { name, version } of task.scenarios) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'jarvis-mcp-'));
  const args = [suite, 'server', '--url', url, '--scenario', name, '--spec-version', version, '--output-dir', folder];
  const { exit, output } = await ran(task.node, args, folder);
  const checks = [...files(folder)]
    .filter((file) => file.endsWith('checks.json'))
    .flatMap((file) => JSON.parse(readFileSync(file, 'utf8')))
    .map(({ id, status, errorMessage, details }) => ({
      id,
      status,
      error: errorMessage ?? null,
      untestable: details?.untestable === true,
    }));
  rmSync(folder, { recursive: true });
  runs.push({ name, version, exit, checks, output: output.slice(-4000) });
}

// The official client, straight to the server, and over `jarvis mcp` as assistants start it.
const require = createRequire(path.join(path.dirname(task.modules), 'package.json'));
const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');
const { StreamableHTTPClientTransport } = require('@modelcontextprotocol/sdk/client/streamableHttp.js');

async function session(transport) {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  const { tools } = await client.listTools();
  const read = await client.callTool({ name: 'get_cluster_status', arguments: {} });
  const asked = await client.callTool({ name: 'start_container', arguments: { node: 'pve', vmid: 213 } });
  await client.close();
  return { info: client.getServerVersion(), names: tools.map((tool) => tool.name), read, asked };
}

const headers = { Authorization: `Bearer ${task.token}` };
const bridge = {
  command: task.jarvis,
  args: ['mcp', '--url', task.url],
  env: { JARVIS_TOKEN: task.token },
  cwd: os.tmpdir(),
};
const clients = {
  http: await session(new StreamableHTTPClientTransport(new URL('/mcp', server), { requestInit: { headers } })),
  bridge: await session(new StdioClientTransport(bridge)),
};
console.log(JSON.stringify({ scenarios, runs, clients }));
proxy.closeAllConnections();
proxy.close();
