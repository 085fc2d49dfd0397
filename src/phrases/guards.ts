import type { SourceText } from "./source-text.ts";
import { linear } from "../text/pattern.ts";
import { wordSet } from "../text/word-set.ts";
import type { TokenRange } from "./spans.ts";
import { lazyGroup } from "./lazy-group.ts";
import { standsIn } from "./phrase-matches.ts";
import type { Token } from "./token.ts";
import type { Guard } from "./phrase-tables.ts";

/** Every guard, as packs name them. */
export const GUARD_NAMES = [
  "negation",
  "question",
  "refusal",
  "definition",
  "condemnation",
  "others",
  "quotation",
  "condition",
] as const satisfies readonly Guard[];

/** What guards a phrase unless its author says otherwise. */
export const DEFAULT_GUARDS: ReadonlySet<Guard> = new Set(
  GUARD_NAMES.filter((name) => name !== "condition"),
);

type SentenceGuard = Exclude<Guard, "negation" | "quotation" | "question">;

/** What words/guards.yaml says, whichever set the guarded phrases are of. */
const GUARDS = {
  refusal: lazyGroup("guards/refusal"),
  definition: lazyGroup("guards/definition"),
  condemnation: lazyGroup("guards/condemnation"),
  nextCondemnation: lazyGroup("guards/nextCondemnation"),
  others: lazyGroup("guards/others"),
  condition: lazyGroup("guards/condition"),
};

const NEGATION_REACH = 7;
const CONDITION_REACH = 4;
/** Words behind the negation that still are the condition: "if you don't pay". */
const CONDITION_VERB_REACH = 2;
const NEGATIONS = wordSet(`
  not never no none nobody nothing neither nor without unable avoid cannot hardly refuse refuses
  prohibited illegal unlawful forbidden instead
`);
/** "not only", "no problem": a negation of nothing that follows. */
const HARMLESS_AFTER = wordSet(`
  only just matter need to question questions longer forget hesitate doubt
  problem problems worries worry hassle fuss stress panic mistake biggie kidding exaggeration
`);

/** Sentences are judged once for all rules. */
function judge(text: SourceText, sentence: number, guard: SentenceGuard): boolean {
  const key = `${guard}${sentence}`;
  let result = text.guarded.get(key);
  if (result === undefined) {
    result = isMeantOtherwise(text, sentence, guard);
    text.guarded.set(key, result);
  }
  return result;
}

function isMeantOtherwise(text: SourceText, sentence: number, guard: SentenceGuard): boolean {
  const reading = text.reading();
  const stands = (name: keyof typeof GUARDS, at: number): boolean =>
    GUARDS[name]()
      .of("match")
      .some((phrase) => standsIn(reading.index, phrase, reading.tokensOf(at)));
  return (
    stands(guard, sentence) ||
    (guard === "condemnation" && stands("nextCondemnation", sentence + 1))
  );
}

const QUESTION_END = linear(/\?["')\]*_\s]{0,4}$/);

function isQuestion(text: SourceText, index: number): boolean {
  return QUESTION_END.test(text.sentences()[index]?.text.slice(-5) ?? "");
}

/** Returns whether a guard stands before a sentence. */
export function isSentenceGuarded(
  text: SourceText,
  index: number,
  guards: ReadonlySet<Guard>,
): boolean {
  for (const guard of guards) {
    if (guard === "negation" || guard === "quotation") continue;
    if (guard === "question" ? isQuestion(text, index) : judge(text, index, guard)) return true;
  }
  return false;
}

/** Returns the first token before a position from which words of the same clause, or of a list, reach up to it. */
function findClauseStart(tokens: readonly Token[], position: number): number {
  let commas = 0;
  let index = position;
  for (; index > Math.max(0, position - NEGATION_REACH); index--) {
    const { breakBefore } = tokens[index] ?? { breakBefore: 2 };
    if (breakBefore === 1) commas++;
    // One comma may be that of a list ("can't guarantee, promise or assure").
    if (breakBefore === 2 || commas > 1) break;
  }
  return index;
}

/** "I'd rather check than make one up" */
function isRejected(tokens: readonly Token[], index: number): boolean {
  if (tokens[index]?.word !== "than") return false;
  return tokens
    .slice(Math.max(0, index - NEGATION_REACH), index)
    .some(({ word }) => word === "rather");
}

/** "If you don't pay, we will …": the negation is the condition's. */
function isOfCondition(tokens: readonly Token[], negation: number, position: number): boolean {
  if (position - negation <= CONDITION_VERB_REACH) return false;
  const before = tokens.slice(Math.max(0, negation - CONDITION_REACH), negation);
  return before.some(({ word }) => word === "if" || word === "unless");
}

/** Returns whether the word at an index negates what follows up to a position. */
function negates(tokens: readonly Token[], index: number, position: number): boolean {
  if (isRejected(tokens, index)) return true;
  return (
    NEGATIONS.has(tokens[index]?.word ?? "") &&
    !HARMLESS_AFTER.has(tokens[index + 1]?.word ?? "") &&
    !isOfCondition(tokens, index, position)
  );
}

/** Returns whether a negation stands before a token in the same clause. */
export function isNegated(tokens: readonly Token[], position: number): boolean {
  let isBehindComma = false;
  const start = findClauseStart(tokens, position);
  for (let index = position - 1; index >= start; index--) {
    isBehindComma ||= tokens[index + 1]?.breakBefore === 1;
    if (!negates(tokens, index, position)) continue;
    return !isBehindComma || isList(tokens, index, position);
  }
  return false;
}

/** "can't guarantee, promise or assure": the words between the comma and the position are joined by or, nor. */
function isList(tokens: readonly Token[], from: number, to: number): boolean {
  for (let index = from + 1; index <= Math.min(to + 1, tokens.length - 1); index++) {
    const word = tokens[index]?.word;
    if (word === "or" || word === "nor") return true;
  }
  return false;
}

/** Returns whether words stand between quotation marks: somebody else's. */
export function isQuoted(tokens: readonly Token[], { start, end }: TokenRange): boolean {
  for (let index = start; index < end; index++) if (!tokens[index]?.isQuoted) return false;
  return true;
}
