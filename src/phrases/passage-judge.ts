import type { Exchange } from "./exchange.ts";
import type { SourceText } from "./source-text.ts";
import { isSentenceGuarded } from "./guards.ts";
import type { CompiledGroup, PhraseKind } from "./compiled-phrases.ts";
import { standsIn } from "./phrase-matches.ts";
import { says } from "./says.ts";
import type { TokenRange } from "./spans.ts";

/** More sentences than any passage spreads over. */
const MAX_SPREAD = 4;

/** Returns whether the exchange as a whole is about what a group is about. */
function isAboutTopic(group: CompiledGroup, text: SourceText, exchange: Exchange): boolean {
  const { userMessage, agentResponse } = exchange;
  const other = text === agentResponse ? userMessage : agentResponse;
  if (says(other, group, "about")) return true;
  return group.info.inSession === true && says(exchange.earlierText, group, "about");
}

/**
 * Judges the passages of one text by what stands around them.
 *
 * The answer depends on the sentences alone, and a sentence without end may have thousands of passages: each is judged
 * once.
 */
export class PassageJudge {
  readonly #group: CompiledGroup;
  readonly #text: SourceText;
  readonly #exchange: Exchange;
  #judged: Map<number, boolean> | undefined;
  #isAboutTopic: boolean | undefined;

  constructor(group: CompiledGroup, text: SourceText, exchange: Exchange) {
    this.#group = group;
    this.#text = text;
    this.#exchange = exchange;
  }

  /** Returns whether a passage means what it says, and belongs to the topic. */
  allow(passage: TokenRange): boolean {
    const { index } = this.#text.reading(this.#group.phrases);
    const first = index.sentenceOf(passage.start);
    const last = index.sentenceOf(passage.end - 1);
    const key = first * MAX_SPREAD + last - first;
    const judged = (this.#judged ??= new Map<number, boolean>());
    let isAllowed = judged.get(key);
    if (isAllowed === undefined) {
      isAllowed = !this.#isGuarded(first, last, passage) && this.#isOnTopic(passage);
      judged.set(key, isAllowed);
    }
    return isAllowed;
  }

  #isGuarded(first: number, last: number, passage: TokenRange): boolean {
    for (let at = first; at <= last; at++)
      if (isSentenceGuarded(this.#text, at, this.#group.guards)) return true;
    return this.#standsNear(passage, "unless");
  }

  #isOnTopic(passage: TokenRange): boolean {
    if (this.#group.of("about").length === 0) return true;
    this.#isAboutTopic ??= isAboutTopic(this.#group, this.#text, this.#exchange);
    return this.#isAboutTopic || this.#standsNear(passage, "about");
  }

  #standsNear(passage: TokenRange, kind: PhraseKind): boolean {
    const phrases = this.#group.of(kind);
    if (phrases.length === 0) return false;
    const reading = this.#text.reading(this.#group.phrases);
    const near = reading.tokensNear(passage);
    return phrases.some((phrase) => standsIn(reading.index, phrase, near));
  }
}
