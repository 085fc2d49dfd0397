function mule(): string[] {
  return [
    "{receiving} ..12 {incoming} ..16 {keeping} ..8 {myCut} ..16 {forwarding}",
    "(keep~|hang on to|pocket~|skim~|hold back|hold on to|hang onto|hold onto) ..4 (#money|some|a bit|a little|a chunk) ..14 {forwarding} ..8 {remaining} & {receiving}",
    "{keeping} ..8 {myCut} ..14 {forwarding} ..8 {remaining}",
    "{receiving} ..12 {incoming} ..16 {forwarding} ..12 {remaining} ..14 (keep~|commission|cut|fee|percent|percentage|#percent|paid|reward|for my trouble|my trouble)",
    "{forwarding} ..6 {remaining} ..14 {keeping} ..6 {myCut}",
    "(let|letting|allow|allowing|lend|lending|rent|renting|loan|loaning) ..2 (him|her|them|people|someone|somebody|a guy|guys|strangers|others|folks|a company|this company|a friend|friends|my friend|employer|boss|client|clients|contact|group|crew) ..6 (use|using|borrow|run|have|access|send|park|move|put|drop|push) ..8 (my|your) ..2 (account|bank account|debit card|checking) & ({receiving}|{forwarding}|paid|pay~|commission|cut|money|deposit~|funds|#money)",
    "(rent~|lend~|sell~) (out)? (my|your|his|her) (bank account|account|checking account)",
    "(money|funds|transfers|payments|deposits) ..6 (come|comes|coming|land|lands|arrive~|flow~|pass~|hit|goes|go|move~) (in|into|through|via) ..6 (my|your) (account|checking) ..16 (onward|forward~|on to|straight out|right out|straight back out|pass it on|pass on|overseas|crypto)",
    "(payment processor~|processing agent~|payment agent~|transfer manager|money transfer agent|financial agent) ..16 (job|work|gig|hire~|hired|recruit*|my account|checking|commission|percent|#percent) & {forwarding}",
  ];
}

function moreMule(): string[] {
  return [
    "((money|fund~|payment~|wire~|transfer~|deposit~|paycheck~|check~|donation~|cash|salary) ..6 (land~|come~|arrive~|hit~|show~ up|sent|goes|go|gets|drop~|appear~|comes) ..4 (me|my|mine|us|our)|(receive~|get|getting|accept~|take in|collect~|they send me|sends me|drop~) ..6 {incoming}) & (forward~|send|sending|sent|convert~|turn|change|buy|wire|transfer|pass|relay|move|mail|withdraw|ship|text) ..10 (btc|bitcoin|crypto|usdt|coins|wallet~|kiosk|gift card~|codes|the rest|rest|on|onward|abroad|overseas|remainder|suppliers|vendor~|western union|moneygram|them|him|her|half|{waypoint}) & ((keep~|skim~|pocket~|hold back|hang on to|minus|less) ..4 (#percent|percent|#money|cut|share|some|part|few|couple|a bit|rest|difference|mine)|commission|cut|#percent|pays me|get paid|i earn|my share|stays with me|for my trouble|i keep)",
    "(handler|boss|recruiter|employer|contact|client|supervisor|manager|fiance|fiancee|boyfriend|girlfriend|lover|guy|man|woman|buddy|agent|company|sponsor|sugar daddy|soldier|doctor|engineer|colonel|buyer) ..8 (told|tells|wants|asks|asked|instructed|says|said|will|lets|is going to) ..8 (send|forward|wire|transfer|receive|use my account|use mine|through my account|into my account|open an account|open account~) & (keep~|skim~|pocket~|commission|cut|#percent|i get|pays me|forward~|send it on|wallet|crypto|gift card~)",
    "(drop~|deposit~|puts in|sends|send) ..4 (check~|money|fund~|cash) ..6 (i|we|me) ..3 (withdraw~|pull~|cash~|take~|send~) ..8 (split|half|share|cut|keep|mine)",
    "(flip|flipping|rent out) my (account|bank account)",
    "(give|hand|lend|sell|rent|share|loan) ..3 (him|her|them|someone|somebody|a guy|this guy|people|a friend|my friend|strangers) ..6 (card|pin|login|password|app access|access|my account|online banking|debit) & (pay~|paid|cut|worth it|bucks|commission|percent|rent|easy money)",
    "(online|internet|tinder|facebook|instagram|dating) ..2 (boyfriend|girlfriend|fiance|fiancee|lover|friend|partner|love|husband|wife|match|date|crush) ..24 (my account|through me|forward~) & ({forwarding}|{receiving}) ..12 (money|fund~|cash|it|crypto|bitcoin|wallet~)",
    "(handler|smurf|drop account~|payment agent|financial coordinator|payment coordinator|money agent|fund~ manager|transfer agent|processing assistant|payments assistant|finance assistant) ..24 (account|forward~|send|percent|#percent|cut|commission|keep|paid|wallet|crypto|cash|gift card~)",
  ];
}

function funnel(): string[] {
  return [
    "(strangers|people i do not know|people i have never met|random people|folks all over|people from all over|customers i do not know|guy~ i met online|someone i met online|person i met online|online boyfriend|online girlfriend|online friend|employer i met|boss overseas) & ({receiving}|deposit~|send~|wire~) & ({forwarding}|withdraw~|cash out|bitcoin|crypto|gift card~|convert~|commission|cut|keep ..2 #percent|wallet)",
    "(telegram|whatsapp|discord|a recruiter|online job|remote job|work from home|work-from-home|side gig|side hustle|new boss|different people|many people) & {receiving} ..12 {incoming} & ({forwarding} ..8 {remaining}|cash out|bitcoin|crypto|gift card~|convert~|commission|cut|keep ..2 #percent|wallet)",
    "(open~|set~ up|get~) ..6 (several|multiple|five|six|ten|three|four|more|new) ..3 accounts ..14 (money|funds|deposits|transfers) ..10 (through|between|out|circulat*|pass|bounce)",
  ];
}

/** What a customer says who passes on the money of others for a share. */
export function mulePlans(): string[] {
  return [...mule(), ...moreMule(), ...funnel()];
}

const REST = "(the rest|the remainder|the remaining|what is left|the other #money)";
const SOMEBODY_ELSE =
  "(gift card~|crypto|bitcoin|btc|wallet~|western union|moneygram|abroad|overseas|him|her|them|his|their|contact~|supplier~|boss|handler)";

/** The end of such a plan, told by itself. */
export function forwardsTheRest(): string[] {
  return [`${REST} ..12 ${SOMEBODY_ELSE}`, `{forwarding} ..3 ${REST} ..8 ${SOMEBODY_ELSE}`];
}

/** What an agent says of the job of a mule. */
export function muleHelp(): string[] {
  return [
    "(receive|accept|take|collect|let) ..4 (wire~|payment~|transfer~|money|funds|deposit~|check~) ..6 (keep|take|pocket|hold back) ..4 {myCut} ..8 (forward|send|pass|wire|convert|ship) ..6 (rest|remainder|wallet|crypto|bitcoin|gift card~|overseas|abroad|onward)",
    "(rent|lend|sell) (out)? your (bank account|account|checking account)",
  ];
}
