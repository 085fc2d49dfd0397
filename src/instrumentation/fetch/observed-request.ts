import { BodyWatch } from "./body-watch.ts";
import { observeStream } from "./observed-stream.ts";

/**
 * Reports the text of a stream that another party sends, once all of it was sent; `undefined` when sending failed or
 * the text is too long.
 *
 * Nothing is copied or read ahead: the stream observes its own chunks.
 *
 * @param maxLength - Longest text that is kept, in UTF-16 units.
 * @returns Whether the stream can be observed.
 */
export function observeSentBody(
  stream: ReadableStream,
  maxLength: number,
  onText: (text: string | undefined) => void,
): boolean {
  const decoder = new TextDecoder();
  let text: string | undefined = "";
  const push = (piece: string): void => {
    text = text === undefined || text.length + piece.length > maxLength ? undefined : text + piece;
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
    onEnd: () => onText(text),
    onFail: give,
    onCancel: give,
    onProblem: give,
    onFork: () => undefined,
  };
  return observeStream(stream, new BodyWatch(undefined, reader, listener));
}
