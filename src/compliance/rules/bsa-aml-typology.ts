import { defineBuiltInRule } from "../define-rule.ts";
import { bsaAmlConcepts } from "../lexicon/bsa-aml.ts";
import { forwardsTheRest, muleHelp, mulePlans } from "../lexicon/money-mules.ts";
import { disguisePlain, muleAgreed, muleHelpPlain } from "../lexicon/plain-bank-secrecy.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

/** Warnings, victims, shared costs. */
function innocent(): string[] {
  return [
    "(rent|roommate~|landlord|groceries|utilities|dinner|trip|split the bill|birthday|wedding|utility|bills|babysit*|tuition|allowance)",
    "(scam~|mule|mules|victim|never accept|never agree|beware|warning|fraudster~|criminal~|red flag~|suspicious|scammer~|too good to be true|suspect)",
    "(can not|cannot|will not|must not|not able to|unable to|would not|should not|do not|never) ..3 (help|assist|advise|suggest|recommend|do|process|accept|agree|participate|support|facilitate|forward|let|allow)",
    "(payroll|commission on sales|sales commission|real estate|realtor|affiliate program|cash back|cashback|cocktail|cement|concrete|audio|kitchen|paint|stand mixer|laundromat|laundry|dry clean*)",
  ];
}

function harmlessForUser(): string[] {
  return [
    innocent()[0] ?? "",
    "((is|was) (this|it|that|he|she|the job|the offer) ..2 (legit|legitimate|real|safe|a scam|normal|genuine|ok|okay|for real)|(have|has|had) not (done|sent|replied|answered|agreed|accepted|responded|touched)|(sounded|sounds|feels|felt|seems) ..1 (wrong|off|fishy|shady|dodgy|weird|odd|strange)|offered me|tried to (hire|recruit|get me)|is (this|it|that) a scam|sounds like a scam|is that legit|is this legit|think i was|scammed|scammer~|suspicious|worried|victim|reported|i refused|i declined|i said no|(told|telling) (him|her|them) no|blocked (him|her|them)|letting you know|hung up|should i be|what (should|do) i do|found out|without my (knowledge|permission|consent))",
    innocent()[3] ?? "",
    "(training|exam|quiz|homework|essay|article|course|compliance|what is|what are|define|explain)",
    "(emergency fund|401k|ira|budget|high yield|my paycheck|my salary)",
  ];
}

function obscuring(): string[] {
  return [
    "{mixing} ..16 {cleaning}",
    "{cleaning} ..16 {mixing}",
    "{mixing} ..12 {traceless}",
    "{mixing} ..8 (then|before|and|and then|after) ..8 {exits}",
    "{mixers} ..10 {exits}",
    "{sequence} ..10 (wallet~|crypto|account~|compan*|shell~|entities|jurisdiction~|banks|hops) ..12 {traceless}",
    "{traceless} & (wallet~|crypto|bitcoin|btc|shell~|wire~|offshore|accounts|monero|usdt|compan*|casino~|gift card~|prepaid)",
    "(hide|disguise~|conceal~|mask~|obscur*|cover up|covering up|blur~|muddy|cloak|camouflage) ..6 (origin~|source~|trail|where it came from|where the money|ownership|provenance|who sent|who owns|where it comes from|money 's origin)",
    "(launder|laundering|wash|washing|clean|cleaning|scrub|scrubbing|rinse) ..3 (the|my|your|some|this|that|dirty|our|his|her) ..2 (money|cash|funds|proceeds|profits|coins|bitcoin|crypto|btc)",
  ];
}

/** Said of one's own money, it tells all; an agent may warn of it. */
const DIRTY_MONEY =
  "(dirty|drug|illicit|hot|criminal|tainted|black|undeclared|street) (money|cash|funds|proceeds|profits)";

/** Where money that is to be washed comes from. */
const CRIME =
  "(robbery|theft|heist|burglary|drug~|dope|weed|coke|cocaine|heroin|meth|pills|fentanyl|grow op|dealing|dealer~|fraud|bribe~|bribery|kickback~|extortion|blackmail|embezzl*|skimming|counterfeit~|smuggl*|traffick*|stolen|cartel|gang|crime|loan sharking|bookie|illegal gambling|hustle|scamming|phishing|ransomware|pimping|escorting|under the table|off the books|unreported|undeclared|untaxed|side deal~|illegal)";
/** The same without what happens to customers, such as a theft. */
const OWN_CRIME =
  "(heist|drug~|dope|weed|coke|cocaine|heroin|meth|pills|fentanyl|grow op|drug dealing|bribe~|bribery|kickback~|embezzl*|smuggl*|traffick*|cartel|gang|loan sharking|bookie|illegal gambling|hustle|ransomware|pimping|escorting|under the table|off the books|unreported|undeclared|untaxed|side deal~|robbery|blackmail|extortion)";
const PROCEEDS =
  "(money|cash|proceeds|profit~|loot|haul|funds|income|earnings|takings|stash|stacks|gains|#money)";

function washing(): string[] {
  return [
    `(washing|washed|launder~|rinse~|legitimi*|legali*|explain~ away|normalise|normalize|bleach~) ..6 ${PROCEEDS}`,
    `(wash~|clean~|scrub~) (up)? (my|the|this|that|our|some|dirty|his|all) ..2 ${PROCEEDS}`,
    `${OWN_CRIME} ..4 ${PROCEEDS} ..16 (look~|appear~|seem~|clean~|legit*|bank|deposit~|account|system|real estate|property|business|invest~|salary|wages|spend~|buy~)`,
    `(make~|get~|turn~|let|have) ..4 (${CRIME}|${PROCEEDS}) ..8 (look~|appear~|seem~|pass) ..4 (like|as|clean|legit*|normal|honest|earned|lawful|legal|innocent)`,
    `(disguis*|hid~|hide~|conceal~|mask~|cover up|covering up|obscur*|bury|camouflage) ..6 (whose|who|where|origin~|source~|ownership|real owner|true owner|trail|owner)`,
    `${PROCEEDS} ..4 (from|of|off) ..4 ${OWN_CRIME} ..20 (put|bank|deposit~|get|move~|invest~|into|turn|clean|legit*|without|how|where)`,
    "(invoice~|sale~|job~|game~|client~|customer~|employee~|shipment~|service~|event~|contract~|deal~|work|goods|party|parties|tenant~|guest~|vendor~|consult*) ..3 (that|which|who) (never|did not|do not|does not|not really) (happen~|exist~|took place|take place|occur~|work~|deliver~|ship~|sold|sell) & (money|cash|payment~|income|sale~|invoice~|paid|pay|revenue|deposit~|receipt~)",
    "(passed off|pass off|passing off|dressed up|dress up|disguised|ring~ up|rung up|run through|mixed in|blended) ..3 (as|with|among|into) ..4 (sales|revenue|takings|salary|wages|rent|loan|gift|receipts|till|winnings|consulting|washes|jobs|services)",
    "(straw buyer~|straw man|strawman|straw purchaser~|nominee~|shell compan*|shells|front compan*|front business|strangers ' names|strangers 's names|other people 's names|someone else 's name|fake name~) & (find out|trace~|hide|hides|clean|police|feds|task force|launder*|dealership|works)",
    "(buy|pay|put|fund~|overpay~|load~|open|invest) ..16 (cancel~|refund~|surrender~|redeem~|cash it out|cash out|overpaid|return it|close it|sell it) ..14 (clean|legit*|explain~|looks)",
    "((cash-heavy|cash heavy|cash business|nail bar|nail salon|car wash|laundromat|restaurant|bar|club) ..10 (mix|mixed|mixing|blend|blended) ..4 (with|into|in) ..3 (receipts|sales|takings|revenue)|other business ..4 as ..2 (sales|revenue|takings))",
    "invoice~ ..6 (says|say|shows|show|reads|at) ..12 (although|but|while|really|actually|whereas) ..24 (surplus|abroad|hong kong|offshore)",
    "(lend|loan|borrow~|invest) ..6 (own money|my own money|to myself|back to me|to yourself|from myself) ..16 (offshore|appear~|look~|clean|legit*|shell|company|firm)",
    "(make~|made|making) ..6 (paperwork|story|contract~|papers|documents|explanation) ..4 (look~|seem~|appear~|sound~) (genuine|real|legit*|proper|plausible|clean)",
    "(come out|comes out|came out) (white|clean|legit*|fresh|spotless)",
    "(buy~|into|through|via|flip~) ..3 (gold|gold bars|diamonds|watches|art|cars|jewelry|jewellery|coins|paintings|nfts) ..16 (break|lose|hide|clean|wash|launder~) ..3 (trail|money|cash|it|tracks|origin|link|chain|source)",
    "(llc|shell|offshore) ..4 (to|into|then) ..4 (crypto|offshore|privacy coin|monero|shell)",
    "(passing|pass|moving|move|run|running) ..2 (other people|peoples|people 's|others|strangers|someone else) ..3 (money|cash|funds) ..2 (through|thru|via|along)?",
    "(black market peso|bmpe|trade based laundering|hawaladar|layering|placement stage|mirror trad*|cuckoo smurfing|chip walking|chip dumping|daigou)",
  ];
}

/** What an agent says that helps; most of the above it may say in a warning, or of ordinary accounts. */
function washingHelp(): string[] {
  return [
    ...washing().filter((phrase) => /^\(?\(?(?:passed off|cash-heavy|llc)/.test(phrase)),
    "(straw buyer~|nominee~|shell compan*|front compan*|front business) ..20 (invisible|nobody|no one|your name|hide you|hides you|trace~|untraceable)",
  ];
}

/** The same of ways to lose a trail: an agent may say what a prepaid card is not linked to. */
function obscuringHelp(): string[] {
  return [
    "{mixers} ..16 {cleaning}",
    "{mixers} ..10 {exits}",
    "(shell compan*|fresh wallet~|burner wallet~|chain of wallets|string of accounts|privacy coin~|monero|hop|hops) ..10 (then|before|and|so) ..8 ({exits}|{lostTrail})",
    "{sequence} ..10 (wallet~|crypto|account~|compan*|shell~|entities|jurisdiction~|banks|hops|llcs) ..12 {lostTrail}",
    "(launder|wash|clean|scrub|rinse) ..1 (your|this|my) ..2 (money|cash|funds|proceeds|bitcoin|crypto|btc)",
  ];
}

/** An agent that writes the false invoice. */
function tradeHelp(): string[] {
  return [
    "(invoice|bill) (him|her|them|it|your|the|each) ..6 (goods|shipment~|services|jobs|containers|work|orders|cargo|items|stock) ..2 never (ship~|exist~|happen~|leave~|move~|sail~|existed)",
    "(over|under) invoice (it|the|your|them|each)",
    "phantom (shipment~|invoice~|goods|sales|vendor~|employee~)",
  ];
}

const ELDERS =
  "(mother|mom|mum|mama|dad|father|papa|grandma|grandmother|granny|nana|gran|grandpa|grandfather|gramps|aunt~|auntie|uncle|elderly|old lady|old man|old woman|neighbor|neighbour|patient|client|widow|pensioner|resident|stepmom|stepdad|mother-in-law|father-in-law)";

function moreElder(): string[] {
  return [
    "(take care of|caring for|care for|look after|caregiver|carer|aide|nurse|live-in) & (sign anything|signs anything|leave~ me everything|does not know|will not know|not understand) & (wire|transfer~|withdraw~|account|#money|my brother|cash|card)",
    `${ELDERS} & (will not know|will not notice|not know what|never notice~|never check~|signs anything|sign anything|not realise|not realize|gone upstairs|half asleep|not all there|without ..3 (notic*|know*|find*|ask*|telling)|before ..4 (dies|passes|notice~|catch~ on|find~ out)|behind ..3 back|catch on) & (my own name|my name|into mine|to mine|my account|myself|empty~|drain~|withdraw~|max|limit|take out|take~|cash|pull~|move~|moving|transfer~|add me|change~ the beneficiary|pin|card|helping myself|borrow~|sell~|cosign*|sign over)`,
    `${ELDERS} & (dementia|alzheimer*|memory|senile|confused|forgetful|hospice|coma|bedridden|out of it|slipping) & (my own name|my name|into mine|to mine|to myself|for myself|empty~|drain~|change~ the beneficiary|helping myself|sell~ (his|her|their)|cosign*|sign over|use (his|her|their) (pin|card)|(his|her|their) (pin|card) ..6 (withdraw~|take~|cash|pull~|max|and|so)|(move~|moving|transfer~|pull~|take~|withdraw~) ..6 (savings|#money|money|cash|out of (his|her|their)|everything|it all))`,
  ];
}

/** The elder speaks, or somebody who cares. */
function protecting(): string[] {
  return [
    "(my|our|his|her|their|the|'s) (caregiver|caretaker|carer|aide|home aide|nurse|helper) ..3 (say~|said|wants|asked|is|has|keeps|took|told|might|may|seems)",
    "(alerts|trusted contact|view-only|protect~|nursing home|care home|assisted living|her bills|his bills|their bills|adult protective|guardianship)",
  ];
}

function trade(): string[] {
  return [
    "((i|we) ..2 (invoice|bill|billed|invoiced)|billing|invoicing|invoice~) ..8 (goods|shipment~|services|jobs|containers|work|orders|cargo|items|stock) ..2 never (ship~|exist~|happen~|leave~|move~|sail~|existed)",
    "(over|under) invoic*",
    "(over-invoic*|under-invoic*|overinvoic*|underinvoic*|phantom (shipment~|invoice~|goods|sales|vendor~|employee~))",
    "(fake|sham|phony|bogus|made-up|dummy|fictitious|false|invented|circular|inflated|padded|backdated|back-to-back) (invoic*|contract~|loan~|sale~|consulting|shipment~|service~|vendor~|receipt~|purchase order~|trade~|supplier~|agreement~)",
    "(invoice~|bill~|billing|invoicing) ..8 (each other|one another|back and forth) ..12 (nothing|no real|no actual|circle|around|turnover|volume|look~|fake|just to|on paper|loop)",
    "(invoice~|billing|invoicing) ..8 (in a circle|round and round|for nothing|(goods|shipment~|services|jobs|containers|work|orders) ..2 never|no goods|without goods|no real|twice the|double the|ten times|above the real|below the real|inflat*)",
    "(money|funds|cash|payment~|same #money) ..8 (circle~|loop~|round trip~|round-trip~|go~ in circles|goes around|in a loop|right back to)",
  ];
}

function elder(): string[] {
  return [
    "(caregiver|caretaker|carer|home aide|aide|nurse|her helper|his helper|power of attorney|poa) ..20 (empty~|drain~|clean~ out|cash~ out|into my own|to my own|to my account|for myself|to myself|into my account)",
  ];
}

const asked = (match: readonly string[]): PhraseGroup => ({
  match,
  in: "userMessage",
  within: 2,
  unless: harmlessForUser(),
  unlessAnywhere: harmlessForUser().slice(1, 2),
  ignore: ["negation", "question", "refusal", "others"],
  confidence: 0.75,
  severity: "warning",
  description: "The customer describes a known way of laundering money.",
});

const assisted = (match: readonly string[]): PhraseGroup => ({
  match,
  within: 2,
  unless: innocent(),
  severity: "violation",
});

/**
 * Flags known ways of laundering money: a customer who describes one, and an agent that assists.
 *
 * A red flag by itself is no evidence of crime, hence the customer's words are a warning only.
 *
 * @see FFIEC BSA/AML Examination Manual, appendix F; 18 U.S.C. § 1956
 */
export const bsaAmlTypology = defineBuiltInRule({
  id: "bsa-aml-typology",
  name: "Laundering typology",
  description:
    "Money mules, mixers, circular or false invoices, a disguised origin of funds, a drained elder's account.",
  explanation: "The agent assists in a known way of laundering money.",
  category: "bsa_aml",
  severity: "warning",
  law: {
    citation: "FFIEC BSA/AML Examination Manual, appendix F; 18 U.S.C. § 1956; FIN-2025-A003",
    asOf: "2026-11-21",
    status: "guidance",
  },
  recommendation:
    "Do not facilitate; warn the customer of the scam if they may be a victim; refer to AML.",
  impact: { customer: "high", business: "high" },
  concepts: bsaAmlConcepts,
  phrases: {
    "mule-request"(): PhraseGroup {
      return asked(mulePlans());
    },
    // The parts of a mule's job, told one after the other.
    "mule-over-turns"(): PhraseGroup {
      return {
        ...asked(forwardsTheRest()),
        about: [
          "(recruiter|employer|boss|stranger|company|client|agent|someone|somebody|friend|boyfriend|girlfriend|guy|man|woman|lady|they|he|she) ..10 (send~|sent|transfer~|wire~|wired|deposit~|pay~) ..8 (me|my account|mine)",
          "{receiving} ..6 {incoming}",
        ],
        user: [
          "(keep~|keeping|pocket|skim|hang on to|take) ..4 (#money|#percent|percent|cut|share|commission)",
          "(my cut|my share|my commission|for my trouble)",
        ],
        inSession: true,
      };
    },
    "disguise-request"(): PhraseGroup {
      return asked([...obscuring(), ...washing(), DIRTY_MONEY]);
    },
    "invoice-request"(): PhraseGroup {
      return {
        ...asked(trade()),
        unless: [
          ...harmlessForUser(),
          "(i|we) ..2 (got|received|fell for|paid|was sent|were sent)",
          "sent (me|us)",
        ],
      };
    },
    "elder-request"(): PhraseGroup {
      return {
        ...asked([...elder(), ...moreElder()]),
        within: 3,
        unless: [...harmlessForUser().slice(0, 3), ...protecting()],
        unlessAnywhere: [...harmlessForUser().slice(1, 2), ...protecting()],
      };
    },
    "mule-assistance"(): PhraseGroup {
      return assisted(muleHelp());
    },
    "disguise-assistance"(): PhraseGroup {
      return assisted([...obscuringHelp(), ...washingHelp()]);
    },
    // The customer asked how to hide where money comes from.
    "blended-with-sales"(): PhraseGroup {
      return {
        ...assisted([
          "{blending} ..4 (it|cash|money|funds|that|this|them|some|proceeds|half) ..8 (sales|revenue|income|takings|receipts|till|register|turnover|earnings|daily deposit|business deposit~|customers|tips|rent|loan|gift|consulting)",
          "(call|label|book|describe|list|log|report|record|enter|ring) ..4 (it|them|that|this|cash|money) ..5 (as|up as|a|under) ..3 (sales|revenue|income|takings|receipts|turnover|loan|gift|consulting|rent|winnings|inheritance|tips|refund|donation~)",
        ]),
        user: [
          "(hide|hiding|disguise|conceal|mask|cover up|explain away|clean|launder|wash|legit|legitimate) ..10 (cash|money|funds|it|came|comes|source|origin|proceeds|from)",
          "(dirty|drug|illicit|stolen|undeclared|unexplained) (money|cash|funds|proceeds)",
          "(without|so|nobody|not) ..6 (where|source|origin) ..6 (from|came|money|cash)",
        ],
        inSession: true,
      };
    },
    "invoice-assistance"(): PhraseGroup {
      return assisted(tradeHelp());
    },
    "account-lent": muleHelpPlain,
    "account-lent-agreed": muleAgreed,
    "sham-origin": disguisePlain,
  },
});
