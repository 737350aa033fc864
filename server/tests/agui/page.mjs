// The page of docs/agui.md, with as much of a browser as it needs. Reads one JSON object from standard input:
// { url, token, says }. Prints what the page shows in the end, and the version of the client that it loads:
// { log, version, installed }.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(path.join(path.resolve(process.env.JARVIS_END2END), 'package.json'));
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const task = JSON.parse(Buffer.concat(chunks).toString());

const page = readFileSync(new URL('../../../docs/examples/agui/page.html', import.meta.url), 'utf8');
const [, script] = /<script type="module">\n(.*?)<\/script>/s.exec(page);
const [loads, version] = /import \{ HttpAgent \} from '[^']*@ag-ui\/client@([^']*)';/.exec(script);

const elements = {
  form: {},
  input: { value: '' },
  pre: { textContent: '' },
};
globalThis.document = { querySelector: (name) => elements[name] };
globalThis.prompt = () => task.token;

const code = script.replace(loads, '').replace('http://127.0.0.1:7340', task.url);
const AsyncFunction = (async () => {}).constructor;
await new AsyncFunction('HttpAgent', code)(require('@ag-ui/client').HttpAgent);
for (const say of task.says) {
  elements.input.value = say;
  await elements.form.onsubmit({ preventDefault() {} });
}
const installed = require('@ag-ui/client/package.json').version;
console.log(JSON.stringify({ log: elements.pre.textContent, version, installed }));
