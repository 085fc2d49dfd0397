import type { ImpactLevel } from "../events/base-event.ts";
import type {
  ComplianceCategory,
  ComplianceSeverity,
  InteractionContext,
} from "../events/compliance.ts";
import type { Exchange } from "../phrases/exchange.ts";
import type { Concepts } from "../phrases/parse-phrase.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";
import type { SourceText, TextSource } from "../phrases/source-text.ts";
import type { Range } from "../text/pattern.ts";

/** The law behind a rule, as it stood when it was read. */
export interface RuleLaw {
  /** Acts, rules and guidance, in the form in which they are cited. */
  readonly citation: string;
  /** Date of reading, `YYYY-MM-DD`. */
  readonly asOf: string;
  /** Whether it binds. */
  readonly status: "in force" | "proposed" | "guidance";
  /** What a reader of the citation must know beside it. */
  readonly note?: string;
}

/** Where a finding stands in a message, in UTF-16 units. */
export interface FindingSpan extends Range {
  /** The message. */
  readonly source: TextSource;
}

/** What a rule's `check` found. */
export interface Finding {
  /** One of the rule's `patterns`. */
  readonly pattern: string;
  /** Explains the finding in one sentence. @defaultValue the rule's explanation */
  readonly description?: string;
  /** How likely it is right, 0 to 1. Below the rule's threshold it is a candidate. */
  readonly confidence: number;
  /**
   * Weight of the finding.
   *
   * @defaultValue the rule's severity
   */
  readonly severity?: ComplianceSeverity;
  /** The message that it was found in, if it was in one, and where in its normalised text. */
  readonly text?: SourceText;
  /** Where in the normalised text, in UTF-16 units. */
  readonly range?: Range;
  /** What was found outside the messages, `transactionContext.amount=9600`; no personal data. */
  readonly evidence?: string;
  /** Members of the context that contributed, `customerProfile.riskRating=high`. */
  readonly riskFactors?: readonly string[];
}

/** An exchange that shows what a rule means: members of an `InteractionContext`. */
export interface RuleExample extends Pick<
  InteractionContext,
  "userMessage" | "agentResponse" | "transactionContext" | "riskFactors"
> {
  /** Tool calls, as far as they matter. */
  readonly toolsUsed?: readonly object[] | undefined;
  /** What matters of the customer. */
  readonly customerProfile?: object | undefined;
  /** Earlier turns; a judge is not shown an example that needs them. */
  readonly history?: readonly object[] | undefined;
}

/** Exchanges that break a rule, and tempting ones that don't. */
export interface RuleExamples {
  /** They break it. */
  readonly violating: readonly RuleExample[];
  /** They look as if they did, and don't. */
  readonly compliant: readonly RuleExample[];
}

/** A rule as its author writes it. */
export interface RuleDefinition {
  /** `<category>-<subject>` in kebab case. */
  readonly id: string;
  /** Short name for lists. */
  readonly name: string;
  /** Version of the rule, which its findings name. */
  readonly version?: string;
  /** What the rule flags. */
  readonly description: string;
  /** What must be known to apply it; a judge reads it. */
  readonly notes?: string;
  /** What a judge is shown of it: at most four of each kind, evenly over the list. */
  readonly examples?: RuleExamples;
  /** What a finding says, in one sentence, unless its pattern has a description of its own. */
  readonly explanation: string;
  /** Area of law. */
  readonly category: ComplianceCategory;
  /** Severity of a finding that states none. */
  readonly severity: ComplianceSeverity;
  /** The law behind it. */
  readonly law: RuleLaw;
  /** What to do about a finding. */
  readonly recommendation: string;
  /** What a finding means for the customer and for the bank. */
  readonly impact: { readonly customer: ImpactLevel; readonly business: ImpactLevel };
  /**
   * Confidence from which something found is a finding, 0 to 1. What lies below is a candidate: it is on no event, has no
   * part in the score and demands no review, and is only given to whoever asks for candidates.
   *
   * @defaultValue 0.6
   */
  readonly threshold?: number;
  /** Sends every warning and violation of this rule to review, whatever the `risk_threshold`. @defaultValue false */
  readonly alwaysReview?: boolean;
  /** Keeps its findings out of telemetry, because they would reveal a SAR. @defaultValue false */
  readonly confidential?: boolean;
  /**
   * Groups of words that the phrases name, beside the common ones; or a function that gives them when the first phrase
   * is read. Rules that share the object, or the function, share what is read.
   */
  readonly concepts?: Concepts | (() => Concepts);
  /**
   * What to look for in the messages, by the name of the pattern; names are stable over releases. A group may be a method
   * that gives it: a rule with much wording then costs nothing at start.
   */
  readonly phrases?: Readonly<Record<string, PhraseGroup | (() => PhraseGroup)>>;
  /** Names of the patterns that `check` yields. */
  readonly patterns?: readonly string[];
  /**
   * Reads what phrases can't: tools, transactions, earlier turns. Must be pure and must not throw.
   *
   * @param exchange - The messages of the interaction and of the turns before, prepared once for all rules.
   */
  check?(context: InteractionContext, exchange: Exchange): Iterable<Finding>;
}

/** What a rule says of itself beside its phrases. */
export type RuleFacts = Omit<RuleDefinition, "phrases" | "concepts" | "patterns">;

/** The pack that a rule is of, as it is when the rule finds something. */
export interface RulePack {
  /** Name of the pack. */
  readonly id: string;
  /** Version of the pack. */
  readonly version: string;
  /** SHA-256 of its files, in hex. */
  readonly sha256: string;
}
