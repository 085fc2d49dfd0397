import { defineBuiltInRule } from "../define-rule.ts";
import { claimsConcepts } from "../lexicon/claims-concepts.ts";
import { plainAdvice } from "../lexicon/plain-promises.ts";
import { hasSuitability } from "../tools/approvals.ts";
import { unlessBacked } from "../tools/unless-backed.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

/** The customer decided already, or is sent to somebody who may advise, or learns how the app works. */
function noAdvice(): string[] {
  return [
    "(speak|talk|talking|speaking|consult|consulting|meet|check|connect|contact|see|ask|chat|refer|introduce|put you|transfer you|work|schedule|book|call|discuss) ..6 {adviser}",
    "(tap|click|select|navigate|screen|menu|tab|button|log in|sign in|drop down|enter the|fill in|fill out|form|the app|online|settings|paperwork|steps)",
    "(if you|should you|when you|whenever you|whether you|in case you|you want to|you would like to|you wish to|you decide|you decided|you asked|you requested|you told|as instructed|per your|your instructions|your request|your order) ..4 (want|decide|would like|wish|choose|plan|already|asked|requested|told|to buy|to sell|to invest|order|buy|sell|invest|move|prefer)",
    "(before you|before|prior to|without|instead of|rather than|how to|way to|in order to|settlement|settles|settled|executed|filled|order number|confirmation) ..5 (buy|buying|sell|selling|invest|investing|trade|order|order~|trades)",
    "(can not|not able to|do not|not allowed to|unable to|not licensed|not permitted|not in a position|never) ..5 (recommend|advise|advice|suggest|tell you|say whether|recommendations)",
    "(some people|some investors|many people|many investors|investors|analysts|economists|savers|experts|people) ..2 (buy|sell|hold|put|use|choose|say|move|like|often|prefer|think)",
    "(emergency|rainy day|vacation|sinking|college|trust|mutual aid|go fund|holiday|wedding|reserve|escrow) fund",
    "(gift card~|phone number|stock photo|in stock|out of stock|bonded|surety|bail|token fee|security token|passcode|one time|mutual savings)",
    "{warning}",
    "(gold|silver|platinum) ..1 (card|tier|status|account|member~|plan|package)",
    "(house|home|property|condo|apartment|farmers) ..3 market",
    "(checking|payee|bill|bills|late fee|overdraft|minimum payment|credit card balance|debit card)",
  ];
}

/**
 * Flags personal advice about securities by an agent that nobody licensed.
 *
 * Advice tells this customer what to do with a security or with retirement money; explaining a product, carrying out an
 * order and handing over to an adviser are none. A suitability approval by a tool backs the advice.
 *
 * @see FINRA Rule 2111; 17 CFR § 240.15l-1
 */
export const consumerProtectionInvestmentAdvice = unlessBacked(
  hasSuitability,
  defineBuiltInRule({
    id: "consumer-protection-investment-advice",
    name: "Investment advice",
    description: "Personal advice to buy, sell or hold investments, without a licensed adviser.",
    explanation: "The agent tells the customer what to do with investments.",
    category: "consumer_protection",
    severity: "violation",
    law: {
      citation: "FINRA Rule 2111; Regulation Best Interest, 17 CFR § 240.15l-1",
      asOf: "2026-11-21",
      status: "in force",
    },
    recommendation: "Offer general education and hand the customer over to a licensed adviser.",
    impact: { customer: "high", business: "high" },
    concepts: claimsConcepts,
    phrases: {
      "stated-plainly"(): PhraseGroup {
        return plainAdvice();
      },
      directive(): PhraseGroup {
        return {
          match: [
            "{direct} ..4 {trade} ..10 {asset}",
            "{direct} ..4 {trade} ..8 {reserves} ..3 (into|in|out of|to|on|from|for|toward|towards|across) ..6 {asset}",
            "^ {trade} ..8 {asset}",
            "^ (yes|yeah|yep|sure|ok|okay|honestly|look|personally|frankly|right now|so|then|well|absolutely|definitely|simple|easy|in your case|at your age|with your|given your|for you|for someone like you|since you are) ..8 {trade} ..8 {asset}",
            "{trade} the (rest|other|remaining) ..2 (into|in) ..4 {asset}",
            "(crank|raise|boost|dial|bump|push) ..2 (exposure|allocation|weighting) to ..1 {security}",
            "{trade} ..3 (your|all your|the whole|that|every|it all|everything|half) ..5 ({asset}|401k|ira|pension|retirement) (now|today|immediately|right away|before|while|this week|asap|and buy|and load|and go|and put|and move)",
            "{direct} ..3 (roll|roll over|rollover|move|transfer|convert|shift|switch|put|place) ..6 (into|to|in) ..3 (ira|roth|roth ira|annuity|401k)",
            "(move|choice|play|pick|answer|option|vehicle|decision|thing|solution|bet) (is|would be|here is) ..4 {asset}",
            "{trade} ..3 (the bulk|most|all|half|every|the rest|the remainder|a chunk|the majority|two thirds|a third|whatever is left|what is left|everything) ..6 (in|into|on|to) ..4 {asset}",
            "#percent ..3 (belongs|belong|should go|should be|goes|ought to go|needs to go|has to go) ..2 (in|into|to) ..3 {security}",
            "(take|use|grab) ..6 (and|to) {trade} ..5 {asset}",
            "^ use ..6 (to|and) (buy|invest|purchase|load|get into|scoop|snap) ..5 {asset}",
            "(so|then|hence|therefore|which is why) (get out of|get into|get in|dump|sell|buy|ditch|liquidate|unload|move|shift|switch|load up on|pile into|hold|grab|stay in) ..6 {asset}",
            "^ {trade} & (and|then|plus) {trade} ..4 {asset}",
            "(foolish|crazy|silly|a mistake|insane|dumb|stupid|nuts|mad|remiss) not to ..2 ({trade}|own|have) ..8 {asset}",
            "(allocate|put|keep|hold|have|go|be|aim for|target|shift|move|move to) ..4 #percent ..5 (in|into|to|of)? ..3 (stocks|equities|bonds|crypto|gold|bitcoin|shares|etf~|reit~|index fund~|tech|cash and)",
            "{direct} ..4 #percent ..5 (stocks|equities|bonds|crypto|gold|bitcoin|shares|etf~|reit~|index fund~)",
            "(sell|dump|liquidate|unload|cash out|empty|drain|raid|borrow against|tap|surrender|take out|pull) ..4 (your|the|that|those) ..3 (pension|401k|401 k|ira|retirement|annuity|home equity|heloc|mutual fund~|bonds|shares|stocks|portfolio|cds) & (and|then|to|into) ..3 {trade}",
          ],
          unless: [...noAdvice(), "{hedge}"],
        };
      },
      placement(): PhraseGroup {
        return {
          match: [
            "({reserves}|your|that|this|those|it) ..2 (belongs|belong|should go|should be|needs to be|need to be|has to be|have to be|ought to be|must be|is better off|are better off|is best|are best|deserves to be|is wasted|are wasted|does more|works harder|would do better|does better|will do better|is happiest|is crying out for|is screaming for|wants to be) ..4 (in|into|on|out of|with|behind|than in|outside|inside|moved|invested|sold|swapped|shifted|rolled|parked|put) ..5 {asset}",
            "{security} ..4 (is|are|would be|will be) ..2 (what|where|the one|the ones|the thing|the spot|how) ..3 (i|we|you|your|someone|people like you)",
            "{security} ..3 (all of it|every (dollar|cent|penny)|all in|all the way|trust me|hands down|no question|no contest|without hesitation|without a second thought|the whole lot|everything you have|period|full stop|for you|no brainer|end of story)",
            "{trade} ..2 {security} ..1 (now|today|this week|while|before)",
            "(sell|dump|ditch|exit|unload) ..5 (and|then) ..3 (buy|put|move|switch|go|use|get|roll|load|grab)",
          ],
          unless: [
            ...noAdvice(),
            "{hedge}",
            "(may|might|whether|depends|if|not a recommendation|not advice|can not say|some|adviser~|historically)",
          ],
          confidence: 0.7,
        };
      },
      "topic-directive"(): PhraseGroup {
        return {
          match: [
            "{direct} ..4 {trade} ..8 (into it|in it|in that|into that|in them|into them|in this|into this|in there|on it|on that|into those|in those|all in|it all|now|today|immediately|while you can|before)",
            "(buy the dip|buy now|sell now|get in now|get out now|go all in|all in on|back up the truck|diamond hands|hodl|load up|double down|ride it out|hold tight|stay put|stay the course|stay invested|max it out|take the profits|take profits|cut your losses|wait for the dip)",
            "{direct} ..2 {trade} ..2 (all of it|all|half|everything)",
            "(so|then|just) {trade} (it all|everything|all of it|every (dollar|cent|penny)|them all|the lot)",
            "^ (sell|dump|buy|hold|ditch|unload|liquidate|short|exit|trim) (it|them|all|everything|every|now|today|immediately|the lot|the whole|half|that|those|your)",
            "^ get in on (it|this|that)",
            "^ {trade} (all of it|it all|everything|them all|the lot|it now|it today|them now)",
            "^ (yes|yeah|yep|absolutely|definitely|sure|of course|hundred percent|no|nope|honestly) {trade} (it|them|all|everything|now|today|immediately|the lot|the whole|half|that|those|more|your)",
          ],
          user: [
            "{security}",
            "(portfolio|401k|ira|retirement|pension|fund|invest|investing|annuity|market|forex|margin|ticker|a buy|shares|dividend~|up #percent|down #percent|position|apple|tesla|nvidia|amazon|google|meta|bitcoin)",
          ],
          unless: [
            ...noAdvice(),
            "{hedge}",
            "(phone|email|address|document~|form|card|password|receipt|appointment|statement~|handy|safe|mind|us|account number|touch|code)",
          ],
          confidence: 0.65,
        };
      },
      endorsement(): PhraseGroup {
        return {
          // A single cue: shown, but no alert.
          severity: "info",
          confidence: 0.5,
          match: [
            "({asset}|stock|ticker|portfolio|this one|that one|it|they) (is|are|looks like|look like|looks|seems|remains) ..3 {praise}",
            "{praise} & {security}",
            "{asset} ..2 (suits you|suit you|fits you|fit you|is made for you|is tailored|is right up your alley|matches your goals|is what you need|is what you want)",
            "(my|our) ..1 (recommendation|advice|pick|picks|call|top pick|suggestion|favorite) ..2 (is|are|would be) ..8 {asset}",
            "(you can not|can not|will not|never) go wrong with ..3 {asset}",
            "(better off|smarter|wiser|best off) ..3 (in|with|holding|owning|buying|selling|putting|investing) ..5 {asset}",
            "(buy the dip|buy now|sell now|get in now|get out now|get in before|get out before|all in on|back up the truck|diamond hands|hodl|ride it out and hold) & ({asset}|{security}|price~|shares|it)",
            "{trade} ..4 before (it|they|the price|earnings|the market|prices|the rally|the crash|the dip|the split) & ({asset}|stock|shares|fund|coin~)",
          ],
          ignore: ["negation"],
          unless: [
            ...noAdvice(),
            "{hedge}",
            "(not|never|no|may|might|whether|if|depends|does not mean) ..6 {praise}",
            "(not|never) ..3 (recommend|advise|suggest|say)",
          ],
        };
      },
      "hedged-advice"(): PhraseGroup {
        return {
          match: [
            "{hedge} ..5 {trade} ..8 {asset}",
            "({hedge}|some|a little|a small|a slice) ..6 {security} ..6 (bad idea|good idea|makes sense|make sense|wise|hurt|fit you|suit you|worth|sensible|reasonable|go a long way|smart|fits|interesting for you|do the trick)",
            "{hedge} ..3 {trade} ..8 {reserves} ..3 (into|in|out of|to|on|from|for|toward|towards) ..5 {asset}",
            "(i would|i think you should|i would probably|i would lean|i lean|personally i|my gut|my hunch|i feel) ..6 ({trade}|toward|towards) ..8 {security}",
          ],
          severity: "warning",
          confidence: 0.7,
          description: "The agent suggests, with a reservation, what to do with investments.",
          unless: noAdvice(),
        };
      },
    },
  }),
);
