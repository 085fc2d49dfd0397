import { defineRule } from "../define-rule.ts";
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
export const bsaAmlSanctions = defineRule({
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
          "{hiding} ..8 {detail} & {screening}",
          "{hiding} ..8 {detail} & {passing} ..6 {checks}",
          "{hiding} ..8 {detail} & {embargoed}",
          "{hiding} ..6 {embargoed}",
          "{hiding} ..10 (sanctioned|embargoed|restricted|blocked|designated|listed|prohibited) (country|party|person|entity|place|region|name|bank|vessel|destination|buyer|supplier)",
          "(write|put|type|enter|use|list|say|spell|give|describe|label|show|call|name|state|key|reword) ..8 (instead of|rather than|in place of|as|so|not) ..8 ({embargoed}|{screening})",
          "{detail} ..6 (blank|out|generic|vague|off|differently|misspelled|altered|changed|removed|unmentioned|empty|abbreviated) & ({screening}|{embargoed})",
          "(country|city|name|place|destination|buyer|beneficiary|vessel|port|end user|party|origin) ..2 (not|never|nowhere|no longer) ..2 (named|mentioned|listed|shown|stated|spelled|written|appear~|visible|included|disclosed|identified|seen) & ({screening}|{embargoed})",
          "(appear~|show~|list~|name~|put~|enter~|act|pose|posing|serve) ..6 (as|for) ..4 (consignee|buyer|end user|end-user|beneficiary|recipient|importer|purchaser|customer|sender|originator|receiver|payee|shipper|notify party) & ({embargoed}|sanction~|embargo~|ofac)",
          "(different|alternate|alternative|slightly different|another|creative|wrong) (spelling|transliteration|name|address|country|city) & ({screening}|{embargoed})",
          "(spell~|write~|type~|enter~|abbreviat*|reverse~|split~|swap~) ..5 (name|it|surname|them|spelling) & {screening} ..3 (check~|scanner|filter~|screen~|system|engine|software)? ..3 (not|never|miss~|fool~|blind|only catches|only looks)",
          "(misspell~|transliterat*|respell~|re-spell~|anagram|abbreviat*) ..10 ({screening}|{checks}|{detail})",
        ],
        within: 2,
        unless: lawful(),
      };
    },
    detour(): PhraseGroup {
      return {
        match: [
          "{routing} ..10 (through|via|by way of|using|over|out of|with|to) ..4 {waypoint} & ({screening}|{embargoed})",
          "{routing} ..10 (through|via|by way of|using|over|out of|with|to) ..4 {waypoint} & {passing} ..6 {checks}",
          "{waypoint} ..8 (forward~|pass~ it on|pass it along|relay~|send~ it on|onward|on to|hand~|complete~|deliver~|take~ it from there|cross~) ..8 ({embargoed}|{screening}|sanctioned)",
          "(third country|third-country|intermediary|middleman|go-between|cutout|front company|shell company|straw buyer|stopover|hop|exchange house|hawala|hawaladar|layover|detour|pass-through) & ({screening}|{embargoed}|sanctioned)",
          "(crypto|bitcoin|usdt|tether|stablecoin~|gold|hawala|prepaid card~|gift card~) ..12 ({embargoed}|sanction~|ofac|embargo~)",
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
          "(leave~ out|left out|leave~ off|left off|leave|omit~|drop~|strip~|remove~|take~ out|took out|scrub~|delete~|erase~|blank~ out|abbreviat*|misspell~|mask~|hide~|disguise~|skip~|reword~|never mention|not mention|not write|not put|not say|cut~ out|wipe~|sanitize~) ..3 (it|that|them|this|these|those|the word|the name|that line|that part) ..6 (from|out of|in|off|with|next time|and|before|so|to)",
          "(resubmit~|resend~|re-enter|retry|redo|send~ again|re-key|reissue|repeat|submit again|try again|hit send again|resubmitted|resent|rekey) ..8 (without|minus|leaving|with no|after removing|with a different|with another|under|but) ..5 ({detail}|word|mention|line|it|that|initials|{relative}|company)",
          "(spell~|write~|type~|enter~|put|use|say|name|list|give|call|describe~|label~|pick|choose|select|state|show|book) ..10 (rather than|instead of|in place of|not the|instead|as the|for the) & ({slipping} ..6 {checks}|{checks} ..4 not|nothing ..4 (stop~|flag~|hold|block~|catch~)|again|goes through|go through|clears|sails|no trouble|blocked|no questions|fine)",
          "({checks}|{screening}|nothing|nobody|no one|it|that) ..3 (not|never|nothing|hardly|wo) ..3 (catch|match|notice|flag|hit|recognise|recognize|stop|trip|block|hold|pick~ up|see it|spot|light up|question)",
          "{slipping} ..4 {checks}",
          "(name|list|put|give|state|use|enter|show|write) ..4 (forwarder|agent|broker|trading company|{relative}|middleman|distributor|reseller|subsidiary|warehouse) & (real|actual|true|ultimate|final) ..4 {detail}",
          "(tell|say|write|put|claim|pretend|answer|report|state) ..3 (them|it|that|compliance|you)? ..3 (was|is|were|are|went|going|came)",
          "(overwrit*|overrid*|overrode|swapped|replaced|changed|edited|switched|corrected|adjusted|altered|substituted|put) ..6 (with|to|for|as|by|from)",
          "{actorOf} ..3 {clearing} ..3 (it|that|them|this|yours|the hit|the match|the flag|the block|the hold|him|her)",
          "(move|transfer|withdraw|shift|empty|take|pull|get|cash) ..8 (before|ahead of|while you (still)? can|until|prior to) ..5 (block~|freeze~|frozen|hold|sanction~|designation|list|ofac|order|it posts|posts|takes effect)",
          "{routing} ..10 (through|via|by way of|using|over|out of|with|to|from) ..4 {waypoint}",
          "(break|split|divide) ..4 ({detail}|it|word|name) ..4 (up|with|into|by) ..3 (space~|dash~|dot~|two|hyphen~|lines)?",
          "(nickname|maiden name|middle name|initial~|patronymic|transliterat*|alias|old name|local spelling|other spelling|different spelling|abbreviat*|code name|another spelling|former name|previous name)",
          "(put~|add~|place~|enter~) ..6 (exception list|allow list|allowlist|whitelist|white list|good guy|ignore list|bypass list|trusted list|safe list|exceptions)",
          "(write|put|list|say|use|give|type|enter|pick) ..6 (poland|ukraine|uae|turkey|russia|rostov|georgia|armenia|dubai|kazakhstan|another|other|something else|post box|po box|generic|different)",
          "only if (you|they|we) (type|write|mention|say|see|name|put|list|spell)",
          "(screening|software|filter|system|scanner|computer) ..3 not ..3 (clever|smart|bright|good|sharp|careful|sophisticated)",
          "(if|when|once) (they|it|compliance|the system|the filter|the bank) (see~|read~|find~|spot~|know~|notice~|catch~) ..10 (freeze~|block~|stop~|reject~|hold~|refuse~|trouble)",
          "(move|sell|transfer|shift|assign|give|cut|drop|reduce) ..4 (percent|#percent|share~|stake|one percent) ..12 (below|under|less|50|fifty|falls|rule|so)",
          "(call|label|tag|describe) (it|them|this|that) ..6 (even if|although|though|go right through|goes through|and it|nobody|no one)",
          "(sanctions|rules|ofac|embargo|list) (do|does|will|would) not (apply|cover|reach|matter|count|extend) ..3 (when|if|to|for)",
          "(designation|list|sanction~|embargo|block) only (covers|applies|names|lists|catches|hits)",
          "(amend|alter|change|rewrite|correct|edit|redo|reissue) ..4 (certificate|invoice|bill of lading|document~|papers|declaration|origin|letter) ..8 (to|so|as|without|into)",
          "(not|never|no) ..3 (run|check|screen|put|compare|scan) ..4 (against|through|by|past) ..3 (list~|filter~|screening|system|ofac)",
          "(correspondent|bank~|filter|they|receiver|screening) ..3 not ..2 (see|know|learn|notice|spot|tell) ..6 (underlying|beneficiary|that|who|real|where|sender|payee)",
          "(leave|left) ..6 (blank|empty|out|off|unfilled|unmentioned)",
          "(ask|have|get|let|use) ..4 ({waypoint}|{relative}|someone|somebody|courier) ..8 (send|forward|receive|carry|take|collect|pay|bring|pass|deliver|wire|order|buy|name|account)",
          "(send|pay|wire|transfer|route|ship|bill|invoice) ..6 ({waypoint}|{relative}|somewhere|someone|another|different|neutral|friendly) ..6 (first|instead|and|then|who|where|they|he|she)",
          "(call|label|describe|mark|book|list|write|declare|code|put) ..4 (it|that|this|payment|purpose|memo|goods|invoice) ..3 (as|down as|a|for)? ..3 (gift~|family|support|consulting|medical|tuition|travel|services|spare parts|general|personal|goods|agricultur*|textile~|humanitarian|machine~|samples|other)",
          "(i|we) ..4 (overrode|overridden|override|bypassed|bypass|forced|force|pushed|push|waved|ignored|ignore|skipped|whitelisted|dismissed) ..8 (through|it|anyway|match|hit|flag|alert|false positive|block|hold|hits|review|screening|him|her|them|payment|wire)",
          "(initials|acronym|first name only|last name only|another country|different country|different city|another city|other passport|second passport|old passport|sister company|new entity|different entity|daughter company)",
          "(under|below|small enough|small amounts|smaller amounts) ..6 (screen~|check~|look~|notice~|flag~|scan~|threshold~|radar)",
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
