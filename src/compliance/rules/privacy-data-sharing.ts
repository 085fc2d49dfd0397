import { defineBuiltInRule } from "../define-rule.ts";
import { sharingConcepts } from "../lexicon/privacy-sharing.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

/**
 * Flags an agent who says that data of customers are sold, or shared whatever the customer chose.
 *
 * Sharing that the law exempts from the opt-out, such as with credit bureaus, is fine.
 *
 * @see 12 CFR 1016.7, 1016.10, 1016.12 (Regulation P); 15 U.S.C. § 6802
 */
export const privacyDataSharing = defineBuiltInRule({
  id: "privacy-data-sharing",
  name: "Sharing of data without a choice",
  description: "Data of customers are sold, or shared without a way to opt out.",
  explanation: "The agent says that the customer's data are shared without a way to opt out.",
  category: "privacy",
  severity: "violation",
  law: {
    citation: "12 CFR 1016.7, 1016.10, 1016.12 (Regulation P); 15 U.S.C. § 6802",
    asOf: "2026-11-21",
    status: "in force",
  },
  recommendation: "Describe sharing as the privacy notice does, and offer the opt-out.",
  impact: { customer: "high", business: "high" },
  concepts: sharingConcepts,
  phrases: {
    "no-choice"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "{share} ..6 (your|customer~|client~|member~|the|of) ..3 {data} & {buyer} & {noChoice}",
          "{data} ..8 {share} & {buyer} & {noChoice}",
          "{buyer} ..8 {share} ..8 {data} & {noChoice}",
          "(sell|sells|sold|selling|resell|resold|monetize~|auction~|rent out|trade|traded) ..4 (your|their|customer|client|member) ..3 {data} & {noChoice}",
          "(your|their|customer|client|member) ..3 {data} ..8 (sell|sells|sold|resold|monetize~|auction~|rented out|trade|traded) & {noChoice}",
          "sharing ..4 {buyer} & {noChoice}",
        ],
        unless: [
          "{lawful}",
          "{choice}",
          "never ..2 {share}",
          "(is|are|do|does|will|would|have|has|can) not ..2 {share}",
        ],
        unlessAnywhere: ["{lawful}", "(not|never) ..2 (sell|rent|share) ..6 {data}"],
        ignore: ["negation", "refusal", "question", "condemnation", "definition"],
        confidence: 0.85,
      };
    },
    unasked(): PhraseGroup {
      return {
        within: 2,
        match: [
          "{handed} ..3 (your|customer~|what you (buy|spend|earn|owe)|how you spend) ..14 (to|with) ..4 {stranger} & {unasked}",
          "{handed} ..3 {stranger} ..3 (your|customer~) ..3 {data} & {unasked}",
          "(i|we) ..2 (told|tell|informed) your (employer|boss|landlord|neighbor~|family|ex|wife|husband|parents|colleagues|friends) ..2 about your & {unasked}",
          "your ..4 {data} ..3 (goes|go|is sent|are sent|is given|are given|is passed|is sold|are sold|is shared|are shared) ..3 {stranger} & {unasked}",
        ],
        unless: [
          "{lawful}",
          "{choice}",
          "(do|does|did|will|would|have|can|may|must|never) (not|never)? ..1 (share|shared|sell|sold|disclose|send|pass|forward|provide|hand) ..12 (without|unless)",
          "(law|regulation~|rule~|act) ..2 (allows|permits|lets)",
        ],
        unlessAnywhere: ["{lawful}", "(not|never) ..2 (sell|rent|share) ..6 {data}"],
        ignore: ["negation", "refusal"],
        confidence: 0.85,
      };
    },
    "opt-out-refused"(): PhraseGroup {
      return {
        match: [
          "(no|not|never|can not|without) ..6 {optOut} ..12 ({data}|{buyer}|data|information|info|sharing|share|shared|selling|sold|marketing|partners|affiliates|third)",
          "(data|information|info|sharing|share|shared|selling|sold|marketers|partners|affiliates|third parties) ..12 (no|not|never|can not|without) ..4 {optOut}",
          "(ignore~|disregard~|override~|bypass~|skip~|overrule~|discard~|bin|toss~|delete~|throw~ away|filed away) ..6 (opt|opt-out|{optOut})",
          "{optOut} ..6 (ignored|disregarded|overridden|cosmetic|for show|meaningless|just a formality|not honored|not honoured|not respected|does nothing|do nothing|changes nothing|not do anything|does not apply|not available|not possible|not stop|not change|not affect|not matter|pointless|not an option|not something we)",
          "(turned|switched|opted) ..3 (back on|back in|you in|you back) ..10 (sharing|marketing|partners|data)",
        ],
        about: [
          "(data|information|info|privacy|sharing|share|shared|selling|sell|sold|third party|third parties|partners|affiliates|advertisers|marketers|marketing|opt-out)",
        ],
        unlessAnywhere: ["{lawful}", "(paperless|overdraft|arbitration|text alerts|escrow)"],
        unless: [
          "{choice}",
          "(will|would) not ..4 {optOut}",
          "have not ..4 {optOut}",
          "(if|unless|until) you (have|do|did|are) not ..3 {optOut}",
          "(will|would|does|did|never|have) not ..1 (share|sell|sold|shared) ..6 {data}",
          "(can|will|to) (honor|respect|record|process|save)",
          "not ..3 (forget|required|need|yet)",
          "(fee|fees|penalty|cost|charge) ..4 {optOut}",
        ],
        ignore: ["negation", "refusal", "condemnation"],
      };
    },
    sold(): PhraseGroup {
      return {
        match: [
          "(we|bank|company) ..4 {sell} ..8 (your|their|customer~|customers'|client~|people 's|member~|user~|everyone 's|account holder~) ..3 {data}",
          "your ..5 {data} ..5 (is|are|was|were|has been|have been|gets|get|being) ..3 (sold|auctioned|rented|traded|monetized|monetised|resold|leased|licensed|for sale)",
          "(i|we) ..3 (sold|rented|traded|leaked|slipped|passed on|passed along|gave away) ..6 your ..4 {data} ..8 {buyer}",
          "(everyone|everyone 's|everybody 's|customer~ 's|customers|all customer|customer|people 's|member~ 's|members|client~ 's|every customer 's) ..3 {data} ..6 (sold|auctioned|rented|traded|monetized|monetised|resold|leased|licensed|for sale)",
          "{buyer} ..3 (buy~|purchase~|shop for|bid on|bids on|subscribe to|pay for|pays for) ..4 (customer|our|client|your|member) ..3 {data}",
          "your ..3 {data} ..2 (brings|bring|earns|earn|makes|nets|net|fetches|fetch) ..1 (us|the bank)",
          "({buyer}|they) (pay|pays|paid) (us|the bank) ..6 (for|to get|to see) ..5 {data}",
          "{sell} ..5 (your|customer|client|user) ..3 {data} ..6 {buyer}",
        ],
        unless: ["{lawful}", "{choice}", "(not|never) ..2 {share}"],
        unlessAnywhere: ["{choice}", "(not|never) ..2 (sell|rent|share) ..6 {data}"],
      };
    },
    confirmed(): PhraseGroup {
      return {
        match: [
          "^ (yes|yep|yeah|yup|correct|of course|sure|absolutely|naturally|indeed|true|right|we do|certainly|ok yes) & {noChoice}",
          "^ (yes|yep|yeah|yup|correct|of course|sure|absolutely|naturally|indeed|we do|certainly) ..6 {optOut}",
          "^ (yes|yep|yeah|yup|correct|of course|sure|absolutely|naturally|indeed|certainly) ..2 (we|all banks|every bank) (do|sell|are|make)",
        ],
        within: 2,
        user: [
          "(sell|selling|sold|sells|monetize~|trade|trading) ..6 {data}",
          "{data} ..6 (sold|for sale|monetized)",
          "(share|sharing|shared) ..6 {data} ..8 {buyer}",
        ],
        unlessAnywhere: ["{choice}", "{lawful}", "(not|never) ..2 (sell|rent|share)"],
        ignore: ["negation", "refusal"],
      };
    },
    "choice-denied"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "{denied} & (data|information|info|details|records|file|list|{outsider}|{optOut}|sharing|shared|sold|sell|passed|brokers|balances|feature|product|it off|giving)",
          "(refus*|declin*|object*|say~ no|stop~) ..3 sharing ..4 (means|ends|cost~|close~|closing|loses)",
          "{refusal}",
        ],
        user: ["{asksSharing}"],
        unless: [
          "{lawful}",
          "{choice}",
          "(do|does|did|have|has|will|would|is|are) not ..3 (share|shared|sharing|sell|sold|give|gave|given|pass|disclose|need|required|charge|affect)",
          "(never|no longer) ..3 (share|sell|sold|shared|give)",
          "(can|may) (also|always|still|easily|ask to|choose to|simply|just|now|however)? (limit|stop|opt out|turn it off|revoke|unsubscribe|object|withdraw|change)",
          "(card|account|loan|transfer|payment|balance|fee) ..4 (approved|posted|pending|arrive~)",
        ],
        unlessAnywhere: [
          "{lawful}",
          "(do|does|did|have|will|would) not ..2 (share|sell|sold|shared|give|gave|disclose|rent)",
          "(never|no longer) ..2 (share|sell|sold|shared)",
          "only (if|when|with|after) ..2 (you|your|yes)",
          "(can|may) (also|always|still|easily|ask to|choose to|simply|just|now|however)? (limit|stop|opt|turn|revoke|unsubscribe|object|withdraw|change|choose)",
          "(revoke|disconnect) ..4 (access|app|apps)",
          "by default we do not",
        ],
        ignore: ["negation", "refusal", "condemnation", "question"],
        confidence: 0.7,
      };
    },
    "refused-outright"(): PhraseGroup {
      return {
        match: [
          "^ (no|nope|nah|never|sorry|unfortunately|regrettably|afraid|i am afraid|impossible|not possible|that is not possible|there is no way|you can not|no way|not at all|not really|not with us|not here|they can not be|it can not be|that can not be|customers can not)",
        ],
        user: [
          "(can|may|could|how|any way|a way|possible|able|want|wish|like|please|let|do i have) ..8 (opt out|limit|stop|object|refuse|decline|say no|turn off|switch off|withdraw|restrict|block|prevent|opted out|quit) ..8 (sharing|selling|share|sell|sold|shared|{buyer}) ",
          "(will|would|can|could) you ..3 (stop|quit|cease|not) ..2 (sell|share|give|selling|sharing|giving|passing|sending) ..8 ({buyer}|{data})",
          "(can|may|could|how|any way|a way|possible|able) ..6 (opt out|limit|stop|object|refuse|decline|say no|turn off|withdraw|restrict|block|prevent) ..5 (my|our|customer) ..2 {data} ..8 (to|with|by|from|for) ..3 {buyer}",
        ],
        unless: [
          "{lawful}",
          "{choice}",
          "(not|never|no longer) ..3 (share|shared|sharing|sell|sold|give|pass|disclose|rent|do that)",
          "(problem|worries|trouble|charge|cost|fee|form|need|longer)",
          "(law|federal|exempt*|bureaus|right|fraud)",
          "(done|sure|yes|of course|happy|here is how|settings|preferences)",
        ],
        unlessAnywhere: [
          "{lawful}",
          "{choice}",
          "(not|never|no longer) ..3 (share|shared|sharing|sell|sold|give|pass|disclose|rent)",
          "(can|may) ..3 (limit|stop|opt|turn|revoke|unsubscribe|object|withdraw|change|choose|go to|call|tap|use)",
        ],
        ignore: ["negation", "refusal", "question", "condemnation"],
        confidence: 0.7,
      };
    },
    "goes-to-strangers"(): PhraseGroup {
      return {
        match: [
          "{data} ..10 (shared|sold|passed|given|handed|listed|leaked|forwarded|flows|flow|goes|go|available|offered|supplied|provided|disclosed|ends up|end up|on the market|up for sale|auctioned|streamed) ..8 {outsider}",
          "(buyer~|{outsider}) ..3 (bought|buy|buys|buying|receive~|receiving|received|got|get|gets|getting|see~|seeing|pull~|pulling|download~|downloading|collect~|collecting|obtain~) ..4 (our list|your|customer|client) ..3 ({data}|list)",
          "(we|they|i) ..3 (tip off|tipped off|share|shares|sell|feed|hand|pass|give|supply|provide|rent|market|pitch) ..6 {outsider} ..6 (your|about your|about you|customer) ..4 {data}?",
          "(your|customer|client) ..3 {data} ..6 (on the market|up for sale|for sale|to the highest|to any buyer|to whoever|auctioned)",
          "(share~|shares|sends|send|sell|sells|stream~|report~|tells) ..3 (where you (are|go|shop|eat)|what you (buy|spend|earn|owe|do)|who you (pay|are)|how you spend) ..6 {outsider}",
          "{outsider} ..2 (pay|pays|paid) (us|the bank|good money|handsomely|well) ..2 for",
          "(sell|sells|selling|auction~|license~|rent|rents) (it|them|that|those) ..2 (to|on)",
          "(they|{outsider}) ..2 (buy|buys|bought|buying|get|gets|rent|rents|purchase~|license~) ..1 (our|the) ..2 (list|data|records|database)",
          "{outsider} ..3 (buy|buys|bought|buying|purchase~) (it|them|that)",
          "^ {outsider} (do|does|can|will)",
          "(whoever|anyone (who|that)) ..1 (pays|buys|asks|wants)",
          "(pass~|passing|sell~|selling|feeding|trading|renting|giving|handing|merge~|auction~|bundled) ..8 (data|info|information|records|purchases|payments|spending|it|list) ..6 {outsider}",
          "(it|they|payments|salary|income|data|records|file|purchases) ..4 (goes|go|sold|supplied|passed|given|bundled|handed|auctioned|auction it) ..5 ({outsider}|purchasers|brands|dealer*|group|insurers)",
          "(anything|everything|whatever|all) you (buy|spend|earn|owe|do|pay) ..6 (outside|{outsider})",
        ],
        user: ["{asksSharing}"],
        unless: ["{lawful}", "{choice}", "(not|never|only if|if you|unless you) ..6 {share}"],
        unlessAnywhere: [
          "{choice}",
          "{lawful}",
          "(do|does|did|will) not ..2 (share|sell|give|disclose)",
        ],
        ignore: ["question", "condemnation", "others"],
        confidence: 0.7,
      };
    },
    "shared-without-asking"(): PhraseGroup {
      return {
        match: [
          "(i|we) ..3 (shared|passed|forwarded|handed|gave|sent|given|released|uploaded|provided|transferred|disclosed|added) ..8 your ..5 {data} ..8 ({buyer}|landlord|employer|boss|neighbor|family|newspaper|{relative})",
          "(passing|passed|handing|handed|giving|gave|forwarding|forwarded|sending|sent|slipping|slipped) ..3 your ..3 {data} ..3 to ..12 (pays us|pay us|paid us|for (a|the) ..2 (fee|price|cut|share|commission|kickback|payment|profit|bounty)|in (return|exchange) for (a|cash|money|payment)|for (cash|money|profit|pay)|for leads|kickback~|referral fee|commission|they will call|they will ring|who will call|who will ring|expect~)",
          "(i|we) ..3 (gave|handed|sent|showed|given|shown|sold) ..3 {buyer} ..6 your ..5 {data}",
        ],
        unless: ["{lawful}", "{choice}", "secure~", "(if|so that|because) you"],
        unlessAnywhere: [
          "{choice}",
          "{lawful}",
          "(your|the) (request|consent|instruction|authorization|dispute|claim|payment|transfer|order|application)",
        ],
        alongside: [
          "{noChoice}",
          "(pays us|pay us|for leads|for (a|the) ..2 (fee|price|cut|share|commission|kickback|payment|profit|bounty)|in (return|exchange) for (a|cash|money|payment)|for (cash|money|profit|pay)|ring you|call you|marketing|offers|advertis*|promotion~|they will (call|contact|email|text|reach)|expect (calls|emails|offers|a call))",
        ],
        confidence: 0.7,
      };
    },
  },
});
