import type { Row } from "./elements.ts";
import type { WordId } from "./vocabulary.ts";

/** Slots for each node: most words don't follow each other in any row, and find an empty slot at once. */
const SLOTS_PER_NODE = 2;

/** A place in the tree: what has been read of a literal row. */
export type LiteralNode = number;

/** Where every literal row begins. */
export const LITERAL_ROOT: LiteralNode = 0;

/** Number of a word, or of words one behind the other that a literal row is made of. */
export type Term = number;

/** The term of a node at which no row ends: number 0 is a word's. */
export const NO_TERM: Term = 0;

/** Some words as bits that several words share. */
export type WordBits = number;

/** Gives the bit of a word. */
export const bitOf = (word: WordId): WordBits => 1 << word;

/** Members of a node, which stand side by side because they are read together. */
const PARENT = 0;
const WORD = 1;
/** The words that rows go on with, as bits. */
const FOLLOWING = 2;
/** What ends here. */
const TERM = 3;
const MEMBERS = 4;

/** Slots to begin with; a power of two. */
const FEW_SLOTS = 1024;

/** The literal rows of all elements as one tree of words, which a text is led through from each of its words. */
export class LiteralTree {
  #slots = new Int32Array(FEW_SLOTS);
  #nodes = new Int32Array((FEW_SLOTS / SLOTS_PER_NODE) * MEMBERS);
  #size = 1;
  #termCount: number;

  /** @param vocabularySize - Number of words, which are the first terms. */
  constructor(vocabularySize: number) {
    this.#termCount = vocabularySize;
  }

  /** Number of terms, words included. */
  get termCount(): number {
    return this.#termCount;
  }

  /** Adds a literal row in each way to write it, and puts these terms into a list. */
  add(row: Row, terms: Term[]): void {
    this.#add(row, 0, LITERAL_ROOT, terms);
  }

  /** Gives the node that a word leads to; the root where no row goes on with it. */
  next(node: LiteralNode, word: WordId): LiteralNode {
    return this.#slots[this.#slotOf(node, word)] ?? LITERAL_ROOT;
  }

  /** Tells whether a row may go on from a node with one of some words, from memory that is at hand. */
  mayGoOn(node: LiteralNode, words: WordBits): boolean {
    return ((this.#nodes[node * MEMBERS + FOLLOWING] ?? 0) & words) !== 0;
  }

  /** Gives the term of the row that ends at a node. */
  termAt(node: LiteralNode): Term {
    return this.#nodes[node * MEMBERS + TERM] ?? NO_TERM;
  }

  #add(row: Row, at: number, node: LiteralNode, terms: Term[]): void {
    const step = row.steps[at];
    if (step) {
      for (const word of step.element.words) this.#add(row, at + 1, this.#grow(node, word), terms);
      return;
    }
    const term = this.termAt(node);
    if (term !== NO_TERM) terms.push(term);
    else terms.push((this.#nodes[node * MEMBERS + TERM] = this.#termCount++));
  }

  /** Gives the node that a word leads to, a new one if needed. */
  #grow(node: LiteralNode, word: WordId): LiteralNode {
    const slot = this.#slotOf(node, word);
    const known = this.#slots[slot] ?? LITERAL_ROOT;
    if (known !== LITERAL_ROOT) return known;
    const added = this.#size++;
    this.#nodes[added * MEMBERS + PARENT] = node;
    this.#nodes[added * MEMBERS + WORD] = word;
    this.#slots[slot] = added;
    const following = node * MEMBERS + FOLLOWING;
    this.#nodes[following] = (this.#nodes[following] ?? 0) | bitOf(word);
    if (this.#size * SLOTS_PER_NODE >= this.#slots.length) this.#makeRoom();
    return added;
  }

  #makeRoom(): void {
    const nodes = new Int32Array(this.#nodes.length * 2);
    nodes.set(this.#nodes);
    this.#nodes = nodes;
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (let node = 1; node < this.#size; node++) {
      const at = node * MEMBERS;
      this.#slots[this.#slotOf(nodes[at + PARENT] ?? 0, nodes[at + WORD] ?? 0)] = node;
    }
  }

  /** Gives the slot of a step from a node, or the empty one where it would be. */
  #slotOf(node: LiteralNode, word: WordId): number {
    const nodes = this.#nodes;
    const slots = this.#slots;
    const last = slots.length - 1;
    let slot = (Math.imul(node, 0x9e3779b1) ^ Math.imul(word, 0x85ebca6b)) >>> 7;
    for (; ; slot++) {
      slot &= last;
      const found = slots[slot] ?? LITERAL_ROOT;
      if (found === LITERAL_ROOT) return slot;
      const at = found * MEMBERS;
      if (nodes[at + PARENT] === node && nodes[at + WORD] === word) return slot;
    }
  }
}
