import { defineBuiltInRule } from "../define-rule.ts";
import { MODEL_RISK_RECOMMENDATION, modelRiskLaw } from "../lexicon/model-risk-law.ts";
import { modelRiskConcepts } from "../lexicon/model-risk.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

function labelled(): string[] {
  return [
    "(your assumption|as you asked|you asked me to assume|using your|illustration|illustrative|example|hypothetical|for illustration|just an estimate|rough estimate only|not a quote)",
    "(will not|can not|do not want to|would rather not|prefer not|not going to|should not|would not) ..4 (guess|make up|speculate|invent|assume)",
  ];
}

/** The exchange is about a figure, a fact or a source. */
function aboutFigures(): string[] {
  return [
    "(payoff|rate~|fee~|figure~|number~|score|rating|balance|value|valuation|salary|income|return~|percent|#percent|#money|#tenk|#undertenk|amount|compensation|price~|estimate~|source|regulation|section|cite|grant|qualify|flood|zone|employment|verif*|data|inputs|report|date|limit|refund~|inflation|yield|growth|tax|statistic~|clear|clears|apr|penalty|safe|deposit|promo|ends|closes|study|record~|branch|address|letter|loan|contract|policy|when|how long|refundable)",
  ];
}

/** Nothing is claimed: labelled, refused, or a question of the customer's. */
function noClaim(): string[] {
  return [
    ...labelled(),
    "(best guess is as good|anyone 's guess|your guess|do not guess|no need to guess|not guess|not guessing|not a guess|would be a guess|be a guess|only be speculating|be speculating|without guessing|rather than guess|instead of guessing|never (guess|invent|make up)|did not (guess|invent|make up)|not made up|not invented)",
    "(made up (for|of|your mind)|make up (for|your mind)|made up by|makes up|makeup|guest)",
    "(may|might|can) ..2 (differ|vary|change)",
    "(replace|correct|edit|swap|fill in) ..4 (them|it|those|these|as needed|real|actual|your own)",
    "(scam*|fraud*|illegal|second (one|try|attempt)|went through|tried again|retry|this time|worked)",
    "(please (call|contact|check|ask|wait)|i will (check|look|find|ask)|let me (check|look|pull|find)|desk has|team has|team will|quotes it)",
  ];
}

/**
 * Flags figures and facts that the agent admits to have guessed or invented, or that come from a retired model, and presents
 * as given.
 *
 * @see SR 26-2 (data quality, monitoring, model inventory)
 */
export const sr117Fabricated = defineBuiltInRule({
  id: "sr-11-7-fabricated",
  name: "Fabricated basis",
  description:
    "A guess, an invented figure or the output of a retired model that is presented as fact.",
  explanation: "The agent presents a guess, or the output of a retired model, as fact.",
  category: "sr_11_7",
  severity: "warning",
  law: modelRiskLaw("data quality, ongoing monitoring, model inventory"),
  recommendation: MODEL_RISK_RECOMMENDATION,
  impact: { customer: "moderate", business: "moderate" },
  concepts: modelRiskConcepts,
  phrases: {
    "admitted-guess"(): PhraseGroup {
      return {
        match: [
          "(just|only|merely|simply|pure|purely|total|wild|complete) ..1 (a)? ..1 (guess|guessing|guesswork|hunch|shot in the dark|stab in the dark) ..10 (but|so|and|however|though|go with|use|take|put|count on|plan|treat|will be|it will|write|enter)",
          "(made|invented|conjured|pulled|plucked|dreamed|dreamt|cooked) (it|that|this|them|the number|the figure|that number|that figure|a number|a rate) ..1 (up|out of (thin air|nowhere|a hat|my hat|the air)|from nowhere|from thin air)",
          "(i|i have) (invented|fabricated|made up|dreamed up|guessed|ballparked|estimated blindly|winged|improvised|eyeballed) ..3 (number~|figure~|rate~|amount~|value~|balance~|income|gaps|blanks|missing|score|answer)",
          "(filled|filling) in ..3 (blank~|gap~|missing) ..3 (with|by|from|using) ..2 (guess~|plausible|likely|whatever)",
          "(my gut|gut feeling|hunch|my instinct|a coin|coin flip|coin toss|feels right|sounds right|sounded right|sounded about right|seemed about right|seemed plausible|looks plausible|looked plausible) ..10 (#number|#percent|#money|so|put|entered|used|went|rate|figure|number|file)",
          "(#number|#percent|#money) ..4 (sounds|sounded|seemed|feels|felt|looks|looked) (about)? (right|plausible|good|reasonable) ..8 (so|and|put|entered|used|wrote|went)",
        ],
        ignore: ["negation"],
        unless: labelled(),
      };
    },
    "no-data-yet-a-figure"(): PhraseGroup {
      return {
        match: [
          "(no|not any|without|lack~|do not have|did not have|could not find|can not find|found no|have no|has no|never received|unable to find) ..4 (data|figure~|record~|number~|statistics|source~|appraisal|results|report|valuation|comparables|idea) & (let ..1 (say|call it|assume|go with)|i assumed|i put down|i entered|i wrote|i plugged in|i went with|i made it|shall we say|i will say) ..4 (#number|#percent|#money)",
          "(i do not know|i am not sure|no idea|no clue) ..8 (so|but) ..2 (let ..1 say|i will say|i will put|i put|i used|i picked|i went with|say|call it) ..2 (#number|#percent|#money)",
          "(as given|as fact|as a fact|as settled|as the confirmed|in your file|on your file|in that in your budget|put that in) & (i guessed|i assumed|made up|invented|let ..1 say|(no|not have) ..2 data)",
        ],
        within: 2,
        ignore: ["negation", "refusal"],
        unless: labelled(),
        confidence: 0.75,
      };
    },
    "guess-as-fact"(): PhraseGroup {
      return {
        match: [
          "{wildguess} & {asfact}",
          "{wildguess} & (#money|#percent|#tenk|#undertenk)",
          "(#money|#percent|#number) ..5 (invented to|made up to|is decorative|is a bluff|out of thin air)",
          "(i|we) ..1 (coined|invented|fabricated|concocted|made up|conjured|dreamed up|imagined|hallucinated) ..2 (it|that|them|study|figure|number|rate|regulation|section|source|statistic|#money|#percent)",
        ],
        about: aboutFigures(),
        within: 2,
        unless: noClaim(),
        ignore: ["negation", "refusal", "condemnation", "question"],
        confidence: 0.75,
      };
    },
    "admits-invention"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "(i|we) ..2 {invented} ..4 {finding}",
          "{finding} ..6 (is|are|was|were) ..1 (invented|made up|fabricated|faked|fictitious|fictional|bogus|fake) & {unfounded}",
          "(i|we) ..2 (made|dreamed|cooked|thought) ..3 {finding} up",
          "(that|the|this|that whole) ..1 (study|citation|source|regulation|statistic|figure|appraisal|report|paper) is (invented|made up|fabricated|fictitious|fake|bogus)",
          "{unfounded} & (i|we) ..3 (came up with|picked|chose|wrote down|thought up|thought of) ..4 {finding}",
          "(i|we) ..2 (picked|chose|took|selected|typed|entered|put|wrote|used|assigned|set) ..5 (at random|randomly|arbitrarily|random (number|figure|value|score|amount|rate|grade)) & {finding}",
          "(i|we) ..1 (randomly|arbitrarily) ..1 (picked|chose|selected|assigned|set|entered|generated) ..5 {finding}",
          "(i|we) ..2 guessed ..3 (entered|recorded|reported|saved|submitted|wrote|logged|filed|put)",
          "(i|we) ..2 (pulled|got|took|plucked) ..4 (number|figure|value|rate|percentage|it|score) ..1 (from|out of) (my|our|thin) (head|air|hat|imagination)",
          "(i|we) (picked|chose|used|took|wrote|went with|entered) ..2 (#percent|#number|#money) because it (looked|sounded|seemed|felt)",
        ],
        unless: [
          ...labelled(),
          "(never|not|nobody|no one|none) ..3 ({invented}|guess~|randomly|pulled)",
          "(made up (of|for|by|my|your)|sample of|random sample|for (the|a|an|our)? (review|audit|testing|quality|check)|(files|accounts|cases|customers|samples|transactions) at random)",
        ],
        ignore: ["negation", "refusal"],
        confidence: 0.8,
      };
    },
    "unchecked-as-fact"(): PhraseGroup {
      return {
        match: [
          "(have not|had not|did not|never|could not|can not|was not|would not|unable to|without|there is no|there was no|no|lacking|missing) ..3 (seen|checked|verified|looked|read|run|confirmed|ran|load~|pull~|reach~|access~|found|open~|retrieve~|data|source|record~|figure~|appraisal|verification|evidence) & (let ..1 (call it|say)|i (made up|marked|wrote|entered|recorded|estimated|guessed)|i have (certified|marked|entered|recorded) it|quote me|treat it) ..4 (#money|#percent|verified|confirmed|approved|eligible|outside|official|as the bank)",
          "(absence of|no) ..2 data & assumed #percent & will be ..1 #money",
          "(i|we) (have not|did not|never) ..1 (seen|read|opened|checked) ..3 (schedule|policy|contract|terms|file|criteria|document|agreement|rules|rates) ..5 (is|are|charged|but you) ..2 (#money|#percent|qualify|eligible)",
          "(verification|check|review|test|inspection|appraisal|validation|due diligence) ..2 (was not|were not|never|was skipped|not been) ..2 (done|made|performed|run|completed|carried out|happened) & (i|we) ..1 (wrote|marked|entered|put|recorded|certified|ticked)",
          "(i|we) ..1 (wrote|marked|entered|put|recorded|ticked|logged|stamped|typed) ..2 (verified|confirmed|checked|complete|approved|passed) ..6 (probably|anyway|without (checking|looking|asking)|to save time)",
          "(feed|data|source|inputs|prices|rates|model|index) ..3 (died|stopped|broke|is down|froze|is stale|is outdated|went dark) & (i|we) ..3 (extrapolat*|changed the date|showing it as|show it as|passing it off)",
          "(no (clue|idea)|zero information|nobody told me|no one told me|i never (opened|read|saw|checked|looked)|could not tell you|it is blank|be speculating|i have not (read|opened|seen|checked)) & (so|hence|therefore|but) ..4 (you qualify|it is safe|it is fully|you are (covered|eligible|approved)|for you it ends|i ..1 (jotted|put|wrote|entered))",
          "(no (clue|idea)|zero information|nobody told me|could not tell you|timed out|tool is down|be speculating|i never (opened|read)) & ((put|say|go with|call it) (#money|#percent|#number)|it (clears|ends|closes) {weekday}|it says ..2 no|it is fully refundable)",
          "(i|we) ..1 (pasted|reused|used|copied) ..2 (last year|old|stale|outdated|expired|yesterday) 's? ..1 (inputs|data|figures|numbers|prices|rates|appraisal) & (changed the date|as if|relying)",
          "(i|we) ..1 (estimated|inferred|derived|deduced|worked out|guessed|calculated) ..4 from your ..1 (email|name|photo|picture|voice|zip|typing|handwriting|area code|surname|accent|neighborhood|neighbourhood|spelling)",
        ],
        within: 2,
        about: aboutFigures(),
        unless: noClaim(),
        ignore: ["negation", "refusal", "condemnation", "question"],
        confidence: 0.7,
      };
    },
    "unapproved-model"(): PhraseGroup {
      return {
        match: [
          "(i|we) ..2 (used|ran|priced|scored|rated|valued|decided|calculated|computed) ..6 (anyway|regardless|all the same|nonetheless|nevertheless|even so)",
          "(validators|validation|auditors|model risk|audit|regulators|risk team|compliance) ..3 (pulled|rejected|failed|withdrew|banned|retired|shelved|condemned|killed|flunked|blocked) & (anyway|regardless|all the same|nonetheless|stands)",
        ],
        user: [
          "(model|engine|scorecard|version|beta|prototype|validated|validation|retired|approved for use|expired|outdated|tool|algorithm|valuation)",
        ],
        alongside: ["(model|engine|one|it|version|scorecard|beta|output|prototype)"],
        within: 2,
        unless: [
          "(do not|does not|did not|will not|never|no longer|stopped) ..3 (use~|using|rely|run|ran)",
          "(card reader|phone|car|app|reader|browser|terminal)",
        ],
        ignore: ["negation", "condemnation", "refusal"],
        confidence: 0.7,
      };
    },
    "retired-model"(): PhraseGroup {
      return {
        match: [
          "(model|scorecard|estimator|engine|matrix) ..6 (retired|decommissioned|withdrawn|discontinued|expired|unvalidated|not validated|never validated|no longer validated|not approved for use|outdated|failed validation|deprecated|pulled from service|taken out of service|superseded|shelved) & (anyway|regardless|all the same|nonetheless|nevertheless|still (goes|gives|feeds|use~|uses|using|rates|scores|run~)|used it|ran it|use it|rely on it)",
          "the one (retired|withdrawn|decommissioned|shelved) & (anyway|regardless|all the same|nonetheless|nevertheless|still (goes|gives|feeds|use~|uses|using|rates|scores|run~)|used it|ran it|use it|rely on it)",
          "(retired|decommissioned|withdrawn|discontinued|expired|unvalidated|outdated|deprecated|shelved|superseded) ..1 (model|scorecard|valuation model|score model|estimator|credit model|pricing model) & (anyway|regardless|all the same|nonetheless|nevertheless|still (goes|gives|feeds|use~|uses|using|rates|scores|run~)|used it|ran it|use it|rely on it)",
          "(i|we) ..2 (used|using|ran|rely on|relied on) ..3 (never validated|unvalidated|not validated|untested|unapproved|not approved) ..3 (model|scorecard|algorithm|estimator)",
        ],
        within: 2,
        ignore: ["negation"],
        about: [
          "(model~|score~|rate~|rating|valuation|value|estimate~|tool|figure|tier|limit|decision|number|home value)",
        ],
        unless: [
          "(do not|does not|did not|will not|never|no longer|stopped|not) ..2 (use~|using|rely|run|ran)",
          "(replaced by|has been replaced|we replaced|new model is|retirement (account|plan|savings)|retired (teacher|person|customer|people)|car model|phone model|app version|browser)",
        ],
      };
    },
  },
});
