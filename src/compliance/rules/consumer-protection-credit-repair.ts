import { defineBuiltInRule } from "../define-rule.ts";
import { creditRepairConcepts } from "../lexicon/conduct-credit-repair.ts";
import { plainRepair } from "../lexicon/plain-conduct.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

/**
 * Flags advice to have true data removed from a credit file, or to borrow under a new number or identity.
 *
 * Disputing what is wrong is free and fine, and so is saying when items age off.
 *
 * @see 15 U.S.C. § 1679b (CROA); 18 U.S.C. § 1014
 */
export const consumerProtectionCreditRepair = defineBuiltInRule({
  id: "consumer-protection-credit-repair",
  name: "Credit repair",
  description: "True data are to be removed from a credit file, or a new identity is to be used.",
  explanation: "The agent offers to remove true credit data, or suggests a new credit identity.",
  category: "consumer_protection",
  severity: "violation",
  law: {
    citation: "15 U.S.C. § 1679b (CROA); 18 U.S.C. § 1014",
    asOf: "2026-11-21",
    status: "in force",
  },
  recommendation: "Explain the free dispute process for inaccurate items.",
  impact: { customer: "high", business: "high" },
  concepts: creditRepairConcepts,
  phrases: {
    "stated-plainly"(): PhraseGroup {
      return plainRepair();
    },
    "removes-true-data"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "{strip} ..3 (accurate|legitimate|valid|correct|true|genuine|verified|real|legit) ..3 (late~|late payment~|collection~|item~|negative~|entr*|debt~|information|data|default~|record~|mark~|charge-off~|tradeline~|inquiries|accounts|bankruptcy|delinquen*|history|stuff)",
          "{remove} ..10 {bad} & {falsely}",
          "{falsely} ..12 ({remove}|{bad}) ..10 ({file}|{bad}|gone|drop|deleted|removed)",
          "(i|we|our team|our partner|our service|us) ..4 {strip} ..6 (late payment~|lates|collections|charge-off~|charge off~|bankruptcy|bankruptcies|default~|foreclosure|repossession~|judgment~|negative|negatives|bad marks|bad credit|bad history|derogator*|delinquen*|missed payment~|black mark~|blemish~|everything bad|inquiries|hard inquiries|any negative|all negative)",
          "(get|give~|have|buy|sell|start with|with|offer~|your) ..2 brand new credit (profile|file|history)",
          "(make|makes|making) ..3 (late payment~|lates|collections|charge-off~|bankruptcy|negatives|bad marks|bad history|inquiries) ..3 (disappear|vanish|go away|drop off|evaporate)",
          "(have|get|getting|knock|take|taking|pull) ..3 (late payment~|lates|collections|charge-off~|bankruptcy|default~|foreclosure|repossession~|judgment~|negatives|bad marks|delinquen*|missed payment~) ..3 off ..4 {file}",
          "(pay~|for|fee of|costs) ..3 #money ..8 {strip} ..6 (negative~|late~|collections|bankruptcy|bad|history|record~|marks|charge-off~)",
        ],
        about: [
          "{file}",
          "(collections|late payment~|bankruptcy|bankruptcies|charge-off~|foreclosure)",
        ],
        unless: [
          "{dispute}",
          "(late|overdraft|monthly|annual) fee~",
          "(remove~|clear~|delete~|erase~|pull~|hide~) ..4 (transaction|browsing|search|chat|payment) history",
          "(not|never) ..6 {remove}",
          "(balance|check~|deposit) ..3 (clear~|cleared)",
        ],
        ignore: ["condemnation", "definition", "question"],
      };
    },
    "false-dispute"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "tell ..1 (bureau~|experian|equifax|transunion) ..5 (were|was|is|are) ..1 (identity theft|fraud|not yours|someone else) ..8 ({remove}|{bad}|{file})",
          "(flood|swamp|bombard*|overwhelm~|spam) ..2 (them|bureau~|equifax|experian|transunion)",
          "(dispute|challenge|contest|flag) ..2 (everything|every account|every item|every entry|every line|every single|every negative|all the accounts|all the negatives) ..6 (even|anyway|regardless|whether|accurate or not|true or not|not yours|as fraud)",
          "(say|claim|swear|pretend|insist) ..4 (identity theft|fraud|not yours|not you|never yours|stolen identity|someone else) ..8 ({remove}|{bad}|{file})",
          "(say|claim|tell~|swear|pretend|report|insist|write) ..8 (none|not one|not any|no) ..6 yours ..8 (even|although|though|whether|including|anyway|regardless)",
        ],
        unlessAnywhere: ["identitytheft", "(in my name|i never had|not mine|verified)"],
        unless: [
          "(if|because|when|where) ..4 ({dispute}|really|actually)",
          "(inaccurate|incorrect|mistake~|wrong|error~)",
          "(not|never) ..2 (dispute~|claim|say|lie|pretend)",
          "if you ..2 (claim|say)",
          "(charge~|transaction~|purchase~) ..4 (you|on your (card|statement))",
        ],
        about: [
          "(credit report~|credit file~|credit history|credit score|bureau~|score|experian|equifax|transunion|fico|charge-off~|collections|late payment~)",
        ],
        ignore: ["condemnation", "definition", "question"],
      };
    },
    "repair-offered"(): PhraseGroup {
      return {
        within: 2,
        match: ["{repair}"],
        user: ["{creditTopic}"],
        about: [
          "(credit|score|bureau~|collection~|late payment~|lates|charge-off~|charge off~|chargeoff~|default|bankruptcy|eviction~|judgment|derogatory|negatives|tradeline~|lien|experian|equifax|transunion|fico)",
        ],
        unless: [
          "{repairLawful}",
          "(do|does|can|will|could|should|would|may|must) not ..3 {repair}",
          "never ..3 {repair}",
        ],
        unlessAnywhere: ["{repairLawful}"],
        ignore: ["condemnation", "definition", "question", "others"],
        confidence: 0.7,
      };
    },
    "other-number"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "{otherNumber} ..10 {replaces}",
          "{replaces} ..8 {otherNumber}",
          "(use|apply|type|enter|pick|put|borrow) ..5 {fakeNumber}",
        ],
        user: ["{creditTopic}"],
        about: [
          "(credit|score|bureau~|history|debt~|cpn~|judgment|bankruptcy|default|ssn|social security|lenders|second file)",
        ],
        unless: [
          "{repairLawful}",
          "(not|never) ..4 {otherNumber}",
          "(someone|thief|thieves|criminal~) (may|might|could|can|who|uses|used|is using|has)",
        ],
        unlessAnywhere: [
          "{repairLawful}",
          "to open (a|an|the) ..2 account",
          "(account|card|routing|phone|confirmation|reference|case) number",
          "(child|minor|kid|teen|custodial|joint|529|dependent|beneficiar*) ..3 (account|savings|plan)",
          "(sold by|a crime|fraud|breaking the law|compan* (that|who|promise~|often))",
        ],
        ignore: ["definition", "question"],
        confidence: 0.75,
      };
    },
    "new-identity"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "(cpn|cpns|credit privacy number~|credit profile number~|credit protection number~|secondary credit number|new credit number|fresh credit number|privacy number)",
          "{apply} ..6 (new credit identity|fresh credit identity|new identity|second identity|different social|another social|new social|new ssn|different ssn|someone else 's (ssn|social)|synthetic identity|file segregation|child 's (social|ssn)|kid 's (social|ssn)|son 's (social|ssn)|daughter 's (social|ssn)|new credit file|fresh credit file|second credit file|new credit profile|fresh credit profile|clean credit profile|second credit profile|alternate number|substitute number)",
          "(ein|tax id number|employer identification number|itin|tax id) ..8 (instead of|in place of|rather than|not your|to hide|to replace|swap) ..6 (bad credit|bad history|old (number|credit|file)|personal credit|(ssn|social|number) ..8 (clean|fresh|spotless|blank|erased|invisible))",
          "(instead of|in place of|rather than) ..4 (your|the) ..3 (ssn|social|social security number) ..10 (ein|number|{relative}|itin)",
          "(use|put|apply|borrow|enter|list) ..8 {relative} 's ..2 (ssn|social|social security|identity|credit file)",
          "(ein|new number|tax id|itin) ..14 (history|bad credit|past|old file|old debts|old score) ..4 (buried|hidden|gone|behind|invisible|unseen|disappears|vanishes)",
        ],
        about: [
          "(credit|score|loan|file|bureau~|apply~|report|application~|card|approved|mortgage|cpn|cpns|borrow~)",
        ],
        unless: [
          "(business|company|llc|corporation|nonprofit|employer) ..6 (account|loan|credit|card|application|ein|tax id|owner)",
          "(not|never|no one|avoid) ..5 (use|using|buy|sell|offer|apply~|legal|legitimate|accept|need|recommend|a real|cpn|credit privacy)",
          "(illegal|fraud|scam~|crime|fake|beware|prison|not a lawful|breaking the law|compan* (that|who|promise~|often))",
          "(child|minor|kid|teen|custodial|529|dependent) ..3 (account|savings|plan)",
          "(someone|thief|thieves|criminal~) (may|might|could|can|who|uses|used|is using|has)",
          "(credit builder|thin file|new to credit|first credit)",
          "(joint|co-borrower|cosigner|co-signer|co-applicant|custodial|minor account)",
          "(account|card|confirmation|reference|phone|pin) number",
        ],
        ignore: ["question", "definition"],
      };
    },
  },
});
