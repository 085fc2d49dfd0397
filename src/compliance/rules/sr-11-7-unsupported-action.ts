import type { InteractionContext } from "../../events/compliance.ts";
import { defineBuiltInRule, type Finding } from "../define-rule.ts";
import { MODEL_RISK_RECOMMENDATION, modelRiskLaw } from "../lexicon/model-risk-law.ts";
import { actionConcepts } from "../lexicon/actions.ts";
import { createFinder } from "../phrases/finder.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";
import { readExchange, type Exchange } from "../text/exchange.ts";
import type { SourceText } from "../text/source-text.ts";
import { concerns, findFailedCall, toOutcomes } from "../tools/outcomes.ts";
import { findContradiction } from "../tools/stated-values.ts";
import { listValues } from "../tools/tool-results.ts";

/** Says that it did not work, or that it is only under way. */
function honest(): string[] {
  return [
    "(could not|can not|was not able|were not able|not able to|unable|did not|does not|do not|has not|have not|had not|was not|is not|were not|are not|not yet|never) ..4 (go through|work|worked|complete~|completed|done|process~|find|found|reach|send|sent|move|moved|change|changed|block~|cancel~|update~|get|retrieve|access|see|load|pull|post~|take|place|placed|succeed|able|possible|freeze|frozen|lower|raise|stop|stopped|issue~|book~|add~|set|accepted|approved|granted|waived|refunded|honored|permitted)",
    "(fail~|failure|error~|declined|rejected|refused|timed out|time out|timeout|unavailable|trouble|problem with|problems|unsuccessful|unsuccessfully|down right now|bounced|issue with|glitch|went wrong|hiccup|apologize that|afraid)",
    "(on hold|held|pending|not yet|under review|bounced|queued)",
    "(try again|try later|retry|attempt again|instead|would need|will need to|once it|as soon as|when the system|still (the same|unchanged|open|active|pending)|unchanged|stays (the same|as it)|nothing (was|has|changed|moved)|no (change|money|payment) ..3 (was|has|made|moved))",
  ];
}

/** The answer asks, explains, or hands over, and so claims no result. */
function claimsNothing(): string[] {
  return [
    "(please|could you|can you|would you|do you|shall i|should i|let me|i will|we will|i am going to|one moment|bear with|hold on|checking|working on|looking into) ..6 (call|contact|check|confirm|try|tell|provide|send|share|enter|give|look|find|ask|transfer|connect|verify|sign|log|visit|wait|know|see|want|like|need|moment|that|it|this)",
    "(pending|on hold|held|under review|declined|denied|rejected|returned|cancelled|canceled|bounced|expired|blocked|queued|reversed|not yet|waiting|awaiting|incomplete|partial|partially|only|however|unfortunately|sorry|apologies|regret)",
    "(you can|you may|you could|you need to|you will need) ..6 (call|contact|visit|use|try|go|sign|log|find|do|turn|change|book|reach)",
    "(call|contact|visit|reach out|speak) ..4 (us|branch|team|number|support|line|desk|bank|on the back|555|800|888)",
  ];
}

function silentClaims(): PhraseGroup {
  return {
    match: [
      "(now|already|just|fresh|new|moment|today|tonight|tomorrow|friday|monday|tuesday|wednesday|thursday|saturday|sunday|yours|thing of the past|history|enjoy|worked|works|rest easy|winging|in the mail|own|has|have|own|yes|consider|sorted|from now on|no longer|good news|great news|congratulations|congrats|all yours|voila|presto|boom|bingo|tada|done|up and running|good to go|calendar|see you|it is|that is|over|out|in|on|off|back|gone|up|down|there|here|way|ready|go|goes|went|gets|got|hear|see|receive~|arrive~|land~|reflect~|show~)",
    ],
    unlessAnywhere: [...honest(), ...claimsNothing()],
    ignore: ["negation", "others", "definition"],
  };
}

function denials(): PhraseGroup {
  return {
    match: [
      "^ (it is|they are|it does|yes|yep|yeah|sure is|sure|correct|right|indeed|absolutely|that is right|it has|it was|of course|certainly|on|active|enabled)",
    ],
    unlessAnywhere: [...honest(), "(not|no|off|disabled|inactive|never)"],
    ignore: ["negation"],
  };
}

function claims(): PhraseGroup {
  return {
    match: [
      // "Your card is blocked", "the payment was completed", "a stop payment has been placed"
      "(your|the|a|an|all|this|that|it|both|everything|they|she|he|you) ..6 (is|are|has been|have been|was|were|been|got|is now|are now|'s|now) ..2 {done}",
      // "I've reduced", "I stopped"
      "(i|we) ..3 ({done}|took care of|made sure|put through|took off|turned off|switched off|set up|sent out)",
      // "Blocked.", "Card blocked.", "Limit raised to 1 million."
      "^ (yes|yep|ok|okay|sure|great|perfect|good|certainly|absolutely|no|of|alright|done|card|limit|account|payment|transfer|check|address|order|request|both|#money) ..4 {done}",
      "^ {done}",
      "(all set|all done|it is done|that is done|that is sorted|sorted|taken care of|good to go|you are set|you are all set|mission accomplished|consider it done|that is all|went through|gone through|came through|has gone out|is on its way|are on their way|on the way|went out|just landed|landed in|hit your account|in effect|effective immediately|is live|is active now|is off now|is on now|is gone|are gone|is yours|is in place|rings you|calls you|will call you|is waiting)",
      "^ done",
      "(success|successful|successfully|complete|completed)",
      // The value that the tool did not give.
      "(you have|you 's|balance ..3 (is|of)|available|owe|stands at|sits at|comes to|total is|amount is|payoff is|rate is|score is|limit is|limit to|is now|it is|payment is|due is) ..5 (#money|#percent|#number)",
      "#money ..3 (available|left|in your|on your|is your|in checking|in savings|is available|due|owed|outstanding)",
      // "She's on", "Lupe has it"
      "(will not|can not|no longer) ..3 (see it|be charged|charge you|bill you|hear from|receive|get) ..3 (again|anymore|any more)",
    ],
    unlessAnywhere: honest(),
    ignore: ["negation"],
  };
}

const findSilentClaims = createFinder(
  "unsupported-action/silent-claims",
  silentClaims,
  actionConcepts,
);
const findDenials = createFinder("unsupported-action/denials", denials);
const findClaims = createFinder("unsupported-action/claims", claims, actionConcepts);

const wordsOf = (text: SourceText | undefined): readonly string[] =>
  (text?.sentences() ?? []).flatMap(({ tokens }) => tokens.map(({ word }) => word));

function findFailed(context: InteractionContext, exchange: Exchange): Finding | undefined {
  const outcomes = toOutcomes(context.toolsUsed ?? []);
  if (outcomes.failed.length === 0) return undefined;
  const answer = new Set(wordsOf(exchange.agentResponse));
  const tool = findFailedCall(outcomes, answer);
  if (!tool) return undefined;
  const isRelevant = concerns(tool, new Set([...answer, ...wordsOf(exchange.userMessage)]));
  const [claim] = [...findClaims(exchange), ...(isRelevant ? findSilentClaims(exchange) : [])];
  return (
    claim && {
      ...claim,
      pattern: "failed-tool",
      confidence: isRelevant ? 0.85 : 0.7,
      riskFactors: [`toolsUsed: ${tool.name} failed`],
    }
  );
}

/** "Is it on?" "It is.", when the tool says false. */
function findDeniedFlag({ toolsUsed = [] }: InteractionContext, exchange: Exchange) {
  const asked = new Set(wordsOf(exchange.userMessage));
  const tool = toolsUsed.find(({ result }) =>
    listValues(result).some(({ name, value }) => value === false && asked.has(name)),
  );
  const [claim] = tool ? findDenials(exchange) : [];
  return claim && tool && { ...claim, tool };
}

function findMismatch(context: InteractionContext, exchange: Exchange): Finding | undefined {
  const { toolsUsed = [] } = context;
  if (toolsUsed.length === 0) return undefined;
  const denied = findDeniedFlag(context, exchange);
  const tool =
    denied?.tool ??
    findContradiction(
      toolsUsed,
      exchange.agentResponse?.folded ?? "",
      exchange.userMessage?.folded ?? "",
    );
  return (
    tool && {
      pattern: "other-value",
      description: "The agent states another value than the tool gave.",
      confidence: 0.75,
      evidence: `toolsUsed: ${tool.name} gave another value`,
    }
  );
}

/**
 * Flags answers that report success, or state a value, although the tool that was asked failed or says otherwise.
 *
 * Without tool calls there is nothing to contradict: absence of a record is no proof. A retry that worked counts.
 *
 * @see SR 26-2 (outcomes analysis, monitoring); 12 U.S.C. § 5536
 */
export const sr117UnsupportedAction = defineBuiltInRule({
  id: "sr-11-7-unsupported-action",
  name: "Unsupported action claim",
  description: "A claim of success, or a value, that the tool's own result contradicts.",
  explanation: "The agent reports a success or a value although the tool call failed.",
  category: "sr_11_7",
  severity: "violation",
  law: modelRiskLaw("outcomes analysis, ongoing monitoring", "; 12 U.S.C. § 5536"),
  recommendation: MODEL_RISK_RECOMMENDATION,
  impact: { customer: "high", business: "moderate" },
  patterns: ["failed-tool", "other-value"],
  finders: [findSilentClaims, findDenials, findClaims],
  *check(context) {
    const exchange = readExchange(context);
    const finding = findFailed(context, exchange) ?? findMismatch(context, exchange);
    if (finding) yield finding;
  },
});
