// Reads a list of events from standard input, and prints what is wrong with each, as a list of lists.
import { problems } from './types.mjs';

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
console.log(JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()).map(problems)));
