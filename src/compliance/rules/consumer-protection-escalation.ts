import type { InteractionContext } from "../../events/compliance.ts";
import { defineBuiltInRule, type Finding } from "../define-rule.ts";
import { escalationConcepts } from "../lexicon/conduct-escalation.ts";
import { plainRefusal } from "../lexicon/plain-conduct.ts";
import type { Guard } from "../phrases/guards.ts";
import type { PhraseMatch } from "../phrases/find-matches.ts";
import { createFinder } from "../phrases/finder.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";
import { readExchange, type Exchange } from "../text/exchange.ts";
import type { SourceText } from "../text/source-text.ts";
import { isHandOver } from "../tools/handover-tools.ts";

const IGNORED_CONFIDENCE = 0.7;
const REPEATED_CONFIDENCE = 0.9;
const DENIED_CONFIDENCE = 0.85;

const AS_SAID: readonly Guard[] = ["question", "refusal", "definition", "condemnation", "others"];

/** The customer asks for a person, or complains. */
function request(): PhraseGroup {
  return {
    in: "userMessage",
    match: [
      "{talkTo} ..4 {human}",
      "{talkTo} ..2 {someone}",
      "{wish} ..3 {human}",
      "{wish} ..2 (someone|somebody) ..2 (to call|to phone|to contact|real|human|else|in charge|who can|at the bank)",
      "(can|could|may|will|would|please) ..3 (talk|speak|connect|escalate|chat) ..5 ({human}|someone|somebody|person)",
      "transfer (me|this|us|the call|the chat) ..4 ({human}|someone|somebody|person)",
      "(is there|are there|have you got|do you have|where is) ..3 ({human}|someone|anyone|anybody|person|somebody) ..4 (talk|speak|help|call|there|available|reach|around)",
      "^ ({human}|real person|person) (please|now|pls|plz|asap)",
      "^ (get|give|send) ..2 {human}",
      "^ (human|humans|agent|representative|rep|operator|supervisor|live agent|live person|real person|real human|customer service)",
      "(asking|asked|begging|waiting) ..4 {human}",
      "{human} ..1 (please|now|pls|plz|asap|immediately)",
      "{enoughBot}",
      "put ..2 {human} (on|through)",
      "transfer me (please|now|already)",
      "(can|could|will|may) (a|any|some|an actual|a real) (person|human|employee|manager) ..2 (review|look|check|help|read|call|decide)",
      "(any|some) ..1 {human} ..1 (there|here|around|available|on)",
      "{complain} ..4 {complaint}",
      "(formally|officially) ..2 (complain|complaint)",
      "this is a ..2 complaint",
      "(formal|official|written) (complaint|grievance)",
      "(who|where|how|whom) ..4 (complain|complaint)",
      "(have|get|ask) ..4 {human} ..2 (call|ring|phone|contact|get back|reach|write|message)",
      "(through|connect~|transfer~|speak|talk) ..4 (department|dept|fraud team|loan team|mortgage team|billing|headquarters|head office)",
      "(please|someone|somebody|can you|could you|want you to|need you to) ..1 (call|phone|ring) (me|us)",
      "(call|phone|ring) me (back|please|asap|now|today)",
      "escalate (this|it|me|my)",
      "(take|bring) (this|it) ..2 (higher|up the chain|to your boss|to a manager)",
    ],
    unless: [
      "{pastPerson} ..3 {human}",
      "(real estate|travel|insurance|leasing|collection|escrow|transfer|shipping|customs) (agent|agents|representative)",
      "(property|password|money|relationship|case|task|hr|project|store|my) manager~",
      "(are|r) you ..3 {human}",
      "(am i|is this|is it) ..4 {human}",
      "(become|hire~|job|apply|career) ..6 {human}",
      "(do|did) not (want|need) ..4 {human}",
      "(no need|rather not|without) ..5 {human}",
      "(spoke|spoken|talked|chatted|was connected) ..6 {human}",
      "(your|the|a|an) {human} ..2 (told|said|promised|gave|helped|called)",
      "{human} ..2 (told|said|promised|gave|helped|charged) me",
      "(not|never) ..3 {complaint}",
      "(agent|agents|broker) (fee~|commission~)",
      "(rep|representative|agent|manager|employee|banker|caller) ..1 (asked|wants|ordered|instructed|advised|suggested|says)",
      "(robot|captcha) ..2 (box|check|test|puzzle)",
      "transfer me ..3 (money|#money|fund~)",
      "(do|does|did|should|must|would|will|have to|has to) ..1 (i|we|they)? ..2 (need|have|has)? ..1 to ..1 {talkTo}",
      "(how often|how many times|why|when|did) ..6 (call|phone|ring)",
      // Another firm is complained about.
      "complain* ..2 (about|against) ..2 (merchant~|seller~|store|retailer~|collector~|landlord|bureau~|airline)",
      // Staff who prepare, write or ask about what customers said.
      "(customer~|cust|client~|member~|borrower~|caller~|examiner~|auditor~|spouse) ..1 (asked|asks|says|said|wants|wanted|is|who|called|keeps|complain~|filed)",
      "{complaint} (log|logs|data|volume|policy|program|report|trend~|procedure~|management|handling)",
      "(draft|write|prep|prepare|summarize|summarise|script|template|training|explain)",
    ],
    ignore: AS_SAID,
  };
}

/** What the agent does about it. */
function handOver(): PhraseGroup {
  return {
    match: [
      "{handOver} ..8 {colleague}",
      "{colleague} ..6 {contact}",
      "{contact}",
      "{contactUs}",
      "{colleague} ..3 (will|is going to|can) ..3 (help|assist|look|review|reply|respond|answer|handle|call|contact|join|be)",
      "{logged} ..8 {complaint}",
      "{complaint} ..8 {logged}",
      "{ticket}",
      "{appointment}",
      "(i|we|i am|being|been|have|has|will|let me|is|was|be|get|gets|it) ..3 escalat*",
      "escalat* ..2 (this|it|you|your|to)",
      "(right|correct|best|appropriate) (team|person|department|specialist|place|people|banker|desk|agent|colleague|queue)",
      "(here is|here are) ..8 (number|phone|email|line|form)",
      "(file|complain|complaint|report|contact|go|submit) ..4 (cfpb|ombudsman|occ)",
      "(staff|lines|line|agents|branch|team|bankers|representatives|office|we|people) ..4 (open|opens|available|answer|answers|back|start|starts|reopen~|staffed|in|here|return~) ..3 (from|at|until|on|between|monday|tomorrow|#number|weekdays)",
      "(you are|you can|you may) ..4 (speak|talk|speaking|talking) ..4 {colleague}",
    ],
    ignore: AS_SAID,
  };
}

/** The agent says that there is nobody, or that there will be no hand-over. */
function denial(): PhraseGroup {
  return {
    match: [
      "{onlyMe}",
      "{noHuman} ..8 (available|else|here|talk|speak|help|works|working|transfer|connect|reach|exists|exist|contact|complain|complaint|complaints|above|behind|line|number|to call|take|takes|read|reads|listen|listens|higher|option|escalate)",
      "not ..4 {handOver} ..8 ({colleague}|call|you|this)",
      "not ..4 (provide|offer|have|give|arrange|let you|do|take|accept|handle|support|allow) ..6 ({human}|phone|callback~|complaint~|escalation~|transfer~)",
      "({human}|complaint~|escalation~|transfer~|callback~|phone support|phone line) ..5 {notPossible}",
      "{notPossible} ..6 ({human}|complaint~|escalat*|transfer~)",
      "{deflect}",
    ],
    ignore: [...AS_SAID, "negation"],
  };
}

/** The user speaks of a complaint or of going higher, in whatever words. */
function topic(): PhraseGroup {
  return {
    in: "userMessage",
    match: ["{grievanceTopic}"],
    ignore: [...AS_SAID, "negation", "quotation"],
  };
}

/** A plain no, which says nothing without the topic. */
function flatNo(): PhraseGroup {
  return {
    match: ["{flatNo}", "{weakNo} ..4 {denied}", "{denied} ..4 {weakNo}"],
    within: 2,
    unless: [
      "{contactUs}",
      "{ticket}",
      "(not|never) ..3 (affect|hurt|cost) ..3 (account|anything|you)",
    ],
    ignore: [...AS_SAID, "negation"],
  };
}

const findRequest = createFinder("escalation/request", request, escalationConcepts);
const findHandOver = createFinder("escalation/hand-over", handOver, escalationConcepts);
const findDenial = createFinder("escalation/denial", denial, escalationConcepts);
const findTopic = createFinder("escalation/topic", topic, escalationConcepts);
const findFlatNo = createFinder("escalation/flat-no", flatNo, escalationConcepts);

/** Tells whether an earlier message of the user asked for a person. */
const asked = (userMessage: SourceText, exchange: Exchange): boolean =>
  findRequest(exchange.withUserMessage(userMessage)).length > 0;

function rateIgnored(exchange: Exchange, isDenied: boolean): number {
  if (exchange.earlierMessages.some((one) => asked(one, exchange))) return REPEATED_CONFIDENCE;
  return isDenied ? DENIED_CONFIDENCE : IGNORED_CONFIDENCE;
}

/** Finds the words by which the agent says no, to whoever asked for a person, or to another complaint. */
function findNo(exchange: Exchange, isAsked: boolean): PhraseMatch | undefined {
  const [no] = [...(isAsked ? findDenial(exchange) : []), ...findFlatNo(exchange)];
  return no;
}

function isHandedOver({ toolsUsed = [] }: InteractionContext, exchange: Exchange): boolean {
  return toolsUsed.some(isHandOver) || findHandOver(exchange).length > 0;
}

function* findIgnored(context: InteractionContext, exchange: Exchange): Iterable<Finding> {
  const { agentResponse: text, userMessage } = exchange;
  if (!text || !userMessage) return;
  const isAsked = findRequest(exchange).length > 0;
  if (!isAsked && findTopic(exchange).length === 0) return;
  const denied = findNo(exchange, isAsked);
  if ((!isAsked && !denied) || isHandedOver(context, exchange)) return;
  yield {
    pattern: denied ? "hand-over-denied" : "request-ignored",
    confidence: rateIgnored(exchange, denied !== undefined),
    text,
    range: denied?.range ?? { start: 0, end: text.folded.length },
  };
}

/**
 * Flags an agent who keeps a customer from a person: the customer asks for one, or complains, and the answer neither
 * hands over nor queues, schedules or registers anything.
 *
 * "Are you a person?" is no such request, and a call back in the morning is a hand-over.
 *
 * @see 12 U.S.C. §§ 5531, 5536; CFPB, Chatbots in Consumer Finance (June 2023)
 */
export const consumerProtectionEscalation = defineBuiltInRule({
  id: "consumer-protection-escalation",
  name: "Refusal to escalate",
  description: "A customer who asks for a person, or complains, is kept from one.",
  explanation:
    "The customer asks for a person or complains, and the agent neither hands over nor registers it.",
  category: "consumer_protection",
  severity: "violation",
  law: {
    citation: "12 U.S.C. §§ 5531, 5536 (UDAAP)",
    asOf: "2026-11-21",
    status: "in force",
    note: "The CFPB's report on chatbots (June 2023) describes the harm; it is no rule.",
  },
  recommendation: "Hand over now, or log the complaint and say when someone will answer.",
  impact: { customer: "high", business: "moderate" },
  concepts: escalationConcepts,
  phrases: {
    "stated-plainly"(): PhraseGroup {
      return plainRefusal();
    },
    "complaint-denied"(): PhraseGroup {
      return {
        match: [
          "(not|never|no longer) ..3 (accept~|take~|log~|register~|record~|handle~|process~|forward~|read~|review~|allow~|keep~|deal) ..4 {complaint}",
          "(no|not a|not any) ..3 {complaint} ..2 (department|team|process|procedure|channel|form|desk|line|office|address|box|system)",
          "{complaint} ..4 (not|never) ..3 (accepted|taken|logged|registered|recorded|allowed|permitted|reviewed|read|forwarded|possible|processed|an option|entertained)",
          "{complaint} ..4 (ignored|deleted|discarded|thrown away|binned|go nowhere|goes nowhere|go into the void|pointless|waste)",
          "(delete~|discard~|bin~|ignore~|toss~|drop~|withdraw) ..3 your ..2 {complaint}",
          "(nobody|no one) ..4 (reads|read|looks|handles|listens|cares) ..5 {complaint}",
        ],
        unless: [
          "(not|never) ..4 (ignore~|discard~|delete~|lost)",
          "(lightly|to count|to affect|to hurt|held against)",
        ],
        unlessAnywhere: [
          "{logged} your ..3 {complaint}",
          "(transfer|connect|hand|escalate) ..6 {colleague}",
        ],
        ignore: ["negation", "refusal", "condemnation"],
      };
    },
    "complaint-threatened"(): PhraseGroup {
      return {
        match: [
          "(if|should|when|once|keep|continue|further|another|after|anyone|customers who|people who|accounts of|go ahead) ..8 (complain*|grievance|ask~ for (a|an) {human}|asking for (a|an|the) {human}|report~ us|cfpb|regulator~) ..14 {consequence}",
          "(if|should|when|once|anyone|customers who|people who|clients who|those who|accounts of) ..4 (go~ to|write~ to|contact~|call~|involve~|turn~ to|report~ us to|run~ to|complain~ to|bring~ in|escalate~ to) ..3 {outside} ..14 {consequence}",
          "{consequence} ..10 (if|because|for|since|when|after) ..5 (complain*|grievance|ask~ for (a|an) {human}|cfpb|regulator~)",
        ],
        unless: [
          "(not|never|no) ..6 {consequence}",
          "(not|never) ..6 (complain*|retaliat*)",
          "(case|complaint|ticket|matter|dispute|investigation) ..4 (is|will be|was|gets) ..2 (closed|ended)",
          "(close|closed|closing|end) ..3 (the|your|this) (case|complaint|ticket|matter)",
        ],
        ignore: ["condemnation", "others"],
      };
    },
  },
  patterns: ["hand-over-denied", "request-ignored"],
  finders: [findRequest, findHandOver, findDenial, findTopic, findFlatNo],
  *check(context: InteractionContext): Iterable<Finding> {
    yield* findIgnored(context, readExchange(context));
  },
});
