import type { Row } from "./elements.ts";
import { toLists } from "./lists.ts";
import type { WordId } from "./vocabulary.ts";

/** Slots for each node: most words don't follow each other in any row, and find an empty slot at once. */
const SLOTS_PER_NODE = 2;

/** A place in the tree: what has been read of a literal row. */
export type LiteralNode = number;

/** Where every literal row begins. */
export const LITERAL_ROOT: LiteralNode = 0;

/** Members of a node, which stand side by side because they are read together. */
const PARENT = 0;
const WORD = 1;
/** Where the elements that have a row which ends here begin among all owners. */
const OWNERS = 2;
const OWNERS_END = 3;
const MEMBERS = 4;

/** Slots to begin with; a power of two. */
const FEW_SLOTS = 1024;

/** The literal rows of all elements as one tree of words, which a text is led through from each of its words. */
export class LiteralTree {
  readonly #owners: Int32Array;
  /** The node that each word leads to from the root. */
  readonly #starts: Int32Array;
  #slots = new Int32Array(FEW_SLOTS);
  #nodes = new Int32Array((FEW_SLOTS / SLOTS_PER_NODE) * MEMBERS);
  /** For each node the words that it goes on with, as bits that several words share. */
  #following = new Int32Array(FEW_SLOTS / SLOTS_PER_NODE);
  #size = 1;

  /** @param given - The rows of each element, by its number. */
  constructor(
    vocabularySize: number,
    given: readonly { readonly owner: number; readonly rows: readonly Row[] }[],
  ) {
    const ends: number[] = [];
    const owners: number[] = [];
    for (const { owner, rows } of given) {
      for (const row of rows) {
        if (!row.isLiteral) continue;
        this.#addRow(row, 0, LITERAL_ROOT, ends);
        while (owners.length < ends.length) owners.push(owner);
      }
    }
    const { first, items } = toLists(this.#size, (add) => {
      for (let at = 0; at < ends.length; at++) add(ends[at] ?? 0, owners[at] ?? 0);
    });
    this.#owners = items;
    this.#starts = Int32Array.from({ length: vocabularySize }, (_, word) =>
      this.next(LITERAL_ROOT, word),
    );
    for (let node = 0; node < this.#size; node++) {
      this.#nodes[node * MEMBERS + OWNERS] = first[node] ?? 0;
      this.#nodes[node * MEMBERS + OWNERS_END] = first[node + 1] ?? 0;
    }
  }

  /** Gives the node that a first word leads to; the root if no row begins with it. */
  start(word: WordId): LiteralNode {
    return this.#starts[word] ?? LITERAL_ROOT;
  }

  /** Gives the node that a word leads to; the root where no row goes on with it. */
  next(node: LiteralNode, word: WordId): LiteralNode {
    // Most words go on with nothing, which this tells from memory that is at hand.
    if (((this.#following[node] ?? 0) & (1 << word)) === 0) return LITERAL_ROOT;
    return this.#slots[this.#slotOf(node, word)] ?? LITERAL_ROOT;
  }

  /** Gives the number of elements that have a row which ends at a node. */
  ownerCount(node: LiteralNode): number {
    const at = node * MEMBERS;
    return (this.#nodes[at + OWNERS_END] ?? 0) - (this.#nodes[at + OWNERS] ?? 0);
  }

  /** Gives one of these elements. */
  ownerAt(node: LiteralNode, index: number): number {
    return this.#owners[(this.#nodes[node * MEMBERS + OWNERS] ?? 0) + index] ?? 0;
  }

  /** Adds a row in each way to write it, and lists the nodes where these end. */
  #addRow(row: Row, at: number, node: LiteralNode, ends: number[]): void {
    const step = row.steps[at];
    if (!step) {
      ends.push(node);
      return;
    }
    for (const word of step.element.words) this.#addRow(row, at + 1, this.#add(node, word), ends);
  }

  #add(node: LiteralNode, word: WordId): LiteralNode {
    const slot = this.#slotOf(node, word);
    const known = this.#slots[slot] ?? LITERAL_ROOT;
    if (known !== LITERAL_ROOT) return known;
    const added = this.#size++;
    this.#nodes[added * MEMBERS + PARENT] = node;
    this.#nodes[added * MEMBERS + WORD] = word;
    this.#slots[slot] = added;
    this.#following[node] = (this.#following[node] ?? 0) | (1 << word);
    if (this.#size * SLOTS_PER_NODE >= this.#slots.length) this.#grow();
    return added;
  }

  #grow(): void {
    const nodes = new Int32Array(this.#nodes.length * 2);
    nodes.set(this.#nodes);
    this.#nodes = nodes;
    const following = new Int32Array(this.#following.length * 2);
    following.set(this.#following);
    this.#following = following;
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
