// Precompressed copies of built files, which the hub sends to browsers that accept them.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const MIN_BYTES = 1_024;

/** Writes a `.br` and a `.gz` beside each larger file. `quality`: of Brotli, 11 is slowest and smallest. */
export function compressFiles(dist: string, quality = 11): void {
  for (const name of globSync('**/*.{js,css,svg,html}', { cwd: dist })) {
    const file = join(dist, name);
    const bytes = readFileSync(file);
    if (bytes.length < MIN_BYTES) continue;
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${file}.gz`, gzipSync(bytes));
  }
}
