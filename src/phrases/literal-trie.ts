import type { WordId } from "./vocabulary-builder.ts";

/** A place in the trie: what has been read of a literal. */
export type LiteralNode = number;

/** Where every literal begins. */
export const LITERAL_ROOT: LiteralNode = 0;

/** Literals, words one behind the other, as one trie that a text is led through from each of its words. */
export interface LiteralTables {
  /** For each node the word that leads to it. */
  readonly literalWords: Uint16Array;
  /** The first child of each node; the children of a node stand side by side in the order of their words. */
  readonly literalChildren: Uint32Array;
  /** The node that each word leads to from the root; 0 if no literal begins with it. */
  readonly literalStarts: Uint16Array;
  /** 1 for nodes at which a literal ends. */
  readonly literalEnds: Uint8Array;
  /** Bits of the pairs of words with which literals begin, which other pairs share: most words don't begin any here. */
  readonly literalPairs: Uint8Array;
}

const PAIR_BITS = 17;
const BYTE_SHIFT = 3;
const BIT_MASK = 7;

const pairOf = (first: WordId, second: WordId): number =>
  (Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)) >>> (32 - PAIR_BITS);

/** Returns whether literals may begin with two words, from a small part of memory. */
export function mayBegin({ literalPairs }: LiteralTables, first: WordId, second: WordId): boolean {
  const pair = pairOf(first, second);
  return ((literalPairs[pair >> BYTE_SHIFT] ?? 0) & (1 << (pair & BIT_MASK))) !== 0;
}

/** Returns the node that a word leads to; the root where no literal goes on with it. */
export function nextLiteral(
  { literalWords, literalChildren }: LiteralTables,
  node: LiteralNode,
  word: WordId,
): LiteralNode {
  let low = literalChildren[node] ?? 0;
  const end = literalChildren[node + 1] ?? 0;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((literalWords[middle] ?? 0) < word) low = middle + 1;
    else high = middle;
  }
  return low < end && literalWords[low] === word ? low : LITERAL_ROOT;
}

/** A node while literals are added. */
export interface GrowingNode {
  readonly children: Map<WordId, GrowingNode>;
  isEnd: boolean;
  /** Its number, when all are there. */
  number: LiteralNode;
}

const createNode = (): GrowingNode => ({
  children: new Map(),
  isEnd: false,
  number: LITERAL_ROOT,
});

/** Collects literals; nodes are numbered level by level, so that children stand side by side. */
export class LiteralTrieBuilder {
  readonly #root = createNode();

  /** Returns the node of a literal, from the first node on. */
  add(words: readonly WordId[]): GrowingNode {
    let node = this.#root;
    for (const word of words) {
      let next = node.children.get(word);
      if (!next) node.children.set(word, (next = createNode()));
      node = next;
    }
    node.isEnd = true;
    return node;
  }

  /** Numbers the nodes. */
  finish(vocabularySize: number): LiteralTables {
    const nodes: GrowingNode[] = [this.#root];
    const words: WordId[] = [0];
    const children: number[] = [];
    // The list grows while it is read.
    for (const node of nodes) {
      children.push(nodes.length);
      const byWord = [...node.children].toSorted(([one], [other]) => one - other);
      for (const [word, child] of byWord) {
        child.number = nodes.length;
        nodes.push(child);
        words.push(word);
      }
    }
    const literalStarts = new Uint16Array(vocabularySize);
    const literalPairs = new Uint8Array(1 << (PAIR_BITS - BYTE_SHIFT));
    for (const [word, node] of this.#root.children) {
      literalStarts[word] = node.number;
      for (const second of node.children.keys()) {
        const pair = pairOf(word, second);
        literalPairs[pair >> BYTE_SHIFT] =
          (literalPairs[pair >> BYTE_SHIFT] ?? 0) | (1 << (pair & BIT_MASK));
      }
    }
    return {
      literalWords: Uint16Array.from(words),
      literalChildren: Uint32Array.from([...children, nodes.length]),
      literalStarts,
      literalPairs,
      literalEnds: Uint8Array.from(nodes, ({ isEnd }) => (isEnd ? 1 : 0)),
    };
  }
}
