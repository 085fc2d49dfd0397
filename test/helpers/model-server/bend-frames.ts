import type { Behaviour } from "./behaviour.ts";
import type { Frame } from "./protocol.ts";

const COMMENT = ": keep-alive\n\n";

function* failAfter(frames: Iterable<Frame>, count: number, error: Frame): Generator<Frame> {
  let texts = 0;
  for (const frame of frames) {
    if (frame.text !== undefined && texts++ >= count) {
      yield error;
      return;
    }
    yield frame;
  }
}

function* withWindowsLines(frames: Iterable<Frame>): Generator<Frame> {
  for (const { wire, ...frame } of frames) {
    const isEvent = typeof wire === "string" && /^(?:data|event):/.test(wire);
    yield { ...frame, wire: isEvent ? (COMMENT + wire).replaceAll("\n", "\r\n") : wire };
  }
}

function* sliced(frames: Iterable<Frame>, size: number): Generator<Frame> {
  for (const { wire, text } of frames) {
    const bytes = Buffer.from(wire);
    for (let start = 0; start < bytes.length; start += size) {
      const slice = { wire: bytes.subarray(start, start + size) };
      // The text is told once its last byte is.
      yield text !== undefined && start + size >= bytes.length ? { ...slice, text } : slice;
    }
  }
}

/** Changes frames of a stream as a request wants them. */
export function bendFrames(
  frames: Iterable<Frame>,
  { fail, crlf, bytes }: Behaviour,
  error: Frame,
): Iterable<Frame> {
  const failing = fail === undefined ? frames : failAfter(frames, fail, error);
  const lines = crlf ? withWindowsLines(failing) : failing;
  return bytes === undefined ? lines : sliced(lines, bytes);
}
