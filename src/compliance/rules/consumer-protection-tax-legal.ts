import { defineBuiltInRule } from "../define-rule.ts";
import { legalConcepts } from "../lexicon/conduct-legal.ts";
import { plainTaxTip } from "../lexicon/plain-conduct.ts";
import type { Guard } from "../phrases/guards.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

// "Don't mention it" is the advice, and so is "they never check".
const AS_SAID: readonly Guard[] = ["negation", "question", "refusal", "definition"];

function honest(): string[] {
  return [
    "(must|have to|need to|required to|should|please|always|legally) ..2 (report|declare|disclose|list|include|pay|file)",
    "(can not|not able to|unable to|will not|would not|never) ..3 (help|advise|recommend|suggest|tell you|give|coach|assist|guide|say whether|say if)",
    "(illegal|crime|penalt*|unlawful|perjury|not allowed|against the law|serious trouble|prosecut*|offense)",
    "(not|never) ..2 (ignore~|skip~|hide|conceal|omit)",
    "(tax|retirement|irs) (exempt|deferred|free|advantaged|sheltered)",
  ];
}

/**
 * Flags advice to hide income or assets, and assertions of how a case in court ends.
 *
 * To say which forms are sent, or that a professional can help, is fine.
 *
 * @see 26 U.S.C. §§ 7201, 7206; 18 U.S.C. § 152; 12 U.S.C. § 5531
 */
export const consumerProtectionTaxLegal = defineBuiltInRule({
  id: "consumer-protection-tax-legal",
  name: "Tax or legal advice",
  description: "Advice to hide income or assets, or an assertion of a legal outcome.",
  explanation: "The agent advises to hide income or assets, or asserts how a legal matter ends.",
  category: "consumer_protection",
  severity: "violation",
  law: {
    citation: "26 U.S.C. §§ 7201, 7206; 18 U.S.C. § 152; 12 U.S.C. § 5531",
    asOf: "2026-11-21",
    status: "in force",
    note: "The practice of law without a licence is a matter of state law.",
  },
  recommendation: "Withdraw it, and refer to a tax or legal professional.",
  impact: { customer: "high", business: "high" },
  concepts: legalConcepts,
  phrases: {
    "stated-plainly"(): PhraseGroup {
      return plainTaxTip();
    },
    "hide-income"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "{omit} ..3 (income|earnings|tips|side income|cash income|rental income|winnings|gains|profit~|foreign account|freelance) & {tax}",
          "{omit} ..8 (line|box|it|that|this|part|bit|question|form|schedule|section|field|those|them) ..8 (return|1040|taxes|tax form|irs|schedule|filing)",
          "{omit} ..4 (return|1040|your taxes|tax form|tax return|schedule c|schedule e|schedule b|schedule d|filing|returns|tax forms|fbar)",
          "(not|never) ..3 (have to|need to|required to|obliged to|supposed to|worth) ..3 (report|declare|list|disclose|mention|include|file) ..10 ({income}|it|that|this|them) & {tax}",
          "{income} ..8 (not|never) ..3 (taxed|taxable|reported|count|counts) ..8 (if|as long as|when|because) ..8 (cash|abroad|offshore|name|venmo|zelle|crypto|small|secret|quiet)",
          "(irs|internal revenue|taxman|tax man|uncle sam|tax office|tax authorit*|feds|revenue service) ..6 {unseen}",
          "they ..3 {unseen} & (tax|taxes|irs|income|deduct*)",
          "(nobody|no one) ..4 (irs|tax office|taxman|government|revenue) ..3 (look~|check~|know~|ask~|care~|notice~|see~)",
          "(leave|keep|drop|cut|take) ..4 (out|off) & {tax} & ({unseen}|nobody|no one|never|can not|not see)",
          "(round~|bump~|puff~|push~|fudge~|blow~|crank~|jack~|nudge~) ..4 (mileage|deduction~|expense~|donation~|write-off~|losses|charit*) ..4 up",
          "{inflate} ..6 (mileage|deduction~|expense~|donation~|losses) ..12 {unseen}",
          "{unseen} & (irs|taxes|tax return~|taxman|1099~) & ({omit}|{inflate})",
          "{inflate} ..4 (deduction~|expense~|donation~|mileage|write-off~|write off|business expenses|charit* contributions|losses|dependents|home office|vacation|family trip)",
          "(pay|paid|get paid|take payment|ask for payment|accept payment|have them pay) ..4 (under the table|off the books)",
          "(pay|paid|get paid|take payment|ask for payment|accept payment|have them pay) ..4 in cash ..8 (nothing to report|no record|irs|taxman|avoid|no tax)",
          "(avoid~|dodge~|evade~|skip~|escape~|beat) ..3 (tax|taxes|irs|taxman|tax man|capital gains|gift tax|estate tax) ..12 (by|if|offshore|cash|name|abroad|just|simply)",
        ],
        unless: [...honest(), "{professional} ..6 (can|will|may|should)"],
        unlessAnywhere: ["(report|declare) ..3 (all|every|it|your|the) ..4 income"],
        ignore: AS_SAID,
      };
    },
    "hide-assets"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "{move} ..6 {asset} ..10 {owner} & (so|before|that way|out of reach|hide~|protect~|keep~|away|not|never|until) & {hideFrom}",
          "(hide~|hiding|conceal~|shield~|shelter~|tuck away|stash~|keep secret|keep hidden|bury) ..5 {asset} ..10 {hideFrom}",
          "{asset} ..6 (hidden|concealed|out of reach|away|safe|secret|invisible|off the radar|untouchable) ..4 (from|to|of) ..4 {hideFrom}",
          "(withdraw|stash|hide|move|empty|drain|transfer|cash out|clear out|pull out|retitle|sign over) ..4 (everything|it all|all of it|it|them|all your money|{asset}) ..10 (before|ahead of|prior to) ..6 (creditor~|court|judge|divorce|bankruptcy|trustee|lawsuit|judgment|alimony|medicaid|garnishment|filing|petition)",
          "(keep|keeping) ..4 ({asset}|it|that|this) ..2 to yourself ..8 {hideFrom}",
          "{hideFrom} ..8 (can not|not|never|no|unable) ..3 (touch|find|see|reach|get|trace|take|know|discover|claim|seize|way|idea|attach|count)",
          "(not|never) ..3 (list|disclose|mention|tell|include|declare|reveal|report) ..8 {asset} ..8 {hideFrom}",
          "(leave|keep|omit|skip) ..5 {asset} ..6 (off|out of|from) ..6 (petition|schedule~|bankruptcy|affidavit|disclosure|divorce|court|filing|forms|application|list|fafsa)",
        ],
        about: ["{asset}"],
        unless: [
          ...honest(),
          "(joint account|fdic|insured|beneficiar*|edie|co owner)",
          "(homestead|exempt|exemption~|erisa|protected by law|by law)",
          "(joint|access|view) ..6 (permission|consent)",
        ],
        ignore: AS_SAID,
      };
    },
    "legal-outcome"(): PhraseGroup {
      return {
        match: [
          "you ..3 {sure} ..3 {outcome} ..10 {legal}",
          "you (will|would|are going to|are sure to|are certain to|are bound to|definitely) ..3 (win|prevail|get custody|be awarded|beat)",
          "(judge|court|jury|arbitrator) ..3 (will|is going to|always|has to|must|is sure to|is bound to|would|certainly) ..4 {outcome}",
          "(judge|court|jury) ..4 (will|going to|has to|sure to|bound to) ..2 (throw|toss|laugh|kick) ..4 (out|it out)",
          "(sue|suing|court|lawsuit|case) ..10 (can not|will not|never|could not|not going to) lose",
          "{legal} ..6 (is|will be|gets|would be|has) ..3 (a slam dunk|open and shut|airtight|thrown out|dismissed|unenforceable|invalid|void|worthless|bulletproof|a sure thing|a winner|guaranteed|no merit|a sure win)",
          "(do not|no) need ..3 (lawyer|attorney|legal advice|accountant|cpa)",
          "(skip|forget) ..3 (lawyer|attorney|accountant|cpa|tax advis*)",
          "(sue|suing|take them to court|file suit) ..8 (will win|win|easy money|guaranteed|settle|payout)",
          "(file|declare|filing|declaring) ..4 (bankruptcy|chapter 7|chapter 13) ..12 (wipe~|erase~|gets rid|get rid|clear~|solve~|best option|you should|definitely|smartest)",
          "(you should|i advise you to|i would|just|you had better|go ahead and|my legal advice|my advice is to) ..5 (sue|file for bankruptcy|declare bankruptcy|plead|contest the will|break the lease|ignore the (lawsuit|summons|subpoena|court)|sign the settlement|reject the settlement|default|walk away from the mortgage)",
          "(ignore|throw away|toss|disregard) ..4 (summons|subpoena|court papers|court notice|lawsuit|court date|irs letter|irs notice|tax notice)",
          "(as your|like a|better than a|instead of a|cheaper than a) ..1 (lawyer|attorney|accountant|tax adviser|tax advisor|legal counsel)",
        ],
        unless: [
          ...honest().slice(1, 3),
          "{professional} ..4 (can|will|should|would be|is best)",
          "(not|no|never) ..4 (predict|guarantee|promise|say|know|certain|tell)",
          "(may|might|could|would first|have to sue) ..3 {outcome}",
          "would first have to",
          "(generally|usually) ..3 need",
          "(filing fee~|many states|most states)",
          "(if|whether) ..4 (judge|court) ..4 (rules|finds|decides|awards)",
          "(to open|to apply|to use|to dispute|to close|to transfer|to set up|to file a claim|for this|to add|to get)",
          "(sweepstakes|prize|contest|game|raffle|drawing)",
        ],
        ignore: ["question", "definition"],
      };
    },
    "dodge-advised"(): PhraseGroup {
      return {
        within: 2,
        match: ["{dodge}"],
        user: ["{legalTopic}"],
        unless: [
          "{lawfulTax}",
          "{professional}",
          "(must|should|may|can) not ..3 {dodge}",
          "(we|i) ..1 (can|will|do|would|may) not",
          "(not|never) ..2 (recommend|advise|suggest|hide|lie|pretend|able)",
        ],
        unlessAnywhere: ["{lawfulTax}"],
        ignore: [...AS_SAID, "others"],
        confidence: 0.7,
      };
    },
    "verdict-given"(): PhraseGroup {
      return {
        within: 2,
        match: ["{verdict}"],
        user: ["{legalTopic}"],
        unless: [
          "{lawfulTax}",
          "(may|might|could|depends|if the) ..4 {verdict}",
          "(generally|usually) ..3 need",
          "(filing fee~|many states|most states)",
        ],
        unlessAnywhere: ["{lawfulTax}"],
        ignore: ["question", "definition", "negation", "condemnation"],
        confidence: 0.7,
      };
    },
    "tax-assertion"(): PhraseGroup {
      return {
        match: [
          "you ..3 (not|never) ..3 (owe|pay|have to pay) ..3 (tax|taxes|capital gains|anything to the irs) ..8 (on|for|if|because)",
          "(that|this|it|which) ..3 (is|will be|would be) ..3 (fully|completely|totally|100|entirely|definitely) ..1 (deductible|tax free|tax-free|untaxed|a write-off|a write off)",
          "(structure|set up|form|open|use|start) ..5 (llc|trust|shell|offshore company|foundation|nonprofit|church) ..12 (avoid|escape|dodge|no|never|zero|wipe out|eliminate) ..3 (tax|taxes|irs)",
          "you (can|should|could|may) (deduct|write off|claim) ..8 (as a business|business expense|as an expense|on your taxes|dependent|from your taxes)",
        ],
        unless: [
          ...honest().slice(1, 3),
          "{professional}",
          "(roth|ira|401k|529|hsa|municipal|muni|qualified|mortgage interest|student loan interest)",
          "(if|may be|might be|generally)",
        ],
        unlessAnywhere: ["{professional}"],
        ignore: ["question"],
        severity: "warning",
        confidence: 0.6,
      };
    },
  },
});
