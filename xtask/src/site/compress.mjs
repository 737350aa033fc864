// Writes FILE.br and FILE.gz beside each file, where that saves at least a twentieth.
// Usage: node compress.mjs best|quick FILE…
import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const [effort, ...files] = process.argv.slice(2);
const best = effort === "best";

const brotli = (bytes) =>
  promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: best ? 11 : 4,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
const gz = (bytes) => promisify(gzip)(bytes, { level: best ? 9 : 1 });

await Promise.all(
  files.map(async (file) => {
    const bytes = await readFile(file);
    for (const [extension, pack] of [["br", brotli], ["gz", gz]]) {
      const packed = await pack(bytes);
      if (packed.length <= bytes.length * 0.95) {
        await writeFile(`${file}.${extension}`, packed);
      }
    }
  }),
);
