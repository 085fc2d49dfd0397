import { layOutWords } from "./layout.ts";
import { LITERAL_ROOT, mayBegin, nextLiteral, type LiteralNode } from "./literal-trie.ts";
import type { PhraseTables } from "./phrase-tables.ts";
import { BITS_SHIFT, type Buffers } from "./presence-buffers.ts";
import { startOf, toSpan, type Span } from "./spans.ts";
import type { Token } from "./token.ts";

/** Returns the slot of a term, 0 if the text does not have it. */
export function slotOf({ termBits, slotOfTerm }: Buffers, term: number): number {
  const isThere = ((termBits[term >> BITS_SHIFT] ?? 0) & (1 << term)) !== 0;
  return isThere ? (slotOfTerm[term] ?? 0) : 0;
}

/** Collects the terms of a text: the words of its tokens, and the literals that begin at each. */
class TermCollector {
  slotCount = 0;
  readonly #tables: PhraseTables;
  readonly #buffers: Buffers;
  #placeCount: number;

  constructor(tables: PhraseTables, buffers: Buffers, tokens: readonly Token[]) {
    this.#tables = tables;
    this.#buffers = buffers;
    this.#placeCount = layOutWords(buffers, tokens);
    // From the end, because each term's places are a list to which the first is added last.
    for (let place = this.#placeCount - 1; place >= 0; place--) this.#addPlace(place);
    for (let token = tokens.length - 1; token >= 0; token--) this.#startLiterals(token);
  }

  #addPlace(place: number): void {
    const { slotMasks, slotPlaces, termAt, spanAt, nextPlaces, maskOf } = this.#buffers;
    const term = termAt[place] ?? 0;
    const mask = maskOf[startOf(spanAt[place] ?? 0)] ?? 0;
    const slot = slotOf(this.#buffers, term);
    if (slot === 0) {
      const added = this.#addSlot(term);
      slotMasks[added] = mask;
      slotPlaces[added] = place + 1;
      nextPlaces[place] = 0;
      return;
    }
    nextPlaces[place] = slotPlaces[slot] ?? 0;
    slotPlaces[slot] = place + 1;
    slotMasks[slot] = (slotMasks[slot] ?? 0) | mask;
  }

  #addSlot(term: number): number {
    const { termBits, slotOfTerm, slotTerms } = this.#buffers;
    const slot = ++this.slotCount;
    const at = term >> BITS_SHIFT;
    termBits[at] = (termBits[at] ?? 0) | (1 << term);
    slotOfTerm[term] = slot;
    slotTerms[slot] = term;
    return slot;
  }

  /** Records the literals that begin at a token. */
  #startLiterals(token: number): void {
    const { literalStarts } = this.#tables;
    const { termAt, firstPlaceOf } = this.#buffers;
    const end = firstPlaceOf[token + 1] ?? 0;
    for (let place = firstPlaceOf[token] ?? 0; place < end; place++) {
      const word = termAt[place] ?? 0;
      const node = literalStarts[word] ?? LITERAL_ROOT;
      if (node !== LITERAL_ROOT && this.#mayBegin(word, token + 1))
        this.#followLiterals(node, token, token + 1);
    }
  }

  /** Returns whether a literal may begin with a word and one of those of the token behind it. */
  #mayBegin(word: number, next: number): boolean {
    const { termAt, firstPlaceOf } = this.#buffers;
    const end = firstPlaceOf[next + 1] ?? 0;
    for (let place = firstPlaceOf[next] ?? 0; place < end; place++)
      if (mayBegin(this.#tables, word, termAt[place] ?? 0)) return true;
    return false;
  }

  /** Records the literals that go on from a node with the words from a token on. */
  #followLiterals(node: LiteralNode, start: number, at: number): void {
    const { termAt, firstPlaceOf, sentenceOf } = this.#buffers;
    if (sentenceOf[at] !== sentenceOf[start]) return;
    const end = firstPlaceOf[at + 1] ?? 0;
    for (let place = firstPlaceOf[at] ?? 0; place < end; place++) {
      const next = nextLiteral(this.#tables, node, termAt[place] ?? 0);
      if (next === LITERAL_ROOT) continue;
      if (this.#tables.literalEnds[next] === 1) this.#addLiteral(next, toSpan(start, at + 1));
      this.#followLiterals(next, start, at + 1);
    }
  }

  #addLiteral(node: LiteralNode, span: Span): void {
    const { termAt, spanAt } = this.#buffers;
    const place = this.#placeCount++;
    termAt[place] = this.#tables.literalStarts.length + node;
    spanAt[place] = span;
    this.#addPlace(place);
  }
}

/** Collects the terms of a text whose sentences were laid out, and gives the number of slots that they take. */
export function collectTerms(
  tables: PhraseTables,
  buffers: Buffers,
  tokens: readonly Token[],
): number {
  return new TermCollector(tables, buffers, tokens).slotCount;
}
