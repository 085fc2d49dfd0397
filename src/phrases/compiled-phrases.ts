import { KnownWords } from "./known-words.ts";
import { PHRASE_KINDS, type GroupInfo, type PhraseTables, type Guard } from "./phrase-tables.ts";
import { BufferPool } from "./presence-buffers.ts";
import { Vocabulary } from "./vocabulary.ts";

/** A kind of phrases that a group has. */
export type PhraseKind = (typeof PHRASE_KINDS)[number];

/** A group of a set of phrases, ready to be matched with texts. */
export interface CompiledGroup {
  readonly phrases: CompiledPhrases;
  readonly info: GroupInfo;
  readonly guards: ReadonlySet<Guard>;
  /** The list of the phrases that it matches with. */
  readonly list: number;
  /** Returns its phrases of one kind. */
  of(kind: PhraseKind): Uint16Array;
  /** Returns the chains of the phrases that it matches with. */
  chains(): readonly number[];
}

const NO_PHRASES = new Uint16Array();
const KIND_INDEX = Object.fromEntries(PHRASE_KINDS.map((kind, index) => [kind, index])) as Readonly<
  Record<PhraseKind, number>
>;

function listRarestKeys({ phrasesOfGroup, needsOfPhrase, keysOfNeeds }: PhraseTables): Uint16Array {
  const { first } = needsOfPhrase;
  return phrasesOfGroup.items.map((phrase) => {
    const need = first[phrase] ?? 0;
    return need < (first[phrase + 1] ?? 0) ? (keysOfNeeds[need] ?? 0) : 0;
  });
}

/**
 * A set of phrases that was compiled together. It never changes; what it holds beside its tables is memory for the
 * texts that are matched with it.
 */
export class CompiledPhrases {
  readonly tables: PhraseTables;
  readonly vocabulary: Vocabulary;
  /** The words of texts, as these phrases know them. */
  readonly words: KnownWords;
  readonly buffers: BufferPool;
  /** For each of `phrasesOfGroup.items` the key of what it needs most rarely: most phrases end there, and these stand side by side. */
  readonly rarestKeys: Uint16Array;
  readonly #groups: ReadonlyMap<string, number>;
  /** Of each phrase, once they were asked for. */
  readonly #chains: (readonly number[] | undefined)[];

  /** @param wider - A set whose words are no misspellings of the words of this one. */
  constructor(tables: PhraseTables, wider?: CompiledPhrases) {
    this.tables = tables;
    this.vocabulary = new Vocabulary(tables, wider?.vocabulary);
    this.words = new KnownWords(this.vocabulary);
    this.buffers = new BufferPool(tables);
    this.#chains = Array<undefined>(tables.chainsOfPhrase.first.length).fill(undefined);
    this.rarestKeys = listRarestKeys(tables);
    this.#groups = new Map(tables.groups.map(({ name }, index) => [name, index]));
  }

  /**
   * Returns a group by its name.
   *
   * @throws Error if there is none.
   */
  group(name: string): CompiledGroup {
    const index = this.#groups.get(name) ?? -1;
    const info = this.tables.groups[index];
    if (!info) throw new Error(`there is no phrase group "${name}"`);
    const { first, items } = this.tables.phrasesOfGroup;
    const list = index * PHRASE_KINDS.length;
    // Views are slow to make, and texts ask for them time and again.
    const lists = PHRASE_KINDS.map((_kind, at) =>
      items.subarray(first[list + at], first[list + at + 1]),
    );
    const of = (kind: PhraseKind): Uint16Array => lists[KIND_INDEX[kind]] ?? NO_PHRASES;
    return {
      phrases: this,
      info,
      guards: new Set(info.guards),
      list: list + KIND_INDEX.match,
      of,
      chains: () => [...of("match")].flatMap((phrase) => this.chainsOf(phrase)),
    };
  }

  /** Returns the chains of a phrase. */
  chainsOf(phrase: number): readonly number[] {
    const { first, items } = this.tables.chainsOfPhrase;
    return (this.#chains[phrase] ??= [...items.subarray(first[phrase], first[phrase + 1])]);
  }
}
