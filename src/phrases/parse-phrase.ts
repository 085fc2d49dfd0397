import { linear } from "../text/pattern.ts";
import { writeOut } from "./contractions.ts";
import { inflect } from "./inflect.ts";
import { NUMBER_CLASSES, type NumberClass } from "./numbers.ts";
import { createRow, type Element, type Row, type Step } from "./elements.ts";
import type { Phrase, PhraseGraph } from "./phrase-graph.ts";
import { PhraseError } from "./phrase-error.ts";
import { frequencyOf } from "./word-frequency.ts";
import { wordsOf, type Wording } from "./wording.ts";
import type { WordId } from "./vocabulary-builder.ts";

/** Alternatives by name, for `{name}`. */
export type Concepts = Readonly<Record<string, string>>;

const DEFAULT_GAP = 5;
const MAX_GAP = 24;
const WORD = linear(/^[a-z0-9'.]+$/);
const LETTER = linear(/[a-z0-9']/);

/** Of a thousand sentences those with a number. */
const NUMBER_BREADTH = 150;
/** A word that follows another belongs to it more often than not, so a row is rarer than its rarest word. */
const ROW_SHARE = 0.2;

const toStep = (element: Element): Step => ({ element, gap: 0, isOptional: false });

function createWord(graph: PhraseGraph, source: string, phrase: string): Element {
  if (source.startsWith("#")) {
    const numbers = NUMBER_CLASSES[source.slice(1) as NumberClass];
    if (numbers === undefined)
      throw new PhraseError(`unknown class of numbers "${source}" in "${phrase}"`);
    return graph.addElement({ numbers, breadth: NUMBER_BREADTH });
  }
  const mark = source.at(-1);
  const isMarked = mark === "~" || mark === "*";
  const word = isMarked ? source.slice(0, -1) : source;
  // "word..4" is a gap that lacks a space, and would be a word that no text has.
  if (!WORD.test(word) || !LETTER.test(word) || word.includes(".."))
    throw new PhraseError(`expected a word in small letters, got "${source}" in "${phrase}"`);
  const forms = mark === "~" ? inflect(word) : [word];
  const { vocabulary } = graph;
  const words =
    mark === "*" ? [vocabulary.addStem(word)] : forms.map((form) => vocabulary.addWord(form));
  return graph.addElement({
    words,
    breadth: forms.reduce((sum, form) => sum + frequencyOf(form), 0),
  });
}

/** Splits a word of a phrase as the words of a text are split: a contraction or a hyphen makes several. */
function readWords(graph: PhraseGraph, source: string, phrase: string): readonly Step[] {
  let steps = graph.words.get(source);
  if (!steps) {
    const words = source.includes("-") ? source.split("-") : [source];
    const writtenOut = words.flatMap((word) => writeOut(word) ?? word);
    steps =
      writtenOut.length === 1 && writtenOut[0] === source
        ? [toStep(createWord(graph, source, phrase))]
        : writtenOut.flatMap((word) => readWords(graph, word, phrase));
    graph.words.set(source, steps);
  }
  return steps;
}

function readGap(source: string, phrase: string): number {
  const gap = source === ".." ? DEFAULT_GAP : Number(source.slice(2));
  if (gap > 0 && gap <= MAX_GAP) return gap;
  throw new PhraseError(`expected a gap of 1 to ${MAX_GAP} words, got "${source}" in "${phrase}"`);
}

/** Returns the position behind the parenthesis that closes the one at a position. */
function findGroupEnd(source: string, start: number, phrase: string): number {
  let depth = 0;
  for (let index = start; index < source.length; index++) {
    const code = source.charCodeAt(index);
    if (code === OPEN) depth++;
    else if (code === CLOSE && --depth === 0) return index + 1;
  }
  throw new PhraseError(`expected ")" in "${phrase}"`);
}

const SPACE = 0x20;
const OPEN = 0x28;
const CLOSE = 0x29;
const BAR = 0x7c;
const BRACE = 0x7b;
const QUESTION = 0x3f;

/** Returns the position behind a group, a concept or a word, without the question mark that makes it optional. */
function findPartEnd(source: string, start: number, phrase: string): number {
  if (source.charCodeAt(start) === OPEN) return findGroupEnd(source, start, phrase);
  const space = source.indexOf(" ", start);
  const end = space < 0 ? source.length : space;
  return source.charCodeAt(end - 1) === QUESTION ? end - 1 : end;
}

/** Splits at a bar that is in no parentheses. */
function splitAlternatives(source: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < source.length; index++) {
    const code = source.charCodeAt(index);
    if (code === OPEN) depth++;
    else if (code === CLOSE) depth--;
    else if (code === BAR && depth === 0) {
      parts.push(source.slice(start, index).trim());
      start = index + 1;
    }
  }
  parts.push(source.slice(start).trim());
  return parts;
}

const ONE_WORD = linear(/^#?[a-z0-9'~*-]+$/);

/** Returns whether an alternative is a single word, as most are. */
const isWord = (alternative: string): boolean => ONE_WORD.test(alternative);

/** Reads phrases with a set of concepts; elements that are written alike are shared. */
export class PhraseReader {
  readonly #graph: PhraseGraph;
  readonly #wording: Wording<Concepts>;
  #concepts: Concepts | undefined;
  readonly #parent: PhraseReader | undefined;
  readonly #phrases = new Map<string, Phrase>();
  /** Phrases share chains that are written alike, so that a text looks for them once. */
  readonly #chains = new Map<string, Row>();
  readonly #groups = new Map<string, Element>();
  readonly #read = new Map<string, Element>();
  readonly #open = new Set<string>();

  /**
   * @param graph - Takes what is read.
   * @param parent - Reads the concepts that are not among the given ones.
   */
  constructor(graph: PhraseGraph, concepts: Wording<Concepts>, parent?: PhraseReader) {
    this.#graph = graph;
    this.#wording = concepts;
    this.#parent = parent;
  }

  /**
   * Reads a phrase.
   *
   * @throws {@link PhraseError} that says where.
   */
  read(source: string): Phrase {
    let phrase = this.#phrases.get(source);
    if (!phrase) {
      phrase = this.#readPhrase(source);
      this.#phrases.set(source, phrase);
    }
    return phrase;
  }

  #readPhrase(source: string): Phrase {
    const chains = source.split(" & ").map((chain) => this.#readChain(chain.trim(), source));
    const { needed } = createRow(chains.flatMap(({ steps }) => steps));
    return this.#graph.addPhrase({ chains, needed });
  }

  #readChain(source: string, phrase: string): Row {
    let chain = this.#chains.get(source);
    if (!chain) {
      const isAtStart = source.startsWith("^");
      const steps = this.#readSteps(isAtStart ? source.slice(1) : source, phrase);
      chain = createRow(steps, isAtStart);
      this.#chains.set(source, chain);
    }
    return chain;
  }

  #readSteps(source: string, phrase: string): readonly Step[] {
    const steps: Step[] = [];
    let gap = 0;
    let index = 0;
    while (index < source.length) {
      if (source.charCodeAt(index) === SPACE) {
        index++;
        continue;
      }
      const end = findPartEnd(source, index, phrase);
      const part = source.slice(index, end);
      const isOptional = source.charCodeAt(end) === QUESTION;
      index = isOptional ? end + 1 : end;
      if (part.startsWith("..")) {
        gap = readGap(part, phrase);
        continue;
      }
      for (const step of this.#readPart(part, phrase)) {
        const isPlain = gap === 0 && !isOptional;
        steps.push(isPlain ? step : { element: step.element, gap, isOptional });
        gap = 0;
      }
    }
    if (steps.length === 0 || steps[0]?.isOptional || gap > 0)
      throw new PhraseError(
        `expected to begin and end with a word, got "${source}" in "${phrase}"`,
      );
    return steps;
  }

  #readPart(part: string, phrase: string): readonly Step[] {
    const code = part.charCodeAt(0);
    if (code === OPEN) return [toStep(this.#readGroup(part, phrase))];
    return code === BRACE
      ? [toStep(this.#readConcept(part, phrase))]
      : readWords(this.#graph, part, phrase);
  }

  #readGroup(source: string, phrase: string): Element {
    const groups = source.includes("{") ? this.#groups : this.#graph.groups;
    let element = groups.get(source);
    if (!element) {
      element = this.#readAlternatives(source.slice(1, -1), phrase);
      groups.set(source, element);
    }
    return element;
  }

  #readConcept(source: string, phrase: string): Element {
    const name = source.slice(1, -1);
    const known = this.#read.get(name);
    if (known) return known;
    this.#concepts ??= wordsOf(this.#wording);
    const alternatives = this.#concepts[name];
    if (alternatives === undefined || !source.endsWith("}")) {
      if (this.#parent) return this.#parent.#readConcept(source, phrase);
      throw new PhraseError(`unknown concept ${source} in "${phrase}"`);
    }
    if (this.#open.has(name)) throw new PhraseError(`the concept {${name}} contains itself`);
    this.#open.add(name);
    // A list that a pack has switched off has no alternatives: it is nowhere.
    const element =
      alternatives === ""
        ? this.#graph.addElement({ breadth: 0 })
        : this.#readAlternatives(alternatives, source);
    this.#open.delete(name);
    this.#read.set(name, element);
    return element;
  }

  #readAlternatives(source: string, phrase: string): Element {
    const words: WordId[] = [];
    const parts: Element[] = [];
    const rows: Row[] = [];
    let numbers = 0;
    let breadth = 0;
    for (const alternative of splitAlternatives(source)) {
      const row = isWord(alternative)
        ? readWords(this.#graph, alternative, phrase)
        : this.#readSteps(alternative, phrase);
      const only = row.length === 1 ? row[0]?.element : undefined;
      if (!only) {
        const created = createRow(row);
        rows.push(created);
        breadth += ROW_SHARE * (created.needed[0]?.breadth ?? 1);
        continue;
      }
      breadth += only.breadth;
      if (only.parts.length > 0 || only.rows.length > 0) parts.push(only);
      else {
        words.push(...only.words);
        numbers |= only.numbers;
      }
    }
    return this.#graph.addElement({ words, numbers, parts, rows, breadth });
  }
}
