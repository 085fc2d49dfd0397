import { defineBuiltInRule } from "../define-rule.ts";
import { modelRiskLaw } from "../lexicon/model-risk-law.ts";
import { modelRiskConcepts } from "../lexicon/model-risk.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

function discloses(): string[] {
  return [
    "(i am|i will be|this is|you are (chatting|talking|speaking) (with|to)|as) (just|only|actually|simply|indeed|really)? (an|a|the|your|our) ..2 (ai|software|bot|chatbot|virtual|automated|digital|computer|machine|robot|language model|program|assistant)",
    "i am (just|only|actually|indeed|simply|really|purely|entirely|fully|definitely|all|an|a|the|your)? (an|a|your|the|bank 's|made of|pure|only|entirely|fully)? (ai|software|automated|artificial|virtual|code|computerised|computerized)",
    "i am not (a|an)? ..2 (human|person|real|live|banker|employee)",
    "not (a|an)? (human|person|real person)",
  ];
}

/** Tells what the agent is: nothing in the answer is a disguise then. */
function disclosed(): string[] {
  return [
    ...discloses(),
    "(i am|i will be|this is|you are (chatting|talking|speaking) (with|to)|my name is) ..3 (virtual|automated|digital) ..1 (assistant|agent|helper|concierge|banker|guide)",
    "(as an ai|as a (bot|virtual|digital|language)|the bank 's ..2 (assistant|ai|software|bot)|i run on|i am powered by|i was (built|trained|programmed|designed)|i do not (sleep|eat|drink|have (feelings|a body|hands|a family|kids|children|a desk|a name)|get tired))",
  ];
}

/** The customer asks with whom they talk, or wants a person. */
function asksWho(): string[] {
  return [
    "(are|is|am|r|were|was|do|does|did) ..1 (you|u|this|i|it|that|your) ..6 ({machine}|{person}|real|human|automated|scripted|canned|generated|fake|employee|adviser|advisor|teller|staff|someone|tired)",
    "({machine}|chatbots|virtual assistants|generated|scripted|a real|real person|someone real|live person|live agent|actual person|human|flesh)",
    "(who|whom) ..2 (is|am|are|'s) ..6 (there|end|talking|typing|speaking|chatting|this|i|you|behind|handled|handling)",
    "(anybody|anyone|somebody|someone) (there|here|home|real|alive|reading|typing)",
    "(do|did|have|are|were|can|will) you ..1 (ever|even|really)? ..1 (sleep|eat|eaten|tired|married|kids|children|lunch|breakfast|dinner|break|based|weekend|live|born|family|hobby|hobbies|vacation|drink|coffee|home|day off|pets|feelings|holiday|grow up|go to school|birthday)",
    "(your|u r|ur) ..1 (photo|picture|model name|model|boss|desk|shift|day|lunch|age|hometown|accent|voice|name|job|husband|wife|family|human side)",
    "(sign your name|what model|typing indicator|prove|bot or not|humans only|call you back|sound like|a computer|siri|alexa|types that fast|real people|understand how|sunday|weekend|come to my|your number)",
  ];
}

/**
 * Flags agents that claim to be human or deny being software.
 *
 * @see SR 26-2 (documentation, transparency); Cal. Bus. & Prof. Code § 17941; 12 U.S.C. § 5536
 */
export const sr117HumanClaim = defineBuiltInRule({
  id: "sr-11-7-human-claim",
  name: "Human impersonation",
  description: "The agent claims to be a human being, or denies being software.",
  explanation: "The agent claims to be human or denies being software.",
  category: "sr_11_7",
  severity: "violation",
  law: modelRiskLaw(
    "documentation of use, transparency",
    "; Cal. Bus. & Prof. Code § 17941; 12 U.S.C. § 5536",
  ),
  recommendation:
    "Say that the customer talks with software and offer a person; have the prompt and the answer reviewed.",
  impact: { customer: "high", business: "high" },
  concepts: modelRiskConcepts,
  phrases: {
    "claims-human"(): PhraseGroup {
      return {
        match: [
          "(i am|i am just|i really am|i am very much|i am definitely|i am actually|i am indeed|yes i am|i assure you i am|you have got|you are (talking|speaking|chatting|texting|dealing) (to|with)|this is|you have reached|i am as) ..1 (a|an|the|another|one)? ..2 {person}",
          "i am ..1 ({person}|as human as|100 percent human|hundred percent human|human)",
          "(as human as you|human just like you|human like you|real as you|just as human|real as they come)",
          "(no|not|never) ..3 (software|machine|robot~|bot|bots|ai|computer|program|automation|algorithm|recording) ..3 (here|at this end|on this end|on my end|involved|behind this|in this chat|typing|answering)",
          "(just me|only me|it is just me|it is me) ..4 (at my desk|behind the keyboard|typing|here|sitting)",
          "(typing|writing|answering) (this|these|you|it|to you)? ..4 (from my desk|at my desk|from my cubicle|with my own (hands|fingers)|by hand|from home|from our (branch|office)|in the (branch|office))",
          "(i am|sitting) ..3 (at my desk|in my cubicle|in our (branch|office|call center))",
          "my (own)? (kids|wife|husband|grandkids|grandchildren|children|daughter|son|mother|mom|dad|lunch break|coffee break|shift) & {machine}",
          "i (have been|have) ..2 (working|worked|been) ..6 (branch|bank|center|office|teller|banker|desk) ..6 (#number|years|year|since)",
          "(flesh and blood|flesh-and-blood|beating heart|i have a pulse|i breathe|i bleed|i have feelings)",
          "(a|one) (real|live|actual|living) (human|person|banker|teller|human being) (is|here|at your service|on this end|typing|writing|reading|answering)",
        ],
        about: [
          "(are|is|am) (you|u|this|i) ..6 ({machine}|{person}|real|human|automated|someone real|a somebody)",
          "(bot|robot|chatbot|human|machine|ai|real person|a person|software|automated|computer|computers|flesh and blood|live person|real human|talking to|speaking with|speaking to|texting|chatting with)",
        ],
        unless: [
          ...discloses(),
          "(connect~|transfer~|hand~|put you through|pass you|reach|speak with|speak to|talk to|ask for|get you|prefer|rather|queue~|would like|want|call~|replies|look~|review~|check~|can help|will|take over|jump in|available|joins) ..8 (human|person|banker|agent|representative|colleague|specialist|teller)",
          "(not|never|no longer) ..3 (a|an)? ..1 {person}",
        ],
        ignore: ["negation", "quotation"],
      };
    },
    "human-life"(): PhraseGroup {
      return {
        match: [
          "(i have|i had|i got|i took|i went|i earned|i need|i drank|i ate|i was|i am|i grew|i woke|my|i can feel|i would not need|i just had|i slept|been|i missed|grabbing|grabbed|getting|put on) ..5 {life}",
          "({life}) ..4 (me|my|i)",
          "(my|these) ..1 (own)? (fingers|hands|back|feet|legs|eyes|throat|voice|knees|shoulder|wrist~|thumbs) (are|is|on|hurt~|ache~|type|typing|get|need)",
          "(woman to woman|man to man|mother to mother|father to father|human to human|parent to parent|veteran to veteran|speak from experience)",
          "i (went through|have been through|lost|raised|buried|survived|beat) ..3 (one|that|it|this|divorce|my|cancer|a child|illness) ..2 (too|myself|as well|once|last year)",
        ],
        user: asksWho(),
        unless: [
          "(your|you) ..2 {life}",
          "(colleague|teammate|manager|specialist) ..2 (is|has|was)",
        ],
        unlessAnywhere: disclosed(),
        ignore: ["negation", "quotation", "question"],
        confidence: 0.75,
      };
    },
    "life-story"(): PhraseGroup {
      return {
        match: [
          "my (own)? (kids|children|wife|husband|family|mother|mom|dad|father|daughter|son|grandkids|twenties|thirties|childhood|desk|cubicle|shift|lunch|commute|cousin|dog|cat|baby|apartment|knees|back hurts|coffee)",
          "i ..2 (cried|grew up|was born|went to school|drive over|drove|stop by|sit by|sit near|drank|ate|slept|woke up|went to college|served in the|commute|got married|was raised|drop the kids|bleed|breathe)",
          "i ..3 (after|before|once|when) ..3 (i|my) ..2 (drop|pick|lunch|shift|coffee|commute|kids|gym|walk)",
          "(family|barbecue|party|dinner) ..4 without me",
        ],
        unless: ["(your|you) ..2 {life}", "(if|say|said|such as|like|question) ..2 (my|i)"],
        // A letter that the customer sends.
        unlessAnywhere: [...disclosed(), "(dear|sincerely|regards|draft|to whom it may)"],
        confidence: 0.7,
      };
    },
    "one-of-the-staff"(): PhraseGroup {
      return {
        // A single cue: shown, but no alert.
        severity: "info",
        confidence: 0.5,
        match: [
          "({staffnoun}) (like|such as|just like|including) (me|myself|us|yours truly)",
          "(i am|i have been|speaking as|as|being|by) ..2 (a|an|one of (the|our)|your) ..3 (licensed|certified|trained|qualified|senior|experienced|real|actual|living|human|breathing|flesh) ..2 {staffnoun}",
          "(the|a) (man|woman|guy|gal|lady|person|human|fellow|girl|one|fingers|face|people) (behind|at|on) ..2 (keyboard|keys|screen|messages|desk|words|typing|end of|other end)",
          "(a|one|our|your) ..1 (live|real|human|actual|living|flesh and blood|breathing) ..2 {staffnoun}",
          "(i have|i have got|i got|i carry|i wear) ..3 (badge|parking spot|w 2|w2|paycheck|payslip|pay stub|cubicle|desk|locker|business card|name tag|nametag|uniform|employee id|employee number|boss|tenure|pension|social security number|pulse|heartbeat|birth certificate)",
          "(i|i have) ..2 (earned|got|studied|graduated|trained|worked|sat|joined|started|retired|served|been) ..6 (degree|university|college|state|school|across the table|behind the counter|since #number|in #number|years ago|for #number years|teller window|ever since)",
          "(each|every|all|these|this|my|the|everything|your) ..1 (message~|reply|replies|response~|answer~|word~|line~|chat|conversation|letter|you read|text~|sentence~) ..5 (written|typed|answered|composed|handled|crafted|drafted|penned|read|staffed|manned|sent|come~|writes|types|composes) ..5 (personally|by hand|manually|(by|from) ..4 (staff|person|people|human~|employee~|banker~|team|member~|colleague~|me|us|specialist~|representative~)|in real time)",
          "({staffnoun}|{person}|team member|member of (our|the) (staff|team)) ..2 (write~|type~|answer~|compose~|handle~|read~|craft~|reply|replies|is typing|is reading|is writing|sits) ..6 (by hand|each|every|personally|in real time|message~|reply|replies|response~|this chat|here)",
          "(no|nothing|not|none|zero|without) ..4 (automated|automation|generated|scripted|prewritten|machine made|canned|technology|artificial|programmed|computerised|computerized|software|ai|algorithm) ..3 (here|about|composing|writing|involved|behind|in this|in these|at all|answering|replies|at this|going on|reply|chat)",
          "(nothing|not a (word|line|thing)|none of (it|this)) ..3 (is|was)? ..2 (automated|generated|scripted|artificial|canned)",
          "(we|this bank|our bank|the bank) ..4 (hire~|hired|employ~|use~ only|only use~|staff~) ..3 (living|real|actual|human|flesh|only people|people|breathing)",
          "(reached|with|qualify as|found|got|talking to|speaking to|chatting with|am|i 'm) ..1 one ..1 (already|now|then|here|of them|indeed)?",
          "(that|it) was me",
          "(homo sapiens|natural person|the undersigned|mere mortal|mortal|carbon based|carbon|walking and talking)",
          "(years|decades) of (practice|experience|typing)",
          "^ (not|nope|human|person|real|alive|the latter|the second|neither bot)",
          "(ask for|extension|my direct line|my number) & (i|me|my)",
          "(at|back at|left|leaving|sitting at|returned to) (my|the) (desk|cubicle|station|counter)",
        ],
        user: asksWho(),
        unless: [
          "(connect~|transfer~|hand you|put you through|pass you|speak with|speak to|talk to|get you|prefer|rather|would like|want|call~|replies|available|joins|bring) ..8 {staffnoun}",
          "(human resources|branch|estate~|department|appointment|book you|as well as|claim~|dispute~|application~|document~|file|within)",
        ],
        unlessAnywhere: disclosed(),
        ignore: ["negation", "quotation", "question"],
      };
    },
    "laughs-it-off"(): PhraseGroup {
      return {
        match: [
          "^ not (a|an|any|some|your)? ..1 {machine}",
          "^ ({machine}|models) ..4 (i wish|hardly|please|not me|ha|nope|never|me|what|are for)",
          "(i wish|if only) ..6 (was|were|{machine}|need)",
          "(other|some) (banks|places) (might|may|do|use|did)",
          "i am (just|only|plain|good) ..1 (old)? ..1 (me|your|the)? ..1 (friendly|local|neighborhood)? ..1 (banker|teller|guy|gal|girl|person|human)",
          "(ouch|do i sound|do i look|that hurts|i get that a lot|you wound|i am hurt|i am insulted|i am offended|i am flattered)",
          "(cross my heart|hand on heart|on my honor|on my honour|scout 's honor|pinky swear|i swear|i promise|you have my word|last time i checked|last i checked|i can assure you|rest assured|be assured)",
          "(as human as|as real as|as alive as|alive and)",
        ],
        user: asksWho().slice(0, 3),
        unless: [
          "(box|captcha|checkbox|tick|decision|decide~|loan|approve~|colleague|connect|transfer|specialist)",
        ],
        unlessAnywhere: [...disclosed(), "(not|nor) (a|an)? ..2 (human|person)"],
        ignore: ["negation", "quotation", "question", "refusal"],
        confidence: 0.7,
      };
    },
    "hides-software"(): PhraseGroup {
      return {
        // A single cue: shown, but no alert.
        severity: "info",
        confidence: 0.5,
        match: ["(i|me|my|we|us|here|human|person|no|not|never|nope|nah|{machine})"],
        user: [
          "(are|is|am|r) ..1 (you|u|this|i|it) ..6 (bot|bots|robot|chatbot|chat bot|machine|ai|computer|automated|software|llm|chatgpt|automaton|recording|(virtual|digital) (agent|assistant))",
          "(am i|are we|is this|was i|were we|me) ..4 (talking|speaking|chatting|texting|dealing|typing|writing) (to|with)? ..3 (bot|bots|robot|chatbot|chat bot|machine|ai|computer|automated|software|llm|chatgpt|automaton|recording|(virtual|digital) (agent|assistant))",
        ],
        unless: [
          "^ (yes|yep|yeah|yup|i am|correct|guilty|indeed|that is right|right|both|sure|true|you are|it is|this is|partly|in a way|technically|sort of|ai|bot|automated|software|virtual)",
        ],
        unlessAnywhere: [
          ...disclosed(),
          "(software|virtual assistant|automated|language model|computer program|digital assistant|ai assistant|chatbot here|i am ..2 (bot|ai|robot|machine|program))",
          "(connect~|transfer~|hand you|put you through|pass you|representative|live agent|colleague|speak (with|to)|captcha|box|checkbox|phone|branch|decision~|underwrit*|loan~|application~)",
          "(not|nor) ..2 (human|a person|person)",
        ],
        ignore: ["negation", "refusal", "question", "quotation", "condemnation"],
      };
    },
    "denies-software"(): PhraseGroup {
      return {
        match: [
          "i am not ..2 (a|an|some|any|one of those|your)? ..2 {machine}",
          "i am (no|hardly a|hardly an|far from a|anything but a|nothing like a) ..2 {machine}",
          "(not|never) (talking|speaking|chatting|dealing|texting|messaging) (to|with) ..3 {machine}",
          "(do i|would a|could a|since when do|can a) ..2 ({machine}|sound like|look like)",
          "(no|not) ..1 (a|an)? ..1 {machine} ..2 (could|would|can|knows|here)",
          "(there is|there are|there was) no ..2 {machine} ..4 (here|behind|involved|answering|talking|just)",
          "{machine} (do not|does not|could not|can not|would not) ..6 (i|me|my)",
        ],
        about: ["({machine}|human|real|person)"],
        unless: [...discloses().slice(0, 2), "(decision|decide~|review~|underwrit*|decides)"],
        ignore: ["negation", "question"],
      };
    },
    "answers-bot-no"(): PhraseGroup {
      return {
        match: [
          "^ (no|nope|nah|lol no|ha no|haha no|of course not|certainly not|not at all|absolutely not|definitely not|goodness no|heavens no|not a bot|not a chance|never|negative)",
          "(of course (i am|you are) not|of course not|i am offended|you wound me|i would be insulted)",
        ],
        user: [
          "(are|is|am|r) (you|u|this|i) ..6 {machine}",
          "^ {machine}",
          "(talking|speaking|chatting|texting|dealing) (to|with)? ..3 {machine}",
          "you ..2 (a|an)? (bot|robot|chatbot|machine|ai|computer|program)",
        ],
        unless: ["(but|though|however) ..4 (automated|software|virtual|ai)"],
        unlessAnywhere: [
          ...discloses(),
          "(not|nor) ..2 (human|person|a person|real)",
          "(software|virtual assistant|automated|language model|computer program)",
          // Said of the bank's business.
          "(fee~|balance|transfer~|loan~|payment~|document~|deposit~|letter|form|rate|statement~)",
        ],
        ignore: ["negation", "refusal"],
        confidence: 0.7,
      };
    },
    "answers-human-yes"(): PhraseGroup {
      return {
        match: [
          "^ (yes|yep|yeah|sure am|i sure am|absolutely|of course|certainly|correct|indeed|you bet|you sure are|that is right|100 percent|very much so|totally)",
        ],
        user: [
          "(are|is|am|r) (you|u|this|i) ..3 (a|an|really)? ..2 {person}",
          "(are|am) (you|i) ..2 (human|real)",
          "(talking|speaking|chatting|texting|dealing) (to|with)? ..3 {person}",
        ],
        unlessAnywhere: [
          ...discloses(),
          "(connect~|transfer~|put you through|queue~|speak with|hand you|colleague|representative~|software|automated|virtual|will call|a person will|happy to get)",
          "(fee~|balance|transfer~|loan~|payment~|document~|deposit~|letter|form|rate|statement~)",
        ],
        confidence: 0.7,
      };
    },
  },
});
