import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { Behaviour } from "./behaviour.ts";
import type { Frame } from "./protocol.ts";

/** What became of an answer; `cancelled` means that the client went away. */
export type Outcome = "pending" | "finished" | "cancelled" | "cut";

/** How far a stream came. */
export interface Progress {
  frames: number;
  /** The text of the answer that was written so far. */
  text: string;
  outcome: Outcome;
}

const CUT_MILLIS = 25;

/** Cuts the connection a moment after what was written, or the client would drop that unread. */
async function cut(response: ServerResponse, progress: Progress): Promise<void> {
  await sleep(CUT_MILLIS);
  if (response.closed) return;
  progress.outcome = "cut";
  response.socket?.destroySoon();
}

/** Waits as the request wants it between frames; ends by the signal when the client goes away. */
async function pause({ slow, bytes }: Behaviour, signal: AbortSignal): Promise<void> {
  if (slow > 0) await sleep(slow, undefined, { signal });
  // What is written in one turn goes out as one packet.
  else if (bytes !== undefined) await nextTurn(undefined, { signal });
}

/** Streams frames at the client's pace, and stops as soon as nobody reads them. */
export async function sendFrames(
  response: ServerResponse,
  frames: Iterable<Frame>,
  behaviour: Behaviour,
  progress: Progress,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const { signal } = gone;
  const iterator = frames[Symbol.iterator]();
  let texts = 0;
  for (let next = iterator.next(); !next.done;) {
    const { wire, text } = next.value;
    next = iterator.next();
    const isBeyond = text !== undefined && texts >= (behaviour.cut ?? Infinity);
    if (isBeyond || (next.done && behaviour.cut !== undefined)) return cut(response, progress);
    await pause(behaviour, signal);
    signal.throwIfAborted();
    progress.frames++;
    if (text !== undefined) {
      texts++;
      progress.text += text;
    }
    if (!response.write(wire)) await once(response, "drain", { signal });
  }
  response.end();
}

/** Sends a whole body, or its first half when the connection is to be cut. */
export async function sendBody(
  response: ServerResponse,
  body: Buffer,
  behaviour: Behaviour,
  progress: Progress,
): Promise<void> {
  if (behaviour.cut === undefined) {
    response.end(body);
    return;
  }
  response.write(body.subarray(0, body.length / 2));
  await cut(response, progress);
}
