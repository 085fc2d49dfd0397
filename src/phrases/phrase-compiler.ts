import { DEFAULT_GUARDS } from "./guards.ts";
import type { NamedGroup } from "./named-group.ts";
import { packPhrases, type ReadGroup } from "./pack-phrases.ts";
import { PhraseReader, type Concepts } from "./parse-phrase.ts";
import { PhraseGraph, type Phrase } from "./phrase-graph.ts";
import type { PhraseGroup } from "./phrase-group.ts";
import { PHRASE_KINDS, type GroupInfo, type PhraseTables } from "./phrase-tables.ts";
import { wordsOf, type Wording } from "./wording.ts";

const NO_CONCEPTS: Concepts = {};

function toInfo(name: string, source: PhraseGroup): GroupInfo {
  const guards = new Set([...DEFAULT_GUARDS, ...(source.guards ?? [])]);
  for (const guard of source.ignore ?? []) guards.delete(guard);
  const { confidence, severity, description } = source;
  return {
    name,
    in: source.in ?? "agentResponse",
    within: source.within ?? 1,
    ...(source.inSession === true && { inSession: true }),
    guards: [...guards],
    ...(confidence !== undefined && { confidence }),
    ...(severity !== undefined && { severity }),
    ...(description !== undefined && { description }),
  };
}

/** Compiles phrase groups into tables; groups that share their concepts share what is read of these. */
class PhraseCompiler {
  readonly #graph = new PhraseGraph();
  readonly #common: PhraseReader;
  readonly #readers = new Map<Wording<Concepts>, PhraseReader>();
  readonly #groups: ReadGroup[] = [];

  constructor(common: Wording<Concepts>) {
    this.#common = new PhraseReader(this.#graph, common);
  }

  /**
   * Reads a group.
   *
   * @throws {@link PhraseError} for a phrase that can't be read.
   */
  add({ name, group, concepts = NO_CONCEPTS }: NamedGroup): void {
    const source = wordsOf(group);
    const reader = this.#readerOf(concepts);
    const read = PHRASE_KINDS.map((kind): [string, readonly Phrase[]] => [
      kind,
      (source[kind] ?? []).map((phrase) => reader.read(phrase)),
    ]);
    const phrases = Object.fromEntries(read) as ReadGroup["phrases"];
    this.#groups.push({ info: toInfo(name, source), phrases });
  }

  /** Makes tables of all groups. */
  finish(): PhraseTables {
    return packPhrases(this.#graph, this.#groups);
  }

  #readerOf(concepts: Wording<Concepts>): PhraseReader {
    let reader = this.#readers.get(concepts);
    if (!reader) {
      reader = new PhraseReader(this.#graph, concepts, this.#common);
      this.#readers.set(concepts, reader);
    }
    return reader;
  }
}

/**
 * Compiles phrase groups into tables.
 *
 * @param common - Words that all groups may name. Default: none.
 * @throws PhraseError for a phrase that can't be read.
 */
export function compilePhrases(
  groups: Iterable<NamedGroup>,
  common: Wording<Concepts> = NO_CONCEPTS,
): PhraseTables {
  const compiler = new PhraseCompiler(common);
  for (const group of groups) compiler.add(group);
  return compiler.finish();
}
