import type { Report, ReviewerActivity } from "../../quality/report.ts";
import { formatAge, formatDateTime, toWords } from "../parts/format.ts";
import { describeElusion, formatInterval, formatPercent, formatShare } from "./quality-words.ts";

/** A part of the report: sentences, and a table where it has rows. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (number | string)[])[];
}

function toPopulation({ population }: Report): Section {
  const { conversations, answers, agents } = population;
  return {
    title: "Population",
    lines: [`${conversations} conversations with ${answers} answers of agents.`],
    columns: ["Agent", "Conversations", "Answers", "With findings", "Sampled"],
    rows: agents.map((row) => [
      row.agentId,
      row.conversations,
      row.answers,
      row.flagged,
      row.sampled,
    ]),
  };
}

function toReview({ flagged, decided, waiting }: Report): Section {
  const { info, warning, violation } = flagged.findings;
  return {
    title: "Review",
    lines: [
      `${flagged.answers} answers have findings: ${violation} violations, ${warning} warnings, ${info} notes.`,
      `Of the answers with findings ${decided.violations} are violations, ${decided.undecided} are not decided yet.`,
      `At ${formatDateTime(waiting.at)} UTC ${waiting.open} items wait, ${waiting.overdue} of them overdue, ${waiting.escalated} escalated, ${waiting.ofSample} of the sample.`,
    ],
    columns: ["Items decided to be", "Count"],
    rows: decided.outcomes.map(({ disposition, items }) => [toWords(disposition), items]),
  };
}

function toAgeing({ waiting }: Report): Section {
  return {
    title: "Ageing of what waits",
    lines: [],
    columns: ["Age", "Items"],
    rows: waiting.ages.map(({ label, items }) => [label, items]),
  };
}

function toReviewerRow(row: ReviewerActivity): (number | string)[] {
  const { name, roles, closed, approved, decisions, escalated, reopened, refused } = row;
  const time = row.medianMillis === null ? "" : formatAge(row.medianMillis);
  return [
    `${name} (${roles.join(", ")})`,
    closed,
    approved,
    decisions,
    escalated,
    reopened,
    row.overturned,
    refused,
    time,
  ];
}

function toReviewers({ reviewers }: Report): Section {
  return {
    title: "Reviewers",
    lines: reviewers.length === 0 ? ["Nobody has reviewed anything."] : [],
    columns: [
      "Who",
      "Items closed",
      "Approved",
      "Decisions",
      "Escalated",
      "Reopened",
      "Overturned by others",
      "Refused",
      "Median time to decision",
    ],
    rows: reviewers.map(toReviewerRow),
  };
}

function toSample({ sample, recall }: Report): Section {
  const { population, sampled, reviewed, violations, insufficientEvidence, unreviewed } = sample;
  const bounds = recall
    ? [`The findings show ${formatInterval(recall)} of all violations (recall).`]
    : [];
  return {
    title: "What the rules miss",
    lines: [describeElusion(sample), ...bounds],
    columns: ["Answers without findings", "Count"],
    rows: [
      ["all", population],
      ["sampled", sampled],
      ["reviewed", reviewed],
      ["violations", violations],
      ["insufficient evidence", insufficientEvidence],
      ["not reviewed", unreviewed],
      ["found later, out of the sample", sample.flaggedSince],
      ["share missed", sample.elusion ? formatPercent(sample.elusion.estimate) : "not known"],
      [
        "share missed, 95 % interval",
        sample.elusion ? formatInterval(sample.elusion) : "not known",
      ],
    ],
  };
}

function toPrecision({ rules }: Report): Section {
  return {
    title: "Precision of the rules",
    lines: rules.length === 0 ? ["Nothing was found."] : [],
    columns: [
      "Rule",
      "Findings",
      "Violation",
      "False positive",
      "Acceptable",
      "Undecided",
      "Held back",
      "Precision",
    ],
    rows: rules.map((row) => [
      row.rule,
      row.findings,
      row.violation,
      row.false_positive,
      row.acceptable,
      row.undecided,
      row.heldBack,
      formatShare(row.precision),
    ]),
  };
}

function toSuppressions({ suppressions }: Report): Section {
  return {
    title: "Suppressions",
    lines: suppressions.length === 0 ? ["None held."] : [],
    columns: ["Rule", "Agent", "Why", "By", "Until", "Findings held back"],
    rows: suppressions.map((row) => [
      row.rule,
      row.agentId === "" ? "every" : row.agentId,
      row.reason,
      row.createdBy,
      row.revokedAt === null
        ? formatDateTime(row.until)
        : `revoked ${formatDateTime(row.revokedAt)}`,
      row.heldBack,
    ]),
  };
}

function toChanges({ changes, auditSequence }: Report): Section {
  return {
    title: "Changes of what is looked at",
    lines: [`Up to record ${auditSequence} of the audit trail.`],
    columns: ["When (UTC)", "Who", "What", "Record"],
    rows: changes.map(({ at, actor, role, action, sequence }) => [
      formatDateTime(at),
      `${actor} (${role})`,
      action.replace(".", ": "),
      sequence,
    ]),
  };
}

const DAY_MILLIS = 86_400_000;

/** Names the days of a report. */
export function describePeriod({ period: { from, to } }: Pick<Report, "period">): string {
  const day = (millis: number): string => formatDateTime(millis).slice(0, 10);
  return `${day(from)} to ${day(to - DAY_MILLIS)}`;
}

/** Writes the parts of a report, as pages, prints and terminals show them. */
export function toSections(report: Report): Section[] {
  return [
    toPopulation(report),
    toReview(report),
    toAgeing(report),
    toReviewers(report),
    toSample(report),
    toPrecision(report),
    toSuppressions(report),
    toChanges(report),
  ];
}
