import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";

const gzipAsync = promisify(gzip);
/** What the smallest bodies need in any case; zlib takes no less than 64. */
const MIN_OUTPUT_BYTES = 1024;

/**
 * Compresses a body in the thread pool.
 *
 * @param level - 1, the fastest, to 9. Default: zlib's, 6.
 */
export function compressBody(
  body: Uint8Array,
  level: number = constants.Z_DEFAULT_COMPRESSION,
): Promise<Buffer> {
  // Room for the whole output: for each piece of it the pool would wait for this thread, which has other work.
  return gzipAsync(body, { level, chunkSize: Math.max(MIN_OUTPUT_BYTES, body.length) });
}
