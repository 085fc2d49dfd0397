import { defineBuiltInRule } from "../define-rule.ts";
import { fairLending } from "../lexicon/fair-lending.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

/** What a denial must come with: a specific factor, or the notice that states one. */
function reasoned(): string[] {
  return ["{specificReason}", "{noticeOfReasons}"];
}

/** Not a denial, but what would follow one. */
function hypothetical(): string[] {
  return [
    "(if|should|when|whenever|in case|unless|suppose|assuming|once|every time) ..8 {denied}",
    "(may|might|could|would|can) ..3 (declined|denied|rejected|turned down|refused|decline|deny|reject)",
  ];
}

/**
 * Flags denials of credit that name no specific reason, in the whole message.
 *
 * @see 12 CFR § 1002.9(a)(2), (b)(2)
 */
export const fairLendingAdverseActionReasons = defineBuiltInRule({
  id: "fair-lending-adverse-action-reasons",
  name: "Denial without specific reasons",
  description: "A denial of credit without its specific principal reasons.",
  explanation: "The agent denies credit and names no specific reason.",
  category: "fair_lending",
  severity: "violation",
  law: {
    citation: "15 U.S.C. § 1691(d); 12 CFR § 1002.9(a)(2), (b)(2)",
    asOf: "2026-11-21",
    status: "in force",
    note: "Internal standards, or a score that was not reached, are no sufficient reasons.",
  },
  recommendation:
    "State up to four specific principal reasons, or say that the written notice will.",
  impact: { customer: "high", business: "moderate" },
  concepts: fairLending,
  phrases: {
    "reasons-withheld"(): PhraseGroup {
      return {
        within: 3,
        ignore: ["negation", "refusal"],
        about: ["{creditTopic}"],
        match: [
          "{denied} & {reasonWithheld}",
          "{denied} & {blackBox} ..6 {decides}",
          "{denied} & (because|due to|based on|reason|per|under|according to|down to|as|by|since) ..6 {vagueReason}",
          "{denied} & score ..3 (not there|not high|not enough|too low|fell|did not|was not|is not)",
          "{denied} & {vagueReason} ..6 (not met|were not met|was not met|did not|does not|do not|is not|failed|fails|fell short|falls short|say~|said|dictate~|would not|decided)",
          "{blackBox} ..4 (said no|says no|declined|denied|rejected|turned|did not like|spat|kicked|refused|did not pass|did not approve|would not approve|flagged|came back ..3 (no|negative|short|low|declined|denied|red|unfavorable)|returned ..3 (no|negative|decline|denial))",
        ],
        unless: ["{payment}", ...hypothetical()],
        unlessAnywhere: [
          ...reasoned(),
          "(error~|timeout|timed out|outage|nothing has changed|try once more)",
        ],
      };
    },
    "no-notice"(): PhraseGroup {
      return {
        ignore: ["negation", "refusal"],
        match: [
          "(i|we|bank|policy) ..3 (not|never|stopped|skip~|no longer) ..2 (send*|issue*|issuing|mail*|provide*|providing|give*|giving|write*|the)? ..3 (adverse action|denial (notice~|letter~)|notice~ ..1 of ..1 (denial|adverse|rejection)|decline letter~|rejection (letter~|notice~))",
          "(not|never|nothing|skip~|no) ..8 (applicant~|people|customer~|borrower~|anyone|those|person|persons|folks) (who|whom|that|whose|we|i) ..4 (we|i|deny|denied|reject*|turn down|turned down|decline~|refuse~) ..3 (deny|denied|reject*|turn down|turned down|decline~|refuse~)? & (notice~|letter~|explanation|reason~|writing)",
          "(i|we|bank) ..2 (not|never) ..1 (put|confirm|document|explain) ..2 (denial~|rejection~|declines) ..3 (writing|paper)",
          "(not|never) ..2 (give|send|provide|mail|owe|tell) ..1 (denied|rejected|declined) (applicant~|people|customer~|borrower~) ..2 (anything|notice~|letter~|reason~|explanation~|a|any|in)",
          "(applicant~|people|customer~) (we|who) ..4 (deny|denied|reject*|turn down|turned down|decline~|are|were) ..3 not ..2 (get|receive|entitled) ..4 (notice|letter|explanation|reason~)",
        ],
        unless: [
          "(if|unless|because ..3 approved|withdr*|incomplete|counteroffer|counter offer|until|yet|already|instead|by email|electronic*)",
        ],
        unlessAnywhere: ["{otherMatter}"],
      };
    },
    "notice-refused"(): PhraseGroup {
      return {
        ignore: ["negation", "refusal"],
        user: [
          "(adverse action|denial|denied|rejected|declined|turned down|rejection|turndown) ..16 (notice|letter|explanation|reasons)",
          "(notice|letter|explanation|reasons) ..16 (adverse action|denial|denied|rejected|declined|turned down|rejection)",
        ],
        match: [
          "you ..3 not ..3 (get|getting|receive|receiving|be sent|be mailed|hear) ..2 (one|it|anything|notice|letter|any|explanation|from us)",
          "(there|it) ..3 not ..2 (be|is) ..2 (notice|letter|one)",
          "(no|never a) ..2 (notice|letter|explanation) ..4 (sent|mailed|issued|coming|provided|given|written|prepared)",
        ],
        unless: [
          "(if|unless|approved|withdr*|incomplete|counteroffer|counter offer|until|yet|already|instead|by email|electronic*|before|today|days)",
        ],
        unlessAnywhere: ["{otherMatter}", "(within|in) #number (business)? days", "was approved"],
      };
    },
    "criteria-not-met"(): PhraseGroup {
      return {
        ignore: ["negation", "refusal"],
        match: [
          "(you|it|file|application|request|profile) ..3 (fail~ to meet|do not meet|did not meet|does not meet|did not satisfy|does not satisfy|fell short of|falls short of|fall short of|falls outside|fell outside|is outside|did not reach|is below|was below|did not match|does not match|did not fit|does not fit|did not clear|missed) ..3 {vagueReason}",
        ],
        unless: ["{payment}", ...hypothetical()],
        unlessAnywhere: [...reasoned(), "{otherMatter}"],
      };
    },
    "user-asks-why"(): PhraseGroup {
      return {
        ignore: ["negation", "refusal"],
        user: [
          "(why|reason~|how come|what happened|explain|explanation|what for|what was wrong|on what grounds|grounds|specifics|specific)",
        ],
        about: ["{denied}"],
        match: ["{reasonWithheld}", "{vagueReason}", "{blackBox} ..6 {decides}"],
        unless: ["{payment}", ...hypothetical()],
        unlessAnywhere: [...reasoned(), "{otherMatter}"],
      };
    },
    "reasons-kept-back"(): PhraseGroup {
      return {
        // A single cue: shown, but no alert.
        severity: "info",
        confidence: 0.5,
        ignore: ["negation", "refusal", "question"],
        user: [
          "(why|reason~|how come|explain*|explanation|what made|what was|what happened|grounds|did i fail|what for|right to|specific*|denied|declined|rejected|refused|turned down|knocked back|disapproved|human|appeal|approved|again|so)",
        ],
        about: ["({denied}|{creditTopic}|reason~)"],
        match: ["{keptBack}", "{denied}"],
        unless: ["{payment}", ...hypothetical()],
        unlessAnywhere: [
          ...reasoned(),
          "{otherMatter}",
          "{payment}",
          "(let me|i can|i will|we will|i am) ..3 (look|check|find|pull|ask|request|get|send|connect|transfer|review|passing|putting|asking|forwarding)",
          "(delay|have asked|deposit|bills|call|callback|machine|locked|features|login|password|address)",
        ],
      };
    },
    "no-reason-given"(): PhraseGroup {
      return {
        ignore: ["negation", "refusal", "question"],
        about: ["{creditTopic}", "{denied}", "(committee|score|factors|decision)"],
        match: [
          "(not|never|nobody|no one|nothing|unable|without|refuse~|no|none|neither) ..6 (reason~|why|grounds|explanation|factors|which ones|what for|those out|motives)",
          "(reason~|explanation|factors|grounds|criteria) ..4 (withheld|confidential|none|internal|undisclosed|secret|reserved|private|not given|not provided|stays|stay|for us)",
          "(not|no longer|cannot) ..2 (discuss*|debate*|go into|revisit|argue) ..5 (decision|turn down|denial|refusal|decline|which|outcome)",
        ],
        unless: [
          "{payment}",
          ...hypothetical(),
          "(no|not) ..2 (reason|why) ..2 (to|you|not)",
          "(none of the|reason code|is not a specific|not why)",
          "{lawTalk}",
        ],
        unlessAnywhere: [
          "{specificReason}",
          "{payment}",
          "(letter|notice|statement|mail) ..6 (list*|state*|explain*|within|days|reasons)",
          "(within|in) #number days",
          "(scam*|delay|have asked|monitoring|locked|passing you|put you through|connect*|sign in|log in|fee~|balance)",
        ],
        confidence: 0.65,
      };
    },
    "bare-denial"(): PhraseGroup {
      return {
        ignore: ["negation"],
        match: [
          "(your|the|this|that) ..3 {applicationFor} ..6 (was|has been|is|were|got|came back|comes back|did not|will not be|could not be|can not be|has not been|was not) ..3 {deniedWord}",
          "(we|i|bank|lender|underwriting|team|system) ..3 (declined|denied|rejected|turned down|have declined|have denied|have rejected|must decline|have to decline|are declining|are denying|decided against|passed on|had to decline|has declined|will be declining|have decided not to approve|decided not to approve) ..4 {applicationFor}",
          "(we|bank|lender) (can not|could not|are unable to|will not|were unable to|are not able to|were not able to|will not be able to|are not in a position to|regret that we can not) ..3 (approve|offer|extend|grant) ..5 ({applicationFor}|credit|a loan|the loan|the line|this loan|financing)",
          "(not|no longer) ..2 (moving|going|proceeding|move|go|proceed) (forward|ahead) ..3 {applicationFor}",
          "(application|request|loan|loan request|loan application|credit request|mortgage|heloc|limit increase|line increase|refinance) (declined|denied|rejected|refused|turned down|not approved|unsuccessful)",
          "you (were|are|have been) ..2 (declined|denied|rejected|turned down|not approved|refused) ..4 (for|credit|loan|card|mortgage|line|financing)",
          "(it|application|request|loan|decision) (is|was|came back|comes back) ..2 (a no|denied|declined|rejected|a decline|a denial|negative)",
        ],
        about: ["{creditTopic}"],
        unless: [
          "(not|no|until|unless|pending|still|yet) ..3 (decided|final|decision|complete|yet)",
          "{payment}",
          ...hypothetical(),
        ],
        unlessAnywhere: [...reasoned(), "{otherMatter}"],
        confidence: 0.65,
      };
    },
  },
});
