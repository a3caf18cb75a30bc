// Builds the page into a folder, with a brotli and a gzip copy of each longer text file, so that nothing is compressed
// when the server is built or runs.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The folder that the server embeds. */
export const DIST = join(root, '../crates/page/dist');

const TEXT = /\.(css|html|js|json|svg|txt|webmanifest)$/;

/** Shorter files fit in one packet either way. */
const MIN_BYTES = 1000;

const COPIES = [
  { ending: '.br', compress: brotli, decompress: brotliDecompressSync },
  { ending: '.gz', compress: (bytes) => gzipSync(bytes, { level: 9 }), decompress: gunzipSync },
];

/** Licences of packages that the page may contain. */
const LICENCES = ['MIT', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC'];

export async function buildInto(outDir) {
  const { output } = await build({ root, logLevel: 'warn', build: { outDir, emptyOutDir: true } });
  checkLicences(output.flatMap(({ moduleIds = [] }) => moduleIds));
  for (const path of filesIn(outDir)) {
    const bytes = readFileSync(join(outDir, path));
    if (!TEXT.test(path) || bytes.length < MIN_BYTES) continue;
    for (const { ending, compress } of COPIES) writeFileSync(join(outDir, path + ending), compress(bytes));
  }
}

/** Fails if the page contains a package that is only for builds and tests, or whose licence is not allowed. */
function checkLicences(modules) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const folders = modules.map((path) => /node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]).filter(Boolean);
  for (const folder of new Set(folders)) {
    const { dev = false, license = 'none' } = packages[folder] ?? {};
    if (dev || !LICENCES.includes(license)) throw new Error(`${folder} is in the page: licence ${license}${dev ? ', for development only' : ''}`);
  }
}

/** The files of a folder by path. A compressed copy is read decompressed, because versions of Node compress differently. */
export function contentsOf(folder) {
  const copy = (path) => COPIES.find(({ ending }) => path.endsWith(ending));
  const content = (path) => {
    const bytes = readFileSync(join(folder, path));
    return copy(path)?.decompress(bytes) ?? bytes;
  };
  return new Map(filesIn(folder).map((path) => [path, content(path)]));
}

function filesIn(folder) {
  const paths = readdirSync(folder, { recursive: true }).map(String);
  return paths.filter((path) => statSync(join(folder, path)).isFile()).sort();
}

function brotli(bytes) {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return brotliCompressSync(bytes, { params });
}
