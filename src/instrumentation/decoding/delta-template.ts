import type { TextDelta } from "../answer.ts";

/** What OpenAI pads its events with, so that their lengths tell nothing; of another length each time. */
const PADDING = '"obfuscation":"';

/** Splits what follows the text around the padding. */
function splitPadding(rest: string): readonly [string, string] {
  const start = rest.indexOf(PADDING);
  if (start < 0) return [rest, ""];
  const end = rest.indexOf('"', start + PADDING.length);
  return end < 0 ? [rest, ""] : [rest.slice(0, start + PADDING.length), rest.slice(end)];
}

/**
 * Knows how the last event of a stream looked that added text and nothing else: one that differs by its text only
 * need not be parsed, which is most of what watching a stream costs.
 */
export class DeltaTemplate {
  #name = "";
  #prefix: string | undefined;
  #suffix = "";
  #parts: readonly [string, string] = ["", ""];
  #delta: TextDelta = { piece: "", key: "", choice: 0 };

  /** Learns from an event that added this text, and nothing else. */
  learn(name: string, event: string, delta: TextDelta): void {
    this.#prefix = undefined;
    this.#name = name;
    const json = JSON.stringify(delta.piece);
    const start = event.indexOf(json);
    // The text may stand in the event twice, or be written in another way.
    if (start < 0 || event.includes(json, start + 1)) return;
    this.#prefix = event.slice(0, start + 1);
    this.#suffix = event.slice(start + json.length - 1);
    this.#parts = splitPadding(this.#suffix);
    this.#delta = delta;
  }

  forget(): void {
    this.#prefix = undefined;
  }

  /** Reads the text of an event that looks the same; `undefined` for any other. */
  match(name: string, event: string): TextDelta | undefined {
    const prefix = this.#prefix;
    if (prefix === undefined || name !== this.#name) return undefined;
    // Comparing a slice takes half the time of `startsWith`.
    if (event.slice(0, prefix.length) !== prefix) return undefined;
    const end = event.indexOf('"', prefix.length);
    const piece = event.slice(prefix.length, end);
    // An escape would have to be read, and may hide the end.
    if (end < 0 || piece.includes("\\") || !this.#isSameRest(event, end)) return undefined;
    return { piece, key: this.#delta.key, choice: this.#delta.choice };
  }

  #isSameRest(event: string, end: number): boolean {
    if (event.length - end === this.#suffix.length && event.endsWith(this.#suffix)) return true;
    const [before, after] = this.#parts;
    if (after === "") return false;
    const [otherBefore, otherAfter] = splitPadding(event.slice(end));
    return before === otherBefore && after === otherAfter;
  }
}
