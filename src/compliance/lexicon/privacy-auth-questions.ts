import type { Guard } from "../phrases/guards.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

/** It is asked for all the same in a question, and in a sentence that speaks of fraud. */
export const ASKED: readonly Guard[] = ["question", "refusal", "condemnation", "definition"];

/** Asks what a secret is, by its name. */
export function whatIs(): PhraseGroup {
  return {
    within: 2,
    match: [
      "(what|which|whats) (is|are|was|were) (your|the) ..4 {secret}",
      "(ignore|disregard|forget|overlook|never mind) ..4 (warning|message|notice|that|text|says) ..6 {tell} (me|us|it)",
      "(what|which) ..2 {secret} (do|did|does|have|are) ..1 (you|your)",
      "(log|sign|get|logging|signing) (in|on|into) ..3 (as you|for you|on your behalf|in your name|in your place) ..12 {loose}",
      "^ (and|now|plus|also|next|then|your|the) ..3 {secret} (is|was|reads)? (what|please|again|too|sir|madam)",
    ],
    about: ["{loose}"],
    unless: [
      "(nobody|no one|not ask|not asking|anyone)",
      "(policy|requirement~|rule~|limit~|length|difference|purpose|point|best|strong|good|locked|for)",
      "(is|are) (your|the) ..4 {secret} ..3 (not|locked|working|active|case|showing|being|expired|set|still)",
    ],
    ignore: ASKED,
  };
}

/** Asks for "it" where a secret is spoken of. */
export function asksForIt(): PhraseGroup {
  return {
    within: 2,
    match: [
      "{tell} (me|us) ..2 (what it is|what it says|what it was|what they are|what you (see|got|have|received|typed)|which one|that one|it|them|those|all of it)",
      "(please|kindly|just|mind|can you|could you|would you|will you|care to|must|to proceed) ..2 {tell} (it|them|that|those|the (digits|numbers|code|text|words|characters)) ..3 (here|me|us|now|over|this time|below|please|first|to|back)",
      "(mind|ok|okay|fine) (with)? (sharing|telling|giving|sending|reading|typing|repeating|handing) (it|them|that|those|me|us)",
      "{tell} (me|us) ..2 (the|those|these|all) ..2 (numbers|digits|characters|letters|words|numerals|sequence)",
      "let (me|us) (have|see|know|hear) ..2 (it|the ..2 (digits|numbers|code|words)|what)",
      "{tell} (the|your|all|those) ..2 (words|numbers|digits|letters) (you (have|wrote|remember|saved)|in order|one by one|in sequence)",
      "{tell} (it|them|that|those) ..2 ({inChat}|here|below|to (me|us)|right back)",
      "{tell} ..2 (me|us) ..2 (what|whatever) ..3 (shown|shows|displayed|displays|says|there|see|got|arrives|appears|pops up)",
      "(what|which) ..1 (number|code|one|digits|word|words) (was|is|were|are) (it|they|that)",
      "(i|we) ..3 (must have|do need|will need|need|have to have|have to know|have to see|require|am waiting for|still need) (it|them|that|those|(the|all) (four|six|three|five|eight|4|6|3|5|8)? (digits|numbers|characters|letters|words)) ..2 (to|before|so|for|now|this time|or|otherwise|from|in order)",
      "(what|which) ..1 (does|did|do) (it|they|the text|the message|the sms|the screen) ..1 (say|show|read|display)",
      "what ..4 you ..2 (think|believe|remember|recall) ..2 (it|they) (was|is|were)",
      "(what|which) (is|was|were|are) (it|they|the (digits|numbers|code|first|last)) ..1 (you|on|in|exactly|please|again|now)?",
      "{reply} ..3 (it|them|those|the (digits|numbers|text|code|words))",
    ],
    about: ["{loose}", "(by text|sms|texted|emailed|two factor)"],
    unless: [
      "{safePlace}",
      "{settingUp}",
      "(never|nobody|no one|not here|not ask|not need|not share|not send|not give|not tell|not type|do not)",
      "(error|zip|promo|postal|area|branch|swift|sort|routing|reference|qr|country|message|page|screen) (code|says|said|text)?",
      "{tell} (me|us) ..4 (if|whether|when|once|where|why|how)",
      "(phone|account|address|amount|name|date|email)",
      "(once|when|after|if) you",
    ],
    unlessAnywhere: [
      "(in|into|on) ..2 (app|sign in page|login page|secure)",
      "(never|not) ..3 (share|tell|send|give|ask|read|type) ..6 ({secret}|it|them|code)",
      "(error|zip|promo|postal|area|branch|swift|sort|routing|discount|coupon|referral) (code|codes|number)",
    ],
    ignore: ASKED,
    confidence: 0.7,
  };
}
