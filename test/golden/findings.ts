import type { ComplianceEvaluation } from "../../src/compliance/evaluation.ts";
import type { ComplianceFlag } from "../../src/events/compliance.ts";
import { compareText, toDigest, type GoldenFile } from "./golden-file.ts";

/** An item, and what the rules made of each of its exchanges. */
export interface EvaluatedItem {
  readonly id: string;
  readonly evaluations: readonly ComplianceEvaluation[];
}

const MAX_EVIDENCE_LENGTH = 60;

function toPlace({ context }: ComplianceFlag): string {
  const spans = context?.["spans"];
  if (Array.isArray(spans))
    return (spans as { source: string; start: number; end: number }[])
      .map(({ source, start, end }) => `${source} ${start}-${end}`)
      .join(" ");
  return JSON.stringify(context?.detectedContent ?? "").slice(0, MAX_EVIDENCE_LENGTH);
}

function toFinding(flag: ComplianceFlag): string {
  const { severity, confidence, context, rule } = flag;
  const { detectedPattern = rule, alsoMatched = [], groupedUnder } = context ?? {};
  return [
    `${detectedPattern} ${severity} ${confidence} ${toPlace(flag)}`,
    ...alsoMatched.map((pattern) => `+${pattern.slice(pattern.indexOf("/"))}`),
    ...(groupedUnder === undefined ? [] : [`under ${groupedUnder}`]),
  ].join(" ");
}

function toLine(id: string, evaluation: ComplianceEvaluation) {
  const { violations, candidates = [], riskScore, requiresReview } = evaluation;
  const verdict = `${riskScore}${requiresReview ? " review" : ""}`;
  const below = candidates.map((flag) => `candidate ${toFinding(flag)}`);
  return [id, verdict, ...violations.map(toFinding), ...below].join(" | ");
}

/** Members of a finding's context that tell of the pack and of the model, which any change of their files changes. */
export const OF_PACK: ReadonlySet<string> = new Set([
  "ruleVersion",
  "packId",
  "packVersion",
  "packSha256",
  "secondLookVersion",
  "secondLookSha256",
]);

/**
 * Sums up an evaluation as it goes on the event, without the time that it took, without what tells of pack and model and
 * without what only a judge asks for.
 */
function toDetail(id: string, evaluation: ComplianceEvaluation): string {
  const { turns: _turns, families: _families, ...kept } = evaluation;
  const { evaluationTime: _time, ...metadata } = kept.metadata;
  const detail = { id, ...kept, metadata };
  return JSON.stringify(detail, (key, value: unknown) => (OF_PACK.has(key) ? undefined : value));
}

/** Makes the golden file of some items: a line for each exchange in which something was found, candidates included, by id. */
export function toFindingsFile(name: string, items: readonly EvaluatedItem[]): GoldenFile {
  const exchanges = items
    .toSorted((one, other) => compareText(one.id, other.id))
    .flatMap(({ id, evaluations }) =>
      evaluations.map((evaluation, index) => ({
        id: evaluations.length > 1 ? `${id}#${index + 1}` : id,
        evaluation,
      })),
    );
  const lines = exchanges
    .filter(({ evaluation }) => {
      const { violations, candidates = [], riskScore, requiresReview } = evaluation;
      return violations.length + candidates.length > 0 || riskScore > 0 || requiresReview;
    })
    .map(({ id, evaluation }) => toLine(id, evaluation));
  const details = exchanges.map(({ id, evaluation }) => toDetail(id, evaluation));
  const head = [
    `# ${items.length} items, ${exchanges.length} exchanges, ${lines.length} with findings or candidates`,
    `# SHA-256 of all, texts of findings included: ${toDigest(details.join("\n"))}`,
  ];
  return { path: `findings/${name}.txt`, text: `${[...head, ...lines].join("\n")}\n`, details };
}
