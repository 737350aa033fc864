// Makes the types of the API of what the server says of itself, has conversation.mts checked against them, and runs
// it. Reads one JSON object from standard input: { url, token, folder, say, order, gone }, and prints what was read,
// with what the compiler found wrong. All is made below `folder`.
import { spawnSync } from 'node:child_process';
import { copyFile, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const modules = path.resolve(process.env.JARVIS_CLIENTS);
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const task = JSON.parse(Buffer.concat(chunks).toString());
const inside = (...names) => path.join(task.folder, ...names);
// Imports are looked up from the file that has them.
await symlink(modules, inside('node_modules'), 'dir');
const require = createRequire(inside('client.mjs'));

await writeFile(inside('make.mjs'), "export { default as typesOf, astToString } from 'openapi-typescript';\n");
const { typesOf, astToString } = await import(pathToFileURL(inside('make.mjs')).href);
const answer = await fetch(`${task.url}/api/v1/openapi.json`, {
  headers: { Authorization: `Bearer ${task.token}` },
});
// A member with a default may be left out of what is sent.
const types = await typesOf(await answer.json(), { defaultNonNullable: false });
await writeFile(inside('api.d.mts'), astToString(types));

await copyFile(new URL('conversation.mts', import.meta.url), inside('conversation.mts'));
const compilerOptions = {
  strict: true,
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: [],
  outDir: 'out',
};
await writeFile(inside('tsconfig.json'), JSON.stringify({ compilerOptions, files: ['conversation.mts'] }));
const compiler = spawnSync(process.execPath, [require.resolve('typescript/bin/tsc'), '--project', task.folder], {
  encoding: 'utf8',
});
const warnings = compiler.stdout.split('\n').filter((line) => line !== '');
if (compiler.status !== 0) {
  console.error(compiler.stdout);
  process.exit(1);
}

const { converse } = await import(pathToFileURL(inside('out', 'conversation.mjs')).href);
const read = JSON.stringify({ warnings, ...(await converse(task)) });
// A connection that is kept must not hold the process.
process.stdout.write(read, () => process.exit(0));
