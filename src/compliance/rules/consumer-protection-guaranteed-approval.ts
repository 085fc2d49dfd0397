import { defineBuiltInRule } from "../define-rule.ts";
import { claimsConcepts } from "../lexicon/claims-concepts.ts";
import { plainApproval } from "../lexicon/plain-promises.ts";
import { unlessBacked } from "../tools/unless-backed.ts";
import { hasApproval } from "../tools/approvals.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

/** Guarantees of other things, and words that make a promise conditional. */
function noPromise(): string[] {
  return [
    "(sba|va|fha|usda|government|federally|partially|medallion|signature|price|funds) (guarantee~|guaranteed|backed)",
    "guaranteed ..1 (loan~|funds|rate|student|by the|by sba|portion)",
    "(guarantor~|cosign*)",
    "guarantee fee",
    "qualify for ..3 (bonus*|rate~|fee~|discount~|offer~|reward~|waiver~|upgrade~|apy|tier|benefit~|status|protection)",
    "(not|never|no|hardly|neither|nor|does not mean|is not) ..4 (guarantee~|certain|sure|promise~|assure~|automatic~|automatically|definite|formality)",
    "(not|no|never) ..1 approval",
    "(nobody|no one|no lender|no bank|nothing) ..3 (can|could|may|should) ..2 (guarantee|promise|assure|be sure)",
    "{warning}",
    "(subject to|depends on|depending on|contingent|pending|approval is based on|decision is based on|decisions are based on|provided that|conditional on|whether|make no promise~|can not tell|not yet)",
  ];
}

function conditions(): string[] {
  return [
    "(if|once|when|only|provided|assuming|as long as|so long as|whether|unless|until|should|after|may|might|could|would|chance~|likely|hope|hopefully|notified|find out|hear|know|let you know|told|email)",
  ];
}

/** Words that leave the decision open. */
function open(): string[] {
  return [
    "(if|once|when|after|until|unless|whether|provided|assuming|as long as) ..6 (approve~|accept~|qualif*|eligib*|meet|meets|verif*|criteria|requirement~|decision|checks out|clears)",
    "(may|might|could be|likely|hope|hopefully|probably|perhaps|possible|possibly|usually|typically|generally|often|most|many|should be|tend~|depends|depending|chances are|odds are|expect~|aim~|find out|hear from|hear back|let you know|notified|estimate~|prequalif*|not yet|no decision|decides|will decide|reviews|is reviewed|look into|in the mail|by mail|replacement)",
  ];
}

/** Money that moves, claims and services: what "goes through" or is "refused" there is no application. */
function noApplication(): string[] {
  return [
    "(transfer~|wire~|zelle|ach|direct deposit~|paycheck|refund~|claim~|dispute~|withdrawal~|transaction~|swift|cutoff|merchant~|hold|holds|id|identification|box|vault|branch)",
    "(because|since|by law|the law|legally|lawful*|discriminat*|refuse that|refuse it|refuse to|close it|close the account|close your account|nothing is wrong)",
    "(from applying|to apply|apply again|reapply|declined again|rejected again|access|visit~|service)",
  ];
}

/** Subjects of a decision on credit or an account; not the words of refusal themselves. */
function creditTopic(): string[] {
  return [
    "(loan~|mortgage~|credit|card|cards|heloc|financ*|refi|refinanc*|lend*|borrow*|underwrit*|apply|applies|applying|applied|applicant~|application~|approv*|preapprov*|prequal*|bankrupt*|score~|history|collections|repo|lease|cosign*|payday|fico|qualif*|income|chance~|odds|limit increase|account~|job|member*|file|overdraft line|advance|boat|car|house|home|truck)",
  ];
}

function legalGrounds(): string[] {
  return [
    "(because of|because you|based on|on the basis|due to|solely|for exercising|just because|simply because|on account of|by law|credit bureau)",
    "without (a|an) ..2 (reason~|notice|explanation~|letter)",
  ];
}

/**
 * Flags promises that an application will be approved.
 *
 * A promise needs certainty about the bank's decision; guarantees of loans by agencies, of funds and by persons are none, and
 * neither is an approval that a tool reported.
 *
 * @see 12 U.S.C. §§ 5531, 5536
 */
export const consumerProtectionGuaranteedApproval = unlessBacked(
  hasApproval,
  defineBuiltInRule({
    id: "consumer-protection-guaranteed-approval",
    name: "Guaranteed approval",
    description: "A promise that an application for credit or an account will be approved.",
    explanation: "The agent promises that an application will be approved before anyone decided.",
    category: "consumer_protection",
    severity: "violation",
    law: {
      citation: "12 U.S.C. §§ 5531, 5536; 15 U.S.C. § 45",
      asOf: "2026-11-21",
      status: "in force",
    },
    recommendation:
      "Say that approval depends on a review of the application, and correct the promise with the customer.",
    impact: { customer: "high", business: "high" },
    concepts: claimsConcepts,
    phrases: {
      "stated-plainly"(): PhraseGroup {
        return plainApproval();
      },
      "certain-approval"(): PhraseGroup {
        return {
          match: [
            // guaranteed approval
            "(approval|aproval|acceptance|qualifying|getting approved|being approved|a yes|green light|getting the loan|getting the card|getting accepted|positive decision|yes) (is|'s|are|being|looks|comes|will be) ..4 {sure}",
            "(approval|aproval|acceptance|the decision|the outcome|underwriting|the review|credit check|the application|your application|paperwork|the rest|applying|credit pull|assessment|the loan|the card|interview) ..2 (is|are|will be|being) ..3 (a formality|formality|for show|box ticking|rubber stamp~|a technicality|window dressing|in the bag|a slam dunk|a shoo in|a done deal|done deal|foregone conclusion|sewn up|as good as done|as good as approved|a lock)",
            "{guaranteed} ..4 {getapproved}",
            "{vow} ..8 ({getapproved}|{approved}|{approval})",
            "(you|your|the|this|it|that|application|loan|card|they|he|she) ..3 (will|would|is|are|am|going to|get|gets) ..2 {surely} ..3 ({getapproved}|{approved}|approval)",
            "(you|application|loan|card|{approval}) ..2 (are|is) ..1 (sure|certain|bound|guaranteed|destined|positively sure|set) to ..2 ({getapproved}|pass|win)",
            "(you|your application|your loan|the loan|the card) ..4 ({getapproved}|approved|accepted) ..6 (no matter what|guaranteed|for sure|for certain|without fail|no question|no questions|without question|no doubt|without a doubt|come what may|hundred percent|i promise|i guarantee|trust me|mark my words|you have my word|take my word|it is certain|that is a promise|that is certain|bank on it|count on it|bet on it)",
            "you (will|are going to) ..3 ({getapproved}|{approved}) & {vow}",
            "{whateverhistory} ..5 you (will|are going to) ..2 ({getapproved}|walk away with|have the|be handed|be given)",
            "(would|i will|i would) bet ..3 (paycheck|house|salary|job|shirt|last dollar|lunch|life) ..4 ({getapproved}|approv*|loan|card|goes through|accepted)",
            "{guaranteed} ..2 (a|the)? ..1 (positive|favorable|happy|good) (answer|decision|outcome|result|response)",
            "(decision|outcome|answer|verdict) ..3 (made|decided|settled|sealed) ..2 (in your favor|in your favour|for you)",
            "consider (it|yourself|the|this|your) ..3 (approved|accepted|done deal|yours|a yes|granted|funded|in the bag|done)",
            "(the|this|your|that) ..1 (loan|card|mortgage|credit line|line of credit|heloc|car|house|limit increase|refi|refinance|home) is ..2 (as good as|practically|already|basically|definitely|certainly|guaranteed|all but) (yours|approved|done)",
            "you have ..4 (in the bag|locked up|sewn up|already got the loan|already got the card)",
            "({surely}|{sure}|trust me|{vow}|no matter) ..2 you are in",
            "you are in ..1 (for sure|for certain|i promise|trust me|no matter what|guaranteed)",
          ],
          unless: noPromise(),
          about: ["{lending}", "account~", "membership", "underwriting", "paperwork"],
        };
      },
      "certain-grant"(): PhraseGroup {
        return {
          match: [
            "({surely}|{vow}|{pledge}|{confident}|{surefact}) & (you|your|it|application~|loan~|credit|card|mortgage|line|limit|increase|request|they|everyone|financing|mortgage|file) ..2 (will|are going to|is going to|shall|have to|has to|must|gonna) ..3 ({approved}|{getapproved})",
            "({surely}|{vow}|{pledge}|{confident}|{surefact}) & {decider} ..1 (will|are ..1 going to|is ..1 going to|shall|have to|has to|must|are bound to|is bound to) ..3 {grant}",
            "{decider} ..2 (have|has|had|left|leaves|with) ..2 (no choice|no option|no alternative|no reason not|nothing to do) ..3 (but|except|other than)? ..2 {grant}",
            "(decision|outcome|result|answer|reply|verdict|response|letter|email) ..4 (only|always|bound to|certain to|sure to|already|never anything but|guaranteed to|can not but) ..4 (positive|yes|favorable|good|approved|approval|say congratulations|welcome)",
            "(decision|outcome|result|answer|verdict|ending) ..2 (is|ends|comes|end|come|finishes|will be|comes back|will come back) ..2 (positive|a yes|yes|in a yes|with a yes|favorable|approved|congratulations) ..4 {everyone}?",
            "(approval|acceptance|yes|green light|offer) ..2 (is|are|stays|remains) ..2 (locked|final|irrevocable|permanent|sealed|secure|safe|untouchable|binding|unconditional) ..8 ({surely}|{pledge}|whatever|no matter|can not be|never be|will not be|regardless)",
            "({everyone}|all|each|hundred|every single one|every one|ten out of ten|nobody fails) ..6 (walk|walks|drive|drives|leave|leaves|come|comes|go|goes) ..2 (away|out|off|home)? ..2 (with|financed|approved|funded|happy with) & (no exception~|all|every~|hundred|loan|card|keys|money|financed)",
            "(only|just one) ..1 (answer|outcome|possible|result) ..3 (yes|approval|approved|positive)",
            "(not|never) ..1 (question|matter) of (if|whether)",
            "(put|mark~|treat~|consider~) ..2 (yourself|you|it|this|that|loan|card|house|money|keys|mortgage|limit) ..3 (approved|done|yours|spent|granted|a yes|accepted|as in|financed)",
            "(stake|bet|wager|eat|put|risk) ..2 (my|the) ..2 (job|hat|reputation|house|paycheck|life|name|bonus|career|salary|lunch|farm|ranch|arm|commission|badge)",
            "you (qualify|are approved|are qualified|are accepted|get it|get the|are in) ..4 (automatically|regardless|no matter|by default|without|guaranteed|either way|whatever|full stop|period|end of story|no ifs|hands down|trust me|i promise|for sure)",
            "(decision|outcome|result|verdict|answer) (positive|yes|approved|favorable|a yes)",
            "(prequal*|preapprov*|pre approved|invitation|offer letter|invited) ..3 (means|equals|is) ..4 (in|approved|done|approval|guaranteed|yours|as good|home free)",
            "(credit|money|funds|loan|it) (will|is going to|gets) ..1 be (extended|granted|released|disbursed|handed|advanced) ..6 ({surely}|{vow}|once you|the moment|as soon as you|no matter|regardless)",
            "({vow}|{confident}) ..6 (credit|money|funds|loan|line) (will|is going to) ..1 be (extended|granted|released|disbursed|handed|advanced)",
            "(any|every|all|each|everyone|everybody|anyone|anybody) ..5 (automatically|always|guaranteed|invariably|without exception) ..2 (qualif*|approved)",
            "(receive|get|have|see|hear|expect|enjoy) ..2 (favorable|positive|happy) ..1 (outcome|decision|answer|reply|result|ending|response)",
            "^ ..4 you (apply|submit|sign) ..1 you (get|have|receive|own) ..1 (card|loan|money|keys|mortgage|line)",
            "(you are|you look|your file is|your application is|this one is|you would be) ..2 (shoo in|sure thing|lock|certainty|slam dunk|golden|dead cert|cinch|sure bet|no brainer|home free)",
            "(we|bank|lender) ..1 (take|takes|accept|accepts|approve|approves|say yes to|welcome) (everyone|everybody|anyone|anybody|all comers) ..2 (for|on|with|no matter|regardless|job|who)",
            "(no|nobody|no one|nothing|nowhere) ..8 (tell you no|tells you no|pass on you|passes on you|turn you down|turns you down|rejects you|refuses you|refuse you|declines you|denies you)",
            "(is|are) ..1 (sure|certain|bound|guaranteed|destined) to ..1 (be|get) ..1 {approved}",
            "you are ..1 (getting|walking away with|going home with|leaving with) ..3 (loan|card|mortgage|credit|line|financing|limit|increase|keys) & ({surely}|{vow}|{pledge}|{confident}|no ifs)",
          ],
          unless: [...noPromise(), ...open(), ...noApplication(), "{purchase}"],
          about: [
            "{lending}",
            "(account~|membership|paperwork|business|revenue|job|money|submit~|chance~|odds|get in|shot)",
          ],
          confidence: 0.75,
        };
      },
      answered(): PhraseGroup {
        return {
          match: [
            "(it|that|this|yours|outcome|result|decision|answer|everything|everybody|you|loan|card|mortgage|yes|approval|acceptance|that part) ..2 (is|are|will be|looks) ..3 {surefact}",
            "^ ({surefact}|(it is|that is|yes|yep|oh|relax) ({surefact}|certain))",
            "(you have|you got|consider it|we have|call it|treat it as|take it as) ..3 {surefact}",
            "(will not|never|can not|could not|is not going to|does not) ..1 happen ..2 (to you|with you|here|in your case|on my watch|to someone|with us)",
            "(ends|end|ending|comes back|come back|finishes|result~|lands) ..3 (a yes|in yes|with yes|positive|congratulations)",
            "^ (zero|no|not a|nil|none|not the slightest) (chance|risk|way|danger|odds)",
            "(they|we|underwriting|underwriter~|bank|lender|computer|system|committee) ..1 (can not|could not|never|would never) ..2 (say no|(reject|deny|decline|refuse) (you|anyone|anybody)|turn (you|anyone|anybody) down)",
            "(you are|you will be) ..2 (going to be)? ..2 (in|through|set|fine|golden|approved|accepted) & ({surely}|{vow}|{pledge}|{confident})",
            "as good as (decided|approved|signed|stamped|yours|spent|done)",
          ],
          user: [
            "(approv*|accepted|acceptance|qualif*|chance~|odds|reject*|denied|deny|declin*|turn me down|turned down|apply|applying|applied|application|say no|refus*|underwrit*|pass|preapproved|credit check|will i get|do i get|would i get|can i get|get the|be certain|get in|eligible|shot)",
          ],
          unless: [
            ...noPromise(),
            ...open(),
            ...noApplication(),
            "{purchase}",
            "(help|happy to|glad|assist|walk you|explain|go over|guide|able to apply|can apply|able to check|can check)",
            "(account number|routing|fee~|deposit~|insured|fdic|rate|rates|{security}|privacy|safe|secure|encrypted|review|look|check|get back|contact|reach out|decide|letter|explain|reason~)",
          ],
          unlessAnywhere: open(),
          confidence: 0.7,
        };
      },
      "no-refusal"(): PhraseGroup {
        return {
          match: [
            "(you|application|applications|loan|request|card) ..2 {impossible} ..3 (declined|denied|rejected|turned down|turned away|refused|knocked back|told no)",
            "(never|impossible|no way|zero chance|no chance|not a chance|no scenario) ..4 (declined|denied|rejected|turned down|turned away|refused|{rejection})",
            "{decider} ..1 (can not|could not|will not|would not|would never|can never|will never) ..3 (say no|veto|(turn|refuse|reject|decline|deny|knock|bounce|spurn) (you|this|your|it|that|an application))",
            "(nothing|no reason|not a thing) ..1 (that|to|for|will|can|could|would|should|stands) ..5 ({rejected}|{rejection})",
            "(no|not a|not one) ..1 (shred|ounce|hint|iota|trace|shadow) of ..1 doubt ..8 ({getapproved}|{approved}|{approval})",
            "{impossible} ..4 (underwriting|underwriter~|they|we|bank|anyone|anybody|system|committee) ..2 (kill~|reject~|sink~|block~|stop~|nix~|veto~|decline~|deny|denies|refuse~|turn you|turn it|turns you|turns it|say no|says no)",
            "(nobody|no one|no applicant|no application|not one|not a single) ..3 (is|are|was|gets|get|been|ends) ..1 (declined|denied|rejected|turned down|turned away|refused)",
            "(zero|no|not a|is not a|not the slightest|nil|without any|without the) ..2 (chance|risk|possibility|danger|way|likelihood|prospect|odds|worry|fear) ..6 ({rejected}|{rejection}|they say no|we say no|saying no|refuse you|deny you|decline you|reject you|turn you down)",
            "({everyone}|every single person|all of them|people) who ..8 (walks out with|walks away with|leaves with|goes home with|gets|receives|ends up with|is given|is handed|walk out with|get|comes away with) ..3 (card|loan|money|yes|credit|approval|approved|mortgage|line|keys)",
            "even ..4 (bankrupt*|bankruptcies|foreclosures|repos|collections|no income|unemployed|terrible credit|bad credit|500 score|charge offs) ..4 (sail*|breeze*|get through|gets through|go through|goes through|are fine|get approved|gets approved|is fine|get a yes|qualify|qualifies|welcome)",
            "{impossible} ..2 (fail|flunk) ..3 (credit check|check|underwriting|review|application|this one)",
            "{rejection} (is not|are not|does not|do not) ..3 (something|possible|an option|happen~|exist|in our|part of|on the table|a thing)",
            "(we|bank|lender|they) ..2 (takes|take|welcomes|welcome|funds|fund|finances|finance) (everyone|everybody|anyone|anybody|all comers)",
          ],
          ignore: ["others"],
          unless: [
            ...noPromise(),
            ...legalGrounds(),
            ...noApplication(),
            "{purchase}",
            "(your|debit|my|new) card ..4 (declined|decline|refused)",
            "(not everyone|not everybody|not all|not every)",
            "(scam~|scammer~|con artist~|criminal~|impersonator~)",
            "(denied|declined|refused) (access|entry|service|the right|a copy|coverage|claim)",
            "for the amount",
            "by (software|a model|an algorithm|a machine)",
          ],
          about: creditTopic(),
        };
      },
      "despite-history"(): PhraseGroup {
        return {
          match: [
            "{whateverhistory} & (you|application|loan|card|we) ..3 (will|are|is|going to|get|shall) ..3 ({getapproved}|approved|accepted|approve you|approve it|yours)",
            "{whateverhistory} & (approval|yes|acceptance) ..3 (guaranteed|certain|assured|yours|automatic)",
          ],
          within: 2,
          unless: [...noPromise(), "(apply|consider~|review~) ..3 (everyone|all|every)"],
          about: ["{lending}"],
        };
      },
      "approval-foretold"(): PhraseGroup {
        return {
          match: [
            "you (will|are going to|shall) ..2 (be|get) ..1 (approved|green lit|greenlit|okayed|aproved|accepted|qualified|granted)",
            "(application|loan|request|mortgage|refinance|credit line) (will|is going to) ..1 (be|get) (approved|accepted|granted|okayed|green lit)",
            "(we|underwriting|they|bank|the lender|the system) (will|are going to|is going to) ..1 (approve|accept|green light|okay|rubber stamp|say yes to) ..1 (you|your|it|this|the)",
            "(line|loan|card|credit|increase|mortgage|financing|approval|refinance|heloc) (will|is going to) ..2 (come through|go through|be yours|be there|be funded)",
            "you (will|are going to) ..1 (sail|breeze|fly|waltz|coast) ..1 through",
          ],
          guards: ["condition"],
          unless: [
            ...noPromise(),
            ...conditions(),
            "{purchase}",
            "(in the mail|by mail|business day~|days|replacement|new card|delivered|statement)",
          ],
          about: ["{lending}"],
          confidence: 0.7,
        };
      },
    },
  }),
);
