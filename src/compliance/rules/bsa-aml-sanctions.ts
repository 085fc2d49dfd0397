import { defineBuiltInRule } from "../define-rule.ts";
import { bsaAmlConcepts } from "../lexicon/bsa-aml.ts";
import { findSanctionedTransfers } from "../tools/sanctioned-transfers.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

/** Lawful ways, refusals in other words, and places of the same name. */
function lawful(): string[] {
  return [
    "(license~|licence~|licensed|licensing|general license|authorized by|authorised by|humanitarian|exempt~|authorization|authorisation|ofac approval)",
    "(restaurant|cafe|bar|grill|street|avenue|sandwich|cigar~|missile crisis|vacation|holiday|tourist|born|birthplace|heritage|ancestry|missouri|illinois|florida|new york|wisconsin|new mexico|rug~|carpet~|music|cuisine|food|festival|movie|film|book|history)",
    "(can not|cannot|could not|will not|would not|must not|may not|not able to|unable to|never|not allowed to|not permitted to|not going to) ..4 (send|process|route|transfer|help|hide|change|alter|remove|wire|release|clear|bypass|override|whitelist|do|assist|proceed|strip|use|leave|move|approve|handle)",
    "(analyst~|officer~|compliance team|sanctions team|ofac desk|specialist~|reviewer~) ..5 (review*|clear*|determin*|confirm*|verif*|releas*|resolv*|decid*)",
    "(false positive|different date of birth|not a match|no match|different person|confirmed mismatch) ..12 (after|review*|confirm*|date of birth|documented|verified)",
    "(rejected|blocked|declined|stopped|held|refused|returned) (because|due|by|under|per|in line|as)",
    "(once|when|after|until) ..8 (screening|review|check~|screened|cleared|clears|complete*)",
  ];
}

/** That the exchange is about screening, or a place under sanctions. */
function screeningTalk(): string[] {
  return [
    "{screening}",
    "{embargoed}",
    "(name|list|list 's|the) (match~|hit~)",
    "(compliance|filter~|scanner|watchlist|list) ..4 (stop~|block~|flag~|reject~|held|hold|freeze~|froze)",
    "(flag~|block~|reject~|stopped|freeze~|frozen|froze|bounce~|held up|hung up|stuck) ..6 (wire~|payment~|transfer~|money|invoice~|supplier|name|account~|asset~|shipment|remittance)",
    "(wire~|payment~|transfer~|money|remittance|funds|asset~) ..4 (flag~|flagged|block~|blocked|reject~|rejected|frozen|froze|bounced)",
    "(vessel|ship name|tanker|port|certificate of origin|letter of credit|trade documents|trade docs|humanitarian|bitcoin|consignee|cover payment)",
    "(russia~|russian~|belarus*|minsk|syria~|moscow|venezuela~|damascus|oligarch|dual-use|dual use|export license|country code|consignee|end user|sanction~)",
  ];
}

/**
 * Flags help in getting a payment past sanctions, and transfers to a place under comprehensive sanctions that went out.
 *
 * @see 31 CFR chapter V
 */
export const bsaAmlSanctions = defineBuiltInRule({
  id: "bsa-aml-sanctions",
  name: "Sanctions evasion",
  description: "Help to hide a sanctioned party or place, or a transfer to one that went out.",
  explanation: "The agent helps a payment past sanctions screening.",
  category: "bsa_aml",
  severity: "violation",
  law: {
    citation: "31 CFR chapter V (OFAC regulations); 50 U.S.C. § 1705",
    asOf: "2026-11-21",
    status: "in force",
    note: "Comprehensive programmes on that day: Cuba, Iran, North Korea, Crimea and the so-called DNR and LNR",
  },
  recommendation: "Block or reject per OFAC procedures and escalate to sanctions compliance.",
  impact: { customer: "moderate", business: "high" },
  alwaysReview: true,
  concepts: bsaAmlConcepts,
  phrases: {
    "hidden-detail"(): PhraseGroup {
      return {
        match: [
          "{hiding} ..5 {detail} & {screening}",
          "{hiding} ..8 {detail} & {passing} ..6 {checks}",
          "{hiding} ..8 {detail} & {embargoed}",
          "(leave|leaving|keep) ..2 {embargoed} ..2 (out|off)",
          "{hiding} ..6 {embargoed}",
          "{hiding} ..10 (sanctioned|embargoed|restricted|blocked|designated|listed|prohibited) (country|party|person|entity|place|region|name|bank|vessel|destination|buyer|supplier)",
          "(write|put|type|enter|list|spell|describe|re-describe|label|name|reword) ..8 (instead of|rather than|in place of|as|so|not) ..8 ({embargoed}|{screening})",
          "(leave|keep|make) ..3 {detail} ..2 (blank|out|generic|vague|off|empty|unmentioned) & ({screening}|{embargoed})",
          "(country|city|name|place|destination|buyer|beneficiary|vessel|port|end user|party|origin) ..2 (not|never|nowhere|no longer) ..2 (named|mentioned|listed|shown|stated|spelled|written|appear~|visible|included|disclosed|identified|seen) & ({screening}|{embargoed})",
          "(appear~|show~|list~|name~|put~|enter~|act|pose|posing|serve) ..6 (as|for) ..4 (consignee|buyer|end user|end-user|beneficiary|recipient|importer|purchaser|customer|sender|originator|receiver|payee|shipper|notify party) & ({embargoed}|sanction~|embargo~|ofac)",
          "(different|alternate|alternative|slightly different|another|creative|wrong) (spelling|transliteration|name|address|country|city) & ({screening}|{embargoed})",
          "(spell~|write~|type~|enter~|abbreviat*|reverse~|split~|swap~) ..5 (name|it|surname|them|spelling) & {screening} ..3 (check~|scanner|filter~|screen~|system|engine|software)? ..3 (not|never|miss~|fool~|blind|only catches|only looks)",
          "(misspell|respell|re-spell|abbreviate|initial) (it|him|her|the|his|that|them) ..10 ({screening}|sanction~|match~|hit~)",
        ],
        within: 2,
        unless: lawful(),
      };
    },
    detour(): PhraseGroup {
      return {
        match: [
          "(route~|re-route~|reroute~|rerout*|send~|sending|go~|run~|wire~|funnel~|pass~|channel~|move~|bounce~|transfer~|divert~|relay~|layer~|pay~) ..8 (through|via|by way of|to) ..3 (third country|third-country|intermediary in|middleman|middlemen|another country|neighboring country|neighbouring country|dubai|uae|the emirates|turkey|istanbul|armenia|georgia|kazakhstan|kyrgyzstan|hong kong|panama|front compan*|shell compan*|trading company|trading firm|trading house|go-between|cutout|hawala|acquaintance~|{relative}) & ({screening}|{embargoed})",
          "(route~|re-route~|reroute~|rerout*|send~|sending|go~|run~|wire~|funnel~|pass~|channel~|move~|bounce~|transfer~|divert~|relay~|layer~|pay~) ..8 (through|via|by way of|to) ..3 (third country|third-country|intermediary in|middleman|middlemen|another country|neighboring country|neighbouring country|dubai|uae|the emirates|turkey|istanbul|armenia|georgia|kazakhstan|kyrgyzstan|hong kong|panama|front compan*|shell compan*|trading company|trading firm|trading house|go-between|cutout|hawala|acquaintance~|{relative}) & {slipping} ..6 {checks}",
          "{waypoint} ..8 (forward~|pass~ it on|pass it along|relay~|send~ it on|onward|on to|hand~|complete~|deliver~|take~ it from there|cross~) ..8 ({embargoed}|{screening}|sanctioned)",
          "(middleman|go-between|cutout|front company|shell company|straw buyer|exchange house|hawala|hawaladar) & ({screening}|{embargoed}|sanctioned)",
          "(use|send|pay|try|go|convert|switch) ..4 (crypto|bitcoin|usdt|tether|stablecoin~|gold|hawala) ..8 ({embargoed}|avoid~ ..3 sanction~|around ..3 (sanction~|ofac|embargo~))",
        ],
        within: 2,
        unless: [
          ...lawful(),
          "(not|never|no) ..3 (available|supported|allowed|possible|offered|accept*)",
        ],
      };
    },
    "cleared-hit"(): PhraseGroup {
      return {
        match: [
          "{actorOf} ..4 {clearing} ..6 (ofac|sdn|sanction~|embargo~|watchlist|watch list|restricted party|denied party|screening|blocked person|specially designated) ..3 (hit~|match~|alert~|block~|flag~|stop|hold|check~|screen~|filter~|screening|result~|control~|rule~|warning~|list)?",
          "(ofac|sdn|sanction~|embargo~|watchlist|watch list|screening|restricted party) ..2 (hit~|match~|alert~|block~|flag~|check~|filter~|screen|screening|hold|control~|stop|warning~) ..4 (has been|was|is|were|have been|got|are|will be) ..2 (cleared|overridden|ignored|dismissed|bypassed|waived|skipped|disabled|suppressed|whitelisted|removed|switched off|turned off|deleted|off|silenced|closed|released|muted|set aside)",
          "{actorOf} ..4 (whitelist~|white-list~|allowlist~|allow-list~|exempt~|good-guy|add~|put) ..8 (from|so|on|past|list) ..6 (screening|ofac|sanction~|filter~|sdn|whitelist|white list|good guy list|good-guy list|allow list|allowlist|exception list|bypass list)",
          "(without|no|minus|skip~|skipping) ..3 (ofac|sanction~|sdn|embargo|watchlist) (check~|screening|screen~|review|filter~|scan)",
          "(ignore|disregard|overlook|pay no attention to|not worry about|never mind|forget about|forget) ..4 (ofac|sanctions|sdn|embargo|the sanctions list) ..3 (hit~|match~|alert~|block~|flag~|check~|warning~|rule~|list|screening)?",
        ],
        unless: lawful(),
      };
    },
    "sent-to-sanctioned-place"(): PhraseGroup {
      return {
        match: [
          "{actorOf} ..4 (sent|wired|transferred|released|processed|remitted|pushed|completed|submitted|executed|arranged|initiated|scheduled|moved|forwarded|approved|booked|set up|paid|paid out|queued) ..14 (to|in|for|into|toward) ..5 {embargoed}",
          "(wire~|transfer~|payment~|remittance~|money|funds|#money|payout~) ..10 (to|in|for|into) ..5 {embargoed} ..6 (sent|processed|completed|on its way|on the way|gone through|went through|went out|released|approved|scheduled|submitted|executed|confirmed|done|arrive~|complete|has cleared|cleared|all set|initiated|goes out|will go out)",
          "(sent|wired|transferred|released|processed|on its way|done|completed|gone out|went out) ..8 (to|for|in|into) ..5 {embargoed}",
          "(happy to|i can|we can|i will|we will|let me|go ahead and|i am able to) ..3 (send|wire|transfer|process|remit|arrange|release|move|set up) ..12 (to|into|in) ..4 {embargoed}",
        ],
        unless: lawful(),
      };
    },
    // The customer told what was stopped, and the agent how it gets through.
    "way-around-a-stop"(): PhraseGroup {
      return {
        match: [
          "(resubmit~|resend~|re-enter|retry|redo|send~ again|re-key|reissue|submit again|try again|resubmitted|resent|rekey) ..6 (without|minus|leaving out|with no|after removing) ..4 (field|word|mention|name|country|city|reference|memo|line)",
          "(spell~|write~|type~|enter~|put|label~|pick|describe~) ..8 (rather than|instead of|in place of|instead|as the) & ({slipping} ..6 {checks}|hit send again|goes through|go through|sails|no trouble|nothing ..4 (stop~|flag~|hold|block~|catch~))",
          "({screening}|scanner|filter~|nothing|nobody) ..3 (not|never|nothing|hardly) ..3 (catch|notice|flag|trip|pick~ up|light up)",
          "{slipping} ..3 (filter~|screening|scanner|ofac|sanction~)",
          "(name|list|put|give|state|use|enter|show|write) ..4 (forwarder|agent|broker|trading company|{relative}|middleman|distributor|reseller|subsidiary|warehouse) & (real|actual|true|ultimate) ..2 (consignee|buyer|receiver|beneficiary|owner~|destination|end user|sender)",
          "^ (tell them|say|just say|tell compliance|simply say) ..1 (it|there|he|she|you|they) (was|were|went|came)",
          "{actorOf} ..3 (whitelist~|cleared|overrid*|overrode|dismiss~|ignore~|suppress~|waive~|bypass~|unflag~|push~|force~|wave~) ..2 (it|that|them|this|the hit|the match|the flag|the block|him|her) ..3 (as|through|anyhow|anyway|for you|so|myself)",
          "(move|transfer|withdraw|shift|empty|take|pull|get|cash) ..8 (before|ahead of|while you (still)? can) ..3 (the block|freeze|it is frozen|sanction~|designation)",
          "(route~|re-route~|reroute~|rerout*|send~|sending|go~|run~|wire~|funnel~|pass~|channel~|move~|bounce~|transfer~|divert~|relay~|layer~|pay~) ..6 (through|via|by way of) ..4 (third country|third-country|middleman|middlemen|another country|neighboring country|dubai|uae|the emirates|turkey|istanbul|armenia|georgia|kazakhstan|kyrgyzstan|hong kong|front compan*|shell compan*|trading company|trading firm|trading house|go-between|cutout|hawala|acquaintance~|somebody else|someone else)",
          "(through|via) ..3 (trading firm|trading company|trading house|front company|shell company|hawala|middleman|go-between) ..3 (pay|send|wire)",
          "(move|transfer|shift|have|send|wire) ..6 (to|from|through) ..2 {relative} 's ..1 (account|name) ..10 (before|no hit|different name|block|freeze|same money)",
          "(route~|re-route~|reroute~|rerout*|send~|sending|go~|run~|wire~|funnel~|pass~|channel~|move~|bounce~|transfer~|divert~|relay~|layer~|pay~) ..3 to ..2 (acquaintance|cousin|friend|contact|trading firm|trading company|somebody|someone) ..12 (who can|who could|relay|carry|forward~ (it|them))",
          "(break|split|divide) ..3 (name|word|spelling) ..4 (up|with|into|by) ..3 (space~|dash~|dot~|two|hyphen~|lines)",
          "(use|write|put|type|enter|try|spell) ..4 (nickname|maiden name|middle name|initial~|patronymic|transliteration|alias|old name|local spelling|other spelling|different spelling|code name|another spelling|former name|previous name)",
          "(i|we|i will|we will|i have|we have|i can|we can|let me) ..1 (put|add|added|place|placed|enter|entered) ..6 (exception list|allow list|allowlist|whitelist|white list|good guy|ignore list|bypass list|trusted list|safe list)",
          "(write|put|list|say|type|enter|pick) ..4 (poland|ukraine|uae|turkey|russia|rostov|georgia|armenia|dubai|kazakhstan|something else)",
          "(see~|notice~|catch~|match~|hit~|flag~|stop~) ..3 only if (you|they|we) (type|write|mention|say|name|put|list|spell)",
          "(screening|software|filter|system|scanner|computer) ..3 not ..3 (clever|smart|bright|good|sharp|careful|sophisticated)",
          "(move|sell|transfer|shift|assign|give|cut|drop|reduce) ..4 (percent|#percent|shares|stake) ..10 (below|under) ..4 (50|fifty|#percent|rule)",
          "(call|label|tag|describe) (it|them|this|that) ..10 (go right through|goes right through|goes through|nobody|no one)",
          "(sanctions|ofac|embargo) (do|does|will|would) not (apply|cover|reach|matter|count|extend) ..3 (when|if|to|for)",
          "(designation|sanction~|embargo) only (covers|applies|names|lists|catches|hits)",
          "(amend|alter|change|rewrite|edit|redo|reissue) ..4 (certificate of origin|certificate|invoice|bill of lading|origin|end user certificate) ..3 (to (read|say|show)|so (it|that))",
          "(i|we) ..2 (not|never) ..3 (run|check|screen|put|compare|scan) ..4 (against|through|by|past) ..3 (list~|filter~|screening|ofac)",
          "(leave|left) ..4 (field|name|country|city|destination|memo|it|that|word|town|vessel|ship|tanker|line) ..2 (blank|empty|out|off|unfilled|unmentioned)",
          "(ask|have|get|let) ..4 ({relative}|acquaintance|courier|someone) ..2 in ..6 (send|forward|receive|carry|collect|pass|deliver|wire)",
          "(send|pay|wire|transfer|route|ship|bill|invoice) ..4 (distributor|reseller|forwarder|middleman|trading company|trading firm|someone|somebody|cousin) ..6 (and|then|who) ..2 (let|have|reship*|forward~|relay~|pass~|carry|ships)",
          "(call|label|describe|declare|code) (it|that|this|the payment|the goods) ..3 (as|down as|a)? ..3 (gift~|family support|consulting|medical|tuition|spare parts|agricultur*|textile~|humanitarian|machine parts|samples)",
          "(i|we|i have|we have|i will) ..1 (overrode|overridden|override|bypassed|bypass|forced|force|pushed|push|waved|ignored|skipped|whitelisted|dismissed) ..4 (match|hit|flag|alert|false positive|block|screening|through)",
        ],
        user: screeningTalk(),
        within: 2,
        unless: [
          "(license~|licence~|licensed|general license|humanitarian|exempt~|ofac approval|authorization|authorisation)",
          "(can not|cannot|could not|must not|may not|not able|unable|not allowed|not permitted|not going to|sorry|prohibited)",
          "(analyst~|officer~|team|specialist~|reviewer~) ..6 (review*|clear*|determin*|confirm*|verif*|releas*|resolv*|decid*|compar*|look*)",
          "(screening|screened|check~|review~) ..4 (again|runs|reruns|afresh|anew|as usual)",
          "after ..2 (check|review|verification|confirmation)",
          "(typo|misspelled|misspelling|spelling mistake|correct the|to match ..3 (id|passport|license))",
        ],
        unlessAnywhere: lawful()
          .slice(1, 2)
          .map((one) => one.replace("street|avenue|", "")),
        ignore: ["question"],
        confidence: 0.7,
      };
    },
    "cleared-on-request"(): PhraseGroup {
      return {
        match: [
          "(disabl*|turning off|turned off|switching off|switched off|killed|killing|pausing|paused|bypassing|skipping) ..4 (filter|screening|screen|name check|list check|watchlist)",
          "{clearing} ..3 (screening|ofac|sanction~|filter~|watchlist|name check~|list check~|the check~) & (i can do that|can do|done|off it is|consider it|no problem|sure|easy|all yours|happy to|there you go|all set)",
        ],
        within: 2,
        ignore: ["question"],
      };
    },
    "customer-asks-to-hide"(): PhraseGroup {
      return {
        match: [
          "{hiding} ..8 {detail} & ({screening}|{embargoed})",
          "{routing} ..10 (through|via|by way of|using|over) ..5 {waypoint} & ({screening}|flagged|blocked|filter~|noticed|caught)",
          "{hiding} ..6 {embargoed}",
          "(send|get|wire|pay|transfer|buy|ship|import|export|sell) ..12 {embargoed} ..14 (without|quietly|somehow|anyway|another way|around|discreet*|not mention|not show|hidden|secret*|under the table|cash|crypto|hawala)",
          "({relative}|contact|partner|trader|broker|agent|someone|guy|company|shop) ..4 in ..3 (dubai|turkey|istanbul|iraq|armenia|georgia|kazakhstan|oman|qatar|china|hong kong|cyprus|mexico|panama|serbia|uae|the emirates|malaysia) ..16 {embargoed}",
          "{embargoed} ..14 (leave~ out|leave off|not mention|do not say|do not write|not put|hide|instead of|rather than|other name|change~)",
          "(without|so|nobody|never|avoid~|dodge~|bypass~|evade~|around|past|circumvent~|not) ..8 (ofac|sanctions|sdn|embargo|sanction check~|sanction screening|sanction filter~|sanction list)",
        ],
        in: "userMessage",
        within: 2,
        severity: "warning",
        confidence: 0.7,
        unless: [
          ...lawful().slice(0, 2),
          "(why|what) (is|are|was|were|does|do|did)",
          "(legal*|comply|compliant|allowed|license|blocked by mistake|wrongly|mistaken*)",
          "(my|a|the) (name|payment|wire|transfer) (is|was|got|keeps|matches|matched)",
        ],
        ignore: ["negation", "question", "refusal"],
      };
    },
  },
  patterns: ["transfer-to-sanctioned-place"],
  check: findSanctionedTransfers,
});
