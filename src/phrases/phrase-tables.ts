import type { ComplianceSeverity } from "../events/compliance.ts";

/**
 * A reason why words don't mean what they say:
 *
 * - `negation`: a "not" stands before them in the clause
 * - `question`: the sentence asks
 * - `refusal`: "I can't help with …"
 * - `definition`: "… means …", "is called"
 * - `condemnation`: the sentence, or the next one, says that it is against the law
 * - `others`: it repeats what scammers, or "anyone who …", say or do
 * - `quotation`: the words stand between quotation marks
 * - `condition`: the sentence is hypothetical; off unless asked for
 */
export type Guard =
  | "negation"
  | "question"
  | "refusal"
  | "definition"
  | "condemnation"
  | "others"
  | "quotation"
  | "condition";

/** Lists of numbers in one array: list `n` stands from `first[n]` up to `first[n + 1]`. */
export interface Lists {
  readonly first: Uint32Array;
  readonly items: Uint16Array;
}

/** What a phrase group demands beside its wording, and what its findings say. */
export interface GroupInfo {
  /** By which rules and checks ask for it. */
  readonly name: string;
  readonly in: "userMessage" | "agentResponse";
  /** Neighbouring sentences over which a phrase may spread. */
  readonly within: number;
  readonly inSession?: true;
  readonly guards: readonly Guard[];
  readonly confidence?: number;
  readonly severity?: ComplianceSeverity;
  readonly description?: string;
}

/** Kinds of phrases that a group has: each group has one list of each kind, side by side. */
export const PHRASE_KINDS = [
  "match",
  "unless",
  "unlessAnywhere",
  "alongside",
  "about",
  "user",
] as const;

/**
 * Phrases as tables of numbers, which never change: the form that a text is matched with, and that is stored.
 *
 * - A *term* is a word, a beginning of words, or a literal (words one behind the other). Words come first, by their
 *   ids; the term of a literal is the number of words plus its node in the trie.
 * - An *element* is one place of a phrase: any of its terms, numbers, parts (other elements) and rows. 0 is none.
 * - A *row* is a sequence of elements with gaps; the chains of phrases are rows as well.
 * - A *mark* collects the sentences of some terms. The first marks are *keys*: a key stands for an element that a phrase
 *   needs, or that is the rarest one of a row, and has all terms without one of which this can't be there. The others have
 *   the own terms of elements with many of them. 0 is none.
 */
export interface PhraseTables {
  /** The words and beginnings one behind the other, in ASCII. */
  readonly spellings: Uint8Array;
  /** Where each starts, and the end of the last. */
  readonly spellingStarts: Uint32Array;
  /** Hash tables of words and of beginnings: id plus one. */
  readonly wordSlots: Uint16Array;
  readonly stemSlots: Uint16Array;
  /** For each node of the trie of literals the word that leads to it. */
  readonly literalWords: Uint16Array;
  /** The first child of each node; the children of a node stand side by side in the order of their words. */
  readonly literalChildren: Uint32Array;
  /** The node that each word leads to from the root; 0 if no literal begins with it. */
  readonly literalStarts: Uint16Array;
  /** 1 for nodes at which a literal ends. */
  readonly literalEnds: Uint8Array;
  /** Bits of the pairs of words with which literals begin, which other pairs share. */
  readonly literalPairs: Uint8Array;
  /**
   * What each element is made of, in one list, because memory is read in this order: a head as in `ELEMENT_HEAD`, and then
   * its parts, rows and terms.
   */
  readonly elements: Lists;
  /** The steps of each row, two items each: the element, and its gap with the bit of optional steps. */
  readonly stepsOfRow: Lists;
  /** The elements that each row needs, rarest first. */
  readonly needsOfRow: Lists;
  /** 1 for rows that match only where a sentence starts. */
  readonly startsSentence: Uint8Array;
  /** The chains of each phrase, as rows. */
  readonly chainsOfPhrase: Lists;
  /** The elements that each phrase needs, rarest first. */
  readonly needsOfPhrase: Lists;
  /** The phrases of each group, a list for each of `PHRASE_KINDS`. */
  readonly phrasesOfGroup: Lists;
  /** The key of each of `needsOfPhrase.items`; those of phrases that groups match with have one. */
  readonly keysOfNeeds: Uint16Array;
  /** The key of each row; those of elements have one. */
  readonly keyOfRow: Uint16Array;
  /** The marks that each term is collected by: the number of their list, which other terms share. */
  readonly markListOfTerm: Uint16Array;
  readonly markLists: Lists;
  /** The keys that may be there with a number, and the bits of its classes. */
  readonly keysOfNumbers: Uint16Array;
  readonly classesOfKeys: Uint8Array;
  /** Keys up to this one are there wherever one of their terms is, and nowhere else. */
  readonly exactKeyCount: number;
  readonly markCount: number;
  readonly groups: readonly GroupInfo[];
}

/** Places in the head of an element. */
export const ELEMENT_HEAD = {
  /** The mark that has collected its own terms, or all of it if it is an exact key; 0 for none. */
  mark: 0,
  /** Bits of the classes of numbers. */
  numbers: 1,
  parts: 2,
  rows: 3,
} as const;
/** Items of the head of an element. */
export const ELEMENT_HEAD_LENGTH = 4;

/** Bit that marks an optional step beside its gap. */
export const OPTIONAL_STEP = 1;
/** Position of the gap in an item of a step. */
export const GAP_SHIFT = 1;
