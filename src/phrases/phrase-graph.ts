import type { Element, Row, Step } from "./elements.ts";
import { VocabularyBuilder } from "./vocabulary-builder.ts";

/** Chains that must all be there, in any order. */
export interface Phrase {
  readonly id: number;
  readonly chains: readonly Row[];
  /** Elements that every match must contain, rarest first. */
  readonly needed: readonly Element[];
}

/** All that one compilation has read; its words, elements and phrases are numbered in the order of reading. */
export class PhraseGraph {
  readonly vocabulary = new VocabularyBuilder();
  readonly elements: Element[] = [];
  readonly phrases: Phrase[] = [];
  /** Words, and groups that name no concept, mean the same to every reader. */
  readonly words = new Map<string, readonly Step[]>();
  readonly groups = new Map<string, Element>();

  /** Adds an element. */
  addElement(given: Partial<Omit<Element, "id">> & Pick<Element, "breadth">): Element {
    const none: readonly never[] = [];
    const id = this.elements.length;
    const element = { id, words: none, numbers: 0, parts: none, rows: none, ...given };
    this.elements.push(element);
    return element;
  }

  /** Adds a phrase. */
  addPhrase(given: Omit<Phrase, "id">): Phrase {
    const phrase = { id: this.phrases.length, ...given };
    this.phrases.push(phrase);
    return phrase;
  }
}
