/** What became of a stream that was read. */
export interface Read {
  readonly chunks: readonly unknown[];
  readonly thrown?: unknown;
}

/** What is done after so many chunks: `break` leaves the loop, a function is called once. */
export interface Reading {
  readonly after: number;
  readonly action: "break" | (() => void);
}

/**
 * Reads a stream to its end, or as far as is said, and keeps what it threw.
 *
 * What comes after the turn is left out: how much that is depends on the network.
 */
export async function readStream(
  stream: AsyncIterable<unknown> | PromiseLike<AsyncIterable<unknown>>,
  reading?: Reading,
): Promise<Read> {
  const chunks: unknown[] = [];
  let count = 0;
  try {
    for await (const chunk of await stream) {
      count++;
      if (count <= (reading?.after ?? Infinity)) chunks.push(chunk);
      if (count !== reading?.after) continue;
      if (reading.action === "break") break;
      reading.action();
    }
  } catch (thrown) {
    return { chunks, thrown };
  }
  return { chunks };
}
