import { defineRule } from "../define-rule.ts";
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
export const sr117Fabricated = defineRule({
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
          "(made|making|make|invented|inventing|conjured|pulled|plucked|dreamed|dreamt|cooked) ..3 (it|that|this|them|number~|figure~|up|rate|amount|one) ..3 (up|out of (thin air|nowhere|a hat|my hat|the air)|from nowhere|from thin air|myself)",
          "(i|i have) (invented|fabricated|made up|dreamed up|guessed|ballparked|estimated blindly|filled in|winged|improvised|eyeballed) ..5 (it|that|this|number~|figure~|rate~|amount~|value~|balance~|income|gaps|blanks|missing|rest|date~|score|answer)",
          "(filled|filling|fill) in ..4 (blank~|gap~|missing|rest) ..6 (with|by|from|using|myself|guess~|plausible|likely|what)",
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
          "(no|not any|without|lack~|missing|lacking|do not have|does not have|did not have|could not find|can not find|can not see|found no|find no|have no|has no|never received|did not receive|unable to find|not available|unavailable) ..8 (data|figure~|record~|number~|information|statistics|source~|basis|details|appraisal|statement|income|document~|documentation|results|access|history|history on|report|valuation|verification|comparables|on file|on hand|idea) & (let us say|let us call it|let us assume|let us go with|say|call it|assume|assumed|take|used|use|went with|go with|put|put down|entered|wrote|pick~|picked|plug~|plugged|count on|treat|figure on|make it|made it|shall we say|i will say|i would say|enter|entering|stated) ..5 (#number|#percent|#money)",
          "(do not know|am not sure|no idea|no clue|not certain) ..8 (so|but) ..3 (say|use|take|put|assume|go with|went with|call it|make it|i will put|i put|i used|picked) ..4 (#number|#percent|#money)",
          "(as given|as fact|as a fact|as settled|as confirmed|as the confirmed|as verified|for your file|in your file|on your file|in that in your budget|put that in|in the application|on the application|on the form|for the record) & (guess~|guessed|assumed|made up|invented|let us say|no data|no figure~|no record~|could not find|do not have)",
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
          "{guesswork} & {asfact}",
          "{guesswork} & (#money|#percent|#tenk|#undertenk)",
          "(#money|#percent|#number) ..6 (guess|hunch|gut feel|bluff|thin air|made up|invented|placeholder|decorative)",
          "(i|we|it was|that was|is) ..4 (coined|invented|fabricated|concocted|made up|conjured|dreamed up|plucked|imagined|hallucinated|guessed) ..4 (it|that|them|just now|this|one|the)",
        ],
        about: aboutFigures(),
        within: 2,
        unless: noClaim(),
        ignore: ["negation", "refusal", "condemnation", "question"],
        confidence: 0.75,
      };
    },
    "unchecked-as-fact"(): PhraseGroup {
      return {
        match: [
          "(have not|has not|had not|did not|never|could not|can not|was not|were not|would not|i do not|unable to|without|there is no|there was no|there are no|in the absence of|no|lacking|failing|missing) ..3 (seen|checked|verified|looked|read|run|tested|confirmed|ran|load~|pull~|reach~|access~|found|open~|retrieve~|know|data|source|record~|figure~|statement|appraisal|schedule|done|verification|basis|history|evidence|checking|seeing|looking|running) & (assumed|assume|let us call it|let us say|call it|say|certified|certify|you qualify|wrote|marked|entered|put|recorded|estimated|estimate|guess~|use this|used|went with|go with|submitted|confirmed|so it is|anyway|regardless|all the same|quote me|treat|will be|it is) ..6 (#money|#percent|qualify|verified|confirmed|approved|eligible|outside|official|as)",
          "(i|we) (have not|has not|did not|never) ..1 (seen|checked|verified|looked|run|confirmed|read|opened|tested) ..8 (is|are|but|qualify|charged|rate|fee|will) ..6 (#money|#percent|#number|qualify|eligible|covered|approved)",
          "(verification|check|review|test|inspection|appraisal|validation|due diligence) ..2 (was not|were not|never|was skipped|not been) ..2 (done|made|performed|run|completed|carried out|happened) & (wrote|marked|entered|put|recorded|certified|ticked|states|stated|says|we give|anyway|yet|still|but)",
          "(wrote|marked|entered|put|recorded|ticked|logged|stamped|typed) ..2 (verified|confirmed|checked|complete|approved|passed) ..10 (probably|would have|likely|guess|anyway|without|because it|to save|never|not)",
          "(feed|data|source|input~|table|prices|rates|figures|model|index|numbers|report) ..5 (died|stopped|broke|broken|is down|was down|froze|frozen|expired|stale|outdated|old|last year|months old|years old|years ago|went dark|dried up|corrupt~) & (extrapolat*|since|showing|show|changed the date|change the date|today 's|as current|as today|still|anyway|relying|rely|use|using|official|produced)",
          "(no (clue|idea)|zero information|nobody told me|no one told me|i never (opened|read|saw|checked|looked)|could not tell you|it is blank|blank here|timed out|tool is down|system is down|not in my knowledge|be speculating|i do not know|i have not (read|opened|seen|checked)) & (so|hence|therefore|but|put|say|go with|make it|plan|write|call it|it is|it says|it clears|it ends|it closes) ..6 (#money|#percent|#number|{weekday}|safe|fully|refundable|no penalty|covered|eligible|qualify|approved|guaranteed|the ..1 #number)",
          "(last year|old|stale|outdated|expired|yesterday) 's? ..1 (inputs|data|figures|numbers|prices|rates|statement~|appraisal) & (changed the date|new date|today|current|rely~|relying|anyway|official|as if)",
          "(estimated|inferred|derived|deduced|worked out|guessed|calculated) ..4 (it|that|them|this|income|score|rating|value|salary|age) ..1 from ..3 (email|name|photo|picture|voice|zip|typing|handwriting|area code|surname|accent|neighborhood|neighbourhood|spelling)",
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
          "(used|use|ran|run|priced|scored|rated|valued|decided|calculated|computed|from|with|applied|relied) ..8 (anyway|regardless|all the same|nonetheless|nevertheless|still|even so|despite)",
          "(validators|validation|auditors|model risk|audit|regulators|risk team|compliance) ..3 (pulled|rejected|failed|withdrew|banned|retired|shelved|condemned|killed|flunked|blocked)",
        ],
        user: [
          "(model|engine|scorecard|version|beta|prototype|validated|validation|retired|approved for use|expired|outdated|tool|algorithm|valuation)",
        ],
        alongside: ["(model|engine|one|it|version|scorecard|beta|output|prototype)"],
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
          "(model|scorecard|valuation|score|version|tool|table|matrix|estimator|engine|one) ..6 (retired|decommissioned|withdrawn|discontinued|expired|unvalidated|not validated|never validated|no longer validated|not approved for use|outdated|out of date|failed validation|deprecated|pulled from service|taken out of service|superseded|sunset|sunsetted|shelved) & (still|anyway|regardless|all the same|nonetheless|nevertheless|used|use|ran|run|goes|uses|using|came back|relied|rely|gave|feeds|score~|rates)",
          "(retired|decommissioned|withdrawn|discontinued|expired|unvalidated|outdated|deprecated|shelved|failed|superseded|old) ..1 (model|scorecard|valuation model|score model|version|estimator|credit model|pricing model) & (still|anyway|regardless|used|use|ran|uses|using|relied|rely|feeds)",
          "(used|using|ran|rely on|relied on|uses) ..4 (never validated|unvalidated|not validated|untested|unapproved|not approved|experimental|draft|beta|prototype) ..3 (model|scorecard|tool|algorithm|version|score|estimator)",
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
