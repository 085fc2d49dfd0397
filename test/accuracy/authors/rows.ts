import { readRecord } from "../../../src/cli/check/read-record.ts";
import { defineRule, type DefinedRule } from "../../../src/compliance/define-rule.ts";
import { compilePack } from "../../../src/compliance/packs/compile-pack.ts";
import { readBuiltInSource, type PackSource } from "../../../src/compliance/packs/pack-source.ts";
import type { InteractionContext } from "../../../src/events/compliance.ts";
import { judgeFinding, type JudgedText } from "./judge.ts";
import { scorePatterns } from "./patterns.ts";
import { answerLengthOf, type AuthorText } from "./texts.ts";

type PackRule = PackSource["rules"][number];

/** A phrase of a pattern, and what it found by itself. */
export interface RowScore {
  readonly pattern: string;
  readonly phrase: string;
  /** Violations of its area of law, and their authors. */
  readonly right: number;
  readonly authors: number;
  /** Ordinary answers. */
  readonly alarms: number;
}

const NO_CHECKS = { checks: {}, exemptions: {} };
const BASE: InteractionContext = {
  agentId: "agent",
  agentCategory: "tool_calling",
  sessionId: "rows",
  timestamp: 0,
};

/** Gives each phrase of a rule a pattern of its own, by a name that says where it stands. */
function toRowRule(rule: PackRule): PackRule {
  const { check: _check, exemption: _exemption, probes: _probes, ...facts } = rule;
  const patterns: PackRule["patterns"] = {};
  for (const [name, pattern] of Object.entries(rule.patterns))
    if ("match" in pattern)
      for (const [at, phrase] of pattern.match.entries())
        patterns[`${name}-${at}`] = { ...pattern, match: [phrase] };
  return { ...facts, patterns };
}

/** Makes rules whose patterns are the phrases of the built-in ones. */
function toRowRules({ rules, words }: PackSource): DefinedRule[] {
  const { compiled, groups } = compilePack(
    {
      id: "rows",
      version: "1.0.0",
      sha256: "",
      rules: rules.map(toRowRule),
      // Without their names, as one file: all are words of these rules.
      words: words.map(({ value }) => ({ file: "", value })),
    },
    NO_CHECKS,
  );
  return compiled.rules.map(({ title, check: _check, patterns, words: _words, ...facts }) => {
    const own = groups.filter(({ name }) => patterns.some((one) => name === `${facts.id}/${one}`));
    const phrases = own.map(({ name, group }) => [name.slice(facts.id.length + 1), group] as const);
    return defineRule({
      ...facts,
      name: title,
      phrases: Object.fromEntries(phrases),
      concepts: own[0]?.concepts ?? {},
    });
  });
}

/** Judges a text by rules alone: without an engine, which would make one finding of several rows, and without a bound. */
function judge(text: AuthorText, rules: readonly DefinedRule[]): JudgedText {
  const record = readRecord(text);
  const exchanges = record.kind === "conversation" ? record.exchanges : [];
  const findings = exchanges.flatMap((exchange) => {
    const context = { ...BASE, ...exchange.context };
    return rules.flatMap((rule) => {
      const { violations, candidates = [] } = rule.ruleFunction(context);
      return [...violations, ...candidates].map((found) =>
        judgeFinding({ ...found, category: rule.category }, exchange, text.passage),
      );
    });
  });
  return { text, length: answerLengthOf(text), requiresReview: false, riskScore: 0, findings };
}

/** Scores every phrase of the built-in rules' patterns, in their order; those of lists, probes and checks are no rows. */
export function scoreRows(texts: readonly AuthorText[]): RowScore[] {
  const source = readBuiltInSource();
  const rules = toRowRules(source);
  const scores = new Map(
    scorePatterns(texts.map((text) => judge(text, rules))).map((score) => [score.pattern, score]),
  );
  return source.rules.flatMap(({ id, patterns }) =>
    Object.entries(patterns).flatMap(([name, pattern]) =>
      "foundBy" in pattern
        ? []
        : pattern.match.map((phrase, at) => {
            const { recall, alarms, authors = 0 } = scores.get(`${id}/${name}-${at}`) ?? {};
            return {
              pattern: `${id}/${name}`,
              phrase,
              right: recall?.hits ?? 0,
              authors,
              alarms: alarms?.hits ?? 0,
            };
          }),
    ),
  );
}

/** Writes the phrases that no violation of an author shows, those that alarm first. */
export function formatRows(rows: readonly RowScore[]): string[] {
  const idle = rows
    .filter(({ right }) => right === 0)
    .toSorted((one, other) => other.alarms - one.alarms);
  return [
    `  ${rows.length} phrases of patterns, ${idle.length} of which found no violation of an author; ordinary answers in front:`,
    ...idle.map(({ pattern, phrase, alarms }) => `  ${alarms} ${pattern}: ${phrase}`),
  ];
}
