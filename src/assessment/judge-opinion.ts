import { isDefinedRule } from "../compliance/is-defined-rule.ts";
import { overlaps, type Passage, passageOf } from "../compliance/passages.ts";
import type { ComplianceFlag, ComplianceRule } from "../events/compliance.ts";
import type { CheckedClaim } from "../judge/judge-reply.ts";
import type { Judgement } from "../judge/judgement.ts";
import type { SentTurn } from "../judge/sent-exchange.ts";
import { REDACTION_TOKEN } from "../redaction/token.ts";

type Range = Pick<Passage, "start" | "end">;

/** A piece of a redacted text, and where it stands there and in the text as it is. */
interface Piece extends Range {
  readonly sentStart: number;
  readonly sentEnd: number;
}

/** Finds the pieces of a redacted text in the text as it is, up to the first that does not fit. */
function align(sent: string, whole: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  let sentFrom = 0;
  const literals = [...sent.matchAll(REDACTION_TOKEN)].map(({ index, 0: token }) => {
    const literal = { text: sent.slice(sentFrom, index), at: sentFrom, token: token.length };
    sentFrom = index + token.length;
    return literal;
  });
  literals.push({ text: sent.slice(sentFrom), at: sentFrom, token: 0 });
  for (const [index, { text, at, token }] of literals.entries()) {
    const isEnd = token === 0 && text === "";
    const start = isEnd ? whole.length : index === 0 ? 0 : whole.indexOf(text, from);
    if (start < 0 || !whole.startsWith(text, start)) break;
    const last = pieces.at(-1);
    if (last) pieces.push({ sentStart: last.sentEnd, sentEnd: at, start: last.end, end: start });
    pieces.push({ sentStart: at, sentEnd: at + text.length, start, end: start + text.length });
    from = start + text.length;
    if (token === 0) break;
  }
  return pieces;
}

/**
 * Returns where a passage of a text that was redacted stands in the text as it is: a token stands for all that was taken out.
 *
 * @returns `undefined` where it can't be known.
 */
export function toOriginalRange(
  sent: string,
  whole: string,
  { start, end }: Range,
): Range | undefined {
  if (whole.startsWith(sent.slice(0, end))) return { start, end };
  const pieces = align(sent, whole);
  const first = pieces.find(({ sentEnd }) => start < sentEnd);
  const last = pieces.find(({ sentEnd }) => end <= sentEnd);
  if (!first || !last) return undefined;
  const isLiteral = (piece: Piece): boolean =>
    piece.end - piece.start === piece.sentEnd - piece.sentStart;
  return {
    start: isLiteral(first) ? first.start + (start - first.sentStart) : first.start,
    end: isLiteral(last) ? last.start + (end - last.sentStart) : last.end,
  };
}

/**
 * How sure a finding is. `confirmed`: proven by digits or tools, always reviewed, or shared by the judge; `contradicted`: the
 * judge has read the exchange and does not share it; `unjudged`: nothing is known beside the finding itself.
 */
export type FindingTier = "confirmed" | "contradicted" | "unjudged";

/** What the judge thinks of a finding of the first stage. */
export interface Opinion {
  readonly finding: ComplianceFlag;
  readonly tier: FindingTier;
  /** What the judge found of the same; absent where it found nothing. */
  readonly claim?: CheckedClaim | undefined;
}

/** A judgement, as it stands to what the first stage found. */
export interface WeighedJudgement {
  /** One for each finding of the first stage in the family. */
  readonly opinions: readonly Opinion[];
  /** What the first stage has not found: findings of the judge's own, always `confirmed`. */
  readonly added: readonly CheckedClaim[];
}

/** Confidence from which what a check finds is a proof; below it the check itself has doubts. */
const PROOF = 0.85;

/**
 * Returns whether a finding needs no opinion: digits or a tool prove it, or its rule has everything reviewed.
 *
 * What the second look has weighed is a matter of words, and no proof.
 */
export function isProven(
  { context, confidence = 1 }: ComplianceFlag,
  rule: ComplianceRule | undefined,
): boolean {
  if (!rule || !isDefinedRule(rule)) return false;
  const isByCheck =
    context?.secondLookVersion === undefined &&
    confidence >= PROOF &&
    rule.checkedPatterns.some((name) => context?.detectedPattern === `${rule.id}/${name}`);
  return isByCheck || rule.alwaysReview;
}

/** The texts that a judgement is about. */
export interface JudgedTexts {
  /** As the model got them. */
  readonly sent: SentTurn;
  /** As they are. */
  readonly whole: SentTurn;
}

/** Returns where a claim stands in the message as it is; `undefined` for tools, and where it can't be known. */
export function toClaimPassage({ source, start, end }: CheckedClaim, { sent, whole }: JudgedTexts) {
  if (source === "tools" || source === "facts") return undefined;
  const range = toOriginalRange(sent[source] ?? "", whole[source] ?? "", { start, end });
  return range && { source, ...range };
}

interface LocatedClaim {
  readonly claim: CheckedClaim;
  readonly passage: Passage | undefined;
}

/** Finds the claim that shares a finding best: of its rule and on its passage, else of its rule, else on its passage. */
function findShared(
  located: readonly LocatedClaim[],
  finding: ComplianceFlag,
): CheckedClaim | undefined {
  const place = passageOf(finding);
  const rank = ({ claim, passage }: LocatedClaim): number =>
    (claim.ruleId === finding.rule ? 2 : 0) +
    (place && passage && overlaps(place, passage) ? 1 : 0);
  const [best] = located.toSorted((one, other) => rank(other) - rank(one));
  return best && rank(best) > 0 ? best.claim : undefined;
}

/**
 * Returns whether what a judgement does not say means anything: it did not fail, has seen the whole exchange, and nothing that it
 * claimed was dropped.
 */
export function isConclusive({ failure, isCut, dropped }: Judgement): boolean {
  const isDropped = Object.values(dropped).some((count) => count > 0);
  return failure === undefined && !isCut && !isDropped;
}

/**
 * Weighs a judgement against what the first stage found in the family.
 *
 * A finding is shared by a claim of the same rule, or by one on the same passage. Nothing is contradicted by a judgement that
 * is not conclusive.
 */
export function weighJudgement(
  judgement: Judgement,
  findings: readonly ComplianceFlag[],
  rules: ReadonlyMap<string, ComplianceRule>,
  texts: JudgedTexts,
): WeighedJudgement {
  const { claims, family } = judgement;
  const located = claims.map((claim) => ({ claim, passage: toClaimPassage(claim, texts) }));
  const shared = new Set<CheckedClaim>();
  const opinions = findings
    .filter(({ category }) => category === family)
    .map((finding): Opinion => {
      const claim = findShared(located, finding);
      if (claim) {
        shared.add(claim);
        return { finding, tier: "confirmed", claim };
      }
      if (isProven(finding, rules.get(finding.rule))) return { finding, tier: "confirmed" };
      return { finding, tier: isConclusive(judgement) ? "contradicted" : "unjudged" };
    });
  return { opinions, added: claims.filter((claim) => !shared.has(claim)) };
}

/** Returns whether somebody must look at a finding of the first stage because of what the judge says of it. */
export const demandsReview = ({ tier }: Pick<Opinion, "tier">): boolean => tier === "confirmed";
