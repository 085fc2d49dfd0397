import { BodyWatch } from "./body-watch.ts";
import { observeStream } from "./observed-stream.ts";

/**
 * Lets a text be known of a stream that somebody else sends, once all of it was sent; `undefined` when it was not, or
 * when it is too long.
 *
 * Nothing is copied or read ahead: the stream has a look at what it gives.
 *
 * @param maxLength - Longest text that is kept, in UTF-16 units.
 * @returns Whether it can be seen.
 */
export function observeSentBody(
  stream: ReadableStream,
  maxLength: number,
  onText: (text: string | undefined) => void,
): boolean {
  const decoder = new TextDecoder();
  let told: string | undefined = "";
  const push = (piece: string): void => {
    told = told === undefined || told.length + piece.length > maxLength ? undefined : told + piece;
  };
  const give = (): void => onText(undefined);
  const reader = {
    push(chunk: unknown): void {
      if (chunk instanceof Uint8Array) push(decoder.decode(chunk, { stream: true }));
    },
    end: () => push(decoder.decode()),
    readValue: () => undefined,
  };
  const listener = {
    onAsked: () => undefined,
    onRead: () => undefined,
    onEnd: () => onText(told),
    onFail: give,
    onCancel: give,
    onProblem: give,
    onFork: () => undefined,
  };
  return observeStream(stream, new BodyWatch(undefined, reader, listener));
}
