// Writes FILE.br beside each file, where that saves at least a twentieth.
// Usage: node compress.mjs best|quick FILE…
import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const [effort, ...files] = process.argv.slice(2);

await Promise.all(
  files.map(async (file) => {
    const bytes = await readFile(file);
    const packed = await promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: effort === "best" ? 11 : 4,
        [constants.BROTLI_PARAM_LGWIN]: 24,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    });
    if (packed.length <= bytes.length * 0.95) {
      await writeFile(`${file}.br`, packed);
    }
  }),
);
