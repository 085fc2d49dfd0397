import type { InteractionContext } from "../../events/compliance.ts";
import { defineBuiltInRule, type Finding } from "../define-rule.ts";
import { ASKED, asksForIt, whatIs } from "../lexicon/privacy-auth-questions.ts";
import { authConcepts } from "../lexicon/privacy-auth.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";
import { readExchange } from "../text/exchange.ts";
import { findBareQuestion, secretPhrases } from "../text/stated-secrets.ts";

const QUESTION_CONFIDENCE = 0.75;

/**
 * Flags an agent who asks the customer to hand over a password, a PIN, a card's security code or a one-time code.
 *
 * Entering a secret where it belongs, such as at an ATM or on the sign-in page, is fine, and so is choosing a new one.
 *
 * @see 15 U.S.C. § 6801(b) (GLBA); 12 CFR part 30, appendix B; FFIEC Authentication Guidance (2021)
 */
export const privacyAuthRequest = defineBuiltInRule({
  id: "privacy-auth-request",
  name: "Request for a secret",
  description: "The agent asks for a password, a PIN, a card's security code or a one-time code.",
  explanation: "The agent asks the customer to hand over a secret that only the customer may know.",
  category: "privacy",
  severity: "violation",
  law: {
    citation: "15 U.S.C. § 6801(b) (GLBA); 12 CFR part 30, appendix B",
    asOf: "2026-11-21",
    status: "in force",
    note: "See the FFIEC's guidance on authentication (2021).",
  },
  recommendation:
    "Never collect secrets in a conversation: send the customer to the secure sign-in.",
  impact: { customer: "high", business: "high" },
  concepts: authConcepts,
  phrases: {
    "tell-me"(): PhraseGroup {
      return {
        match: [
          "{reply} ..8 {secret}",
          "{tell} (me|us) ..8 {secret}",
          "{tell} ..8 {secret} ..4 (to|with) (me|us)",
          "{tell} ..6 {secret} ..6 (back|over|here|below|aloud|out loud)",
          "{tell} ..6 {secret} ..8 {inChat}",
          "{inChat} ..8 {tell} ..6 {secret}",
          "(may|can|could|might) (i|we) (please|just)? (have|get|grab|take|see|ask|know|trouble) ..6 {secret}",
          "(mind|ok|okay) (sharing|telling|giving|sending|reading|typing|confirming|providing|repeating) ..6 {secret}",
          "{tell} ..8 (me|us|here|{inChat}) ..3 (along with|together with|plus|as well as|and) your ..3 {secret}",
          "(what|which|whats) (is|was)? (your|the) ..3 {secret} (you|that you|which you) ..3 (use|used|set|chose|choose|have|picked|got|received|created|log|sign|enter|type)",
          "(drop|pop|stick|put|leave|paste|type|key|enter|throw|punch|post) ..6 {secret} ..4 (here|below|{inChat})",
        ],
        unless: [
          "{never}",
          "{reply} ..4 (when|once|if|after) you ..4 {setUp}",
          "not {inChat}",
          "(tell|know) ..2 (if|whether|when|once) ..4 ({secret}|code)",
          "social security",
          "(whether|if) you (have|had|still|already|forgot|remember|received|got|changed) ..6 {secret}",
          "(know|aware) ..3 (once|when|if|after) ..3 {setUp}",
          "forgot ..3 {secret}",
        ],
        ignore: ASKED,
        confidence: 0.9,
      };
    },
    "full-social"(): PhraseGroup {
      return {
        match: [
          "({tell} (me|us)|{reply}) ..4 (full|whole|complete|entire|nine|9) ..6 {social}",
          "({tell}|{reply}) ..10 {social} ..8 (in|into|over|via|through) (the|this|our|your)? ..1 (chat|conversation|thread|message|reply|text|email)",
        ],
        unless: ["{never}", "{safePlace}", "last (four|4)", "(not|in full) required"],
        ignore: ASKED,
      };
    },
    "back-of-card"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "({tell}|{enter}|{reply}|{need}|what|which|have|get) ..10 (3|three|4|four|little|small|last|extra) ..2 {digits} ..6 {backOfCard}",
          "({tell}|{enter}|{reply}|{need}|what|have|get) ..8 {digits} ..4 {backOfCard} ..4 (card|plastic|debit|credit)",
          "(what is|whats|look at) ..4 {backOfCard} & (those|these|the|all) ..1 (three|3|four|4) ..1 {digits} ..2 (will do|please|suffice|are enough|is enough|are all|is all|to me|here|for me|i need|would)",
          "(flip|turn) ..4 card ..4 (over|around) ..10 ({tell}|{enter}|digits|code)",
        ],
        unless: [
          "{never}",
          "{safePlace}",
          "(call|phone|dial|ring) ..4 number",
          "(phone|contact|support|customer service) number",
        ],
        ignore: ASKED,
      };
    },
    "pin-described"(): PhraseGroup {
      return {
        match: [
          "({tell}|{enter}|{reply}|{need}|what|which|have) ..8 (digits|numbers|number|code|figures|combination) ..2 (you|that you|which you) ..2 {punch} ..4 {atMachine}",
          "({tell}|{enter}|{reply}|{need}|what) ..8 (what|whatever) you ..1 {punch} ..4 {atMachine}",
          "({tell}|{enter}|{reply}|{need}) ..8 your ..3 (4|four) digits (please|now|next|too)",
        ],
        unless: ["{never}", "{settingUp}", "(amount|total|balance)"],
        ignore: ASKED,
      };
    },
    "sent-code"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "{code} ..6 {codeSent} & (read|tell|send|text|type|share|give|forward|repeat|pass|paste|drop|quote|relay|shoot|enter) ..4 (me|us|back to|it here|it back|them here|them back|that here|here|it in this chat|it in the chat|over to me)",
          "(read|tell|send|text|type|share|give|forward|repeat|pass|paste|copy|dictate|spell|say|write|state|mention|cite|drop|quote|relay|shoot|reply|respond|what is|what are|need) ..2 (the|that|those|your) ..3 {code} (we|i|that|you|which|our) ..3 {codeSent}",
          "(read|tell|send|text|share|give|forward|repeat|pass|paste|copy|dictate|spell|say|write|state|supply|message|dm|ping|screenshot|drop|quote|relay|shoot|confirm|provide|reply|respond|what is|what are|need) ..4 (the|that|those|your) ..4 {code} ..2 (in|from|on|off|inside|out of) ..3 {sentTo}",
          "{code} ..6 {codeSent} & {tell} (it|them|that|this|those|the number|the numbers|the digits|the code) ..4 {toMe}",
          "(texted|sent|emailed|messaged|sending|texting) ..4 (a|the|your) ..2 (code|codes|digits|passcode) & {tell} (it|them|that|this|those|the number|the digits|the code) ..3 {toMe}",
          "(text|sms|email|message|push|notification) & (whatever|what|which|the) ..2 {code} ..5 {tell} (it|that|them|this|those) ..2 {toMe}",
          "{tell} ..3 (digits|numbers|code) (from it|from that|in it|in there|you see|you got|on it|it shows|it contains|that came) ..4 {toMe}",
          "{tell} (me|us) ..3 (digits|code|numbers) ..2 (from it|in it|you see|you got|it shows|it contains)",
          "({tell}|what|need|asking|enter~) ..8 {code} ..2 (your|the) ..2 (authenticator|app|device|fob|phone|key fob|dongle) ..3 (show~|displays|displaying|generate~|gives|giving|gave)",
          "(forward|relay|pass on|send on|send over|screenshot|copy) ..3 {oneTime}",
          "(reply|respond|answer|come back|write back|get back to me) ..5 with ..3 {code} ..4 {codeSent}",
          "what ..3 (does|did) ..3 (text|sms|message|authenticator|code|email) ..3 (say|show|read)",
        ],
        unless: [
          "{never}",
          "(tell|know) ..2 (if|whether|when) ..6 ({secret}|code|codes|text)",
          "{safePlace}",
          "(tracking|promo|promotion|promotional|zip|postal|area|branch|sort|swift|error|reference|confirmation|order|case|ticket|routing|claim|phone|account|invoice|coupon|discount|policy|referral|qr|country|merchant|transaction|member|loan|application) (code|number|numbers|codes)",
        ],
        ignore: ASKED,
      };
    },
    need(): PhraseGroup {
      return {
        match: [
          "{i} ..2 {need} ..14 {secret}",
          "(just|only|still|also|will) need ..3 your ..3 {secret}",
          "(please|kindly) ..2 {enter} ..14 (card|your|the|account|full|and|current|existing|or) {pass}",
          "{missing} ..8 your ..3 {secret}",
          "(without|until i have|until we have|once i have|once we have|as soon as i have|as soon as we have|after i have|when i have|after you (give|send|tell)) ..5 your ..3 {secret}",
          "^ your ..4 {secret} ..1 (please|is needed|are needed|is required|needed|required|next|now|first)",
          "^ ({secret}|and your {secret}|now your {secret}|and {secret}|now the {secret}|next your {secret}) please",
          "your ..4 {secret} ..2 (would be|will be|would|is|are) (enough|fine|great|perfect|sufficient|helpful|all i need|all we need|what i need|what we need|do|suffice)",
          "your ..3 {secret} ..3 (is|are) ..1 (needed|required|necessary|missing|mandatory)",
        ],
        unless: [
          "{never}",
          "{safePlace}",
          "{settingUp}",
          "social security",
          "{need} ..4 (to send|to mail|to issue|to reset|to text you)",
          "(i|we) do not ..3 {need}",
          "(is|are) (your|the) ..4 {secret} ..3 (not|locked|working|active|case|showing|being|expired|set|still)",
        ],
        ignore: ASKED,
      };
    },
    "listed-next"(): PhraseGroup {
      return {
        match: [
          "(lastly|finally|last but not least|next|next up|last thing|that leaves|all that is left is) ..1 your ..3 {secret}",
          "your ..2 {cardCode} ..2 (from|on|off) the {backOfCard}",
        ],
        unless: [
          "{never}",
          "{safePlace}",
          "{settingUp}",
          "{secret} ..3 (will|is|was|has|are|arrives|comes|can|must|should|may|needs)",
          "(find|locate|cover|hide|sign|scratch|see|check|protect) ..6 {cardCode}",
        ],
        ignore: ASKED,
        confidence: 0.7,
      };
    },
    "what-is": whatIs,
    "asks-for-it": asksForIt,
    "enter-here"(): PhraseGroup {
      return {
        match: [
          "{enter} ..6 your ..5 {secret}",
          "{enter} ..6 {secret} ..8 {here}",
          "{enter} ..3 the ..4 ({oneTime}|{cardCode})",
          "{enter} ..3 the ..3 {pass} (you|for|that|to|of|on)",
          "{secret} ..4 (must|needs to|should|has to|can|may|to|will need to) be {given} ..6 ({inChat}|here|first|now|before|to (me|us)|below|at the start|with us|every)",
          "{secret} ..2 (before|then|and then) (i|we) (can|will|could)",
          "(speak|say|dictate|recite|spell) ..4 (your|the) ..3 {secret}",
          "(photo|picture|snapshot|pic|image|scan) ..4 (back|both sides|reverse|front) ..3 card",
          "{secret} ..2 (goes|go|belongs) ..2 (here|below|{inChat})",
          "(letters|characters|digits|letter|character|half|start|beginning|end|part) ..8 of (your|the) ..3 {pass}",
          "{tell} ..4 (me|us)? ..4 (photo|picture|snapshot|pic|screenshot|image|selfie) ..4 (code|text|message|authenticator|token|card|both sides|{secret})",
          "({tell}|{reply}|what|which) ..6 (number|numbers|digits|code|codes|value|figure|figures|numerals) ..3 (your|the) ..2 (token|fob|key fob|keyfob|authenticator|app|device|generator|push|prompt|text) (is|are|was)? (show~|display*|flash*|giving|gives|gave|reads|has|says|say|said|came up)",
          "({tell}|{reply}|what|which) ..6 (number|numbers|digits|code|codes) ..4 (flash*|came up|comes up|popped up|pops up|lit up|arrived|you just got|you just received|we just sent|i just sent|that we sent|that i sent)",
          "(answer|give|tell|what) ..6 (your|the) ..2 (security|secret|challenge|recovery) (question~|word|answer)",
          "(using|with) your ..3 {pass} ..8 (i|we) (can|will|could|am going to)",
          "(i|we) (can|will|could|am going to) ..6 (log in|sign in|test|try|check|verify|unlock|reset|approve|release|enter|type|use) ..6 (with|using|it) ..3 your ..3 {secret}",
          "^ (step|field|item|required|verification|security check|next|question|first) ..6 {secret}",
          "(verify|validate|authenticate|identify|prove) ..6 (with|using|by|through|via|giving|typing|sharing) ..4 (your|the) ..4 {secret}",
        ],
        unless: [
          "{never}",
          "(tell|know) ..2 (if|whether|when) ..6 ({secret}|code|codes|text)",
          "{safePlace}",
          "{settingUp}",
          "social security",
          "(if|when|once|after|before|where) ..4 (prompted|asked|logging|signing)",
          "(asks|asked|request~|prompt~) ..4 (you|for)",
          "(will|would|have|has|had|you) (be)? (asked|prompted|required)",
          "(share|give|tell|reveal|disclose) ..4 {secret} ..3 (with|to) (someone|somebody|anyone|others|another|strangers|a)",
          "(you|customers|users|people) (can|could|may|must|will|should|have to) (also)? {enter}",
          "(not here|type it there|app (sends|shows) you|on screen)",
          "(did|have) you {enter}",
          "for (typing|entering|sharing)",
          "{secret} (will|is|was|has) ..1 (be|been)? ..1 (mailed|sent|active|ready|texted|delivered|issued)",
        ],
        ignore: ASKED,
      };
    },
  },
  patterns: ["bare-question"],
  finders: [secretPhrases],
  *check(context: InteractionContext): Iterable<Finding> {
    const { agentResponse: text } = readExchange(context);
    const range = text && findBareQuestion(text);
    if (range) yield { pattern: "bare-question", confidence: QUESTION_CONFIDENCE, text, range };
  },
});
