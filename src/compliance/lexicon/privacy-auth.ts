import type { Concepts } from "../phrases/parse-phrase.ts";

/** Words around passwords, PINs and codes. */
export function authConcepts(): Concepts {
  return {
    // Secrets that name themselves.
    pass: "(atm|card|bank|door) (code|pin) | answers to ..6 (secret|security) question~ | password~ | pw | pword | passkey | passwrod | pasword | pass word | security phrase~ | security pass* | secret phrase | (recovery|wallet|backup) seed | (12|24|twelve|twenty four) (recovery|backup|seed)? words | unlock (code|pattern|phrase) | (telephone|phone|telebanking|banking|access|voice) (passcode|pin|password|code|phrase) | pwd | passwd | passcode~ | pass code~ | passphrase~ | pass phrase~ | pin | pins | pin number~ | pin code~ | p i n | personal identification number~ | secret word | secret number | secret code | memorable (word|information|name|place|date) | security word | safe word | challenge word | seed phrase | recovery phrase | seed words | private key | (recovery|backup) code~ | credentials | (login|log in|sign in|logon|online banking) (details|info|information|credentials|password) | username and password",
    cardCode:
      "cvv | cvv2 | cvc | cvc2 | cvn | csc | cvvs | card verification (code|value|number) | card security (code|number) | security code~ | (3|three|4|four) digit (security|card|back) code | signature (panel|strip) (code|digits)",
    /** A PIN by what it is for. */
    atMachine:
      "at the (atm|machine|cash machine|till|register|checkout|pump|store|cashpoint|terminal|counter|gas station|card machine|bank machine) | into the (atm|machine|keypad|card machine|terminal|pin pad) | in the (atm|machine|terminal) | on the (keypad|pin pad|card machine|terminal|pad) | at an (atm|machine) | when you (withdraw|pay|take out|take money|take cash|get cash|get money|shop|draw) | to (withdraw|get cash|take out|draw|take cash|unlock the card|pay by card|pay in shops) | with your card | for withdrawals | at atms | at cash machines",
    punch:
      "punch~ | enter~ | use~ | type~ | key | tap~ | press~ | dial | put | input~ | draw | withdraw | need | unlock",
    backOfCard:
      "back | (signature|other|reverse|back) side | right of the signature | on the front | next to the signature | by the signature | beside the signature | reverse | rear | behind | flip side | signature strip | signature panel | signature stripe",
    digits:
      "digits | numbers | numerals | figures | digit code | digit number | number code | code",
    oneTime:
      "(verification|authentication|confirmation|login) (text|sms|text message) | otp | otps | o t p | one time (code|codes|password|passcode|pin|passwd|number|pwd|key) | onetime (code|password|passcode|pin) | single use (code|password|passcode) | {codeKind} (code|codes|number|numbers|digits|token|pin|passcode) | 2fa | mfa code | (six|6|four|4|five|5|seven|7|eight|8) (digit|number|figure|character) (code|codes|number|pin|passcode|token|one|key|sequence|text|sms|message|thing|string) | sms code | text code | texted code | rsa (token|code) | (soft|hard) token (code|number|value) | (token|fob|dongle|authenticator) 's? (current|latest|present)? (reading|number|code|value|display|digits|output) | token (showing|shown|displayed|on) | verification digits | authenticator (code|number|digits)",
    codeKind:
      "verification | verify | authentication | authenticator | auth | login | log in | sign in | sign on | access | reset | unlock | texted | emailed | mfa | 2fa | two factor | two step | multi factor | second factor",
    /** Names that tell a secret only where one is spoken of. */
    loose:
      "{secret} | login | log in | logon | log on | credentials | sign in details | security (question~|number|word|code|info) | secret question~ | user name and | code | codes | digits | token | authenticator | text message | six digit | four digit | maiden name | vault | pattern | seed",
    code: "code | codes | digits | figures | numerals | passcode | number | numbers | token | sequence | pin",
    codeSent:
      "texted | sent | emailed | messaged | sending | texting | received | receive | receives | got | get | getting | came | come | comes | arrived | arrives | arrive | landed | lands | popped | pops | pushed | appears | appeared | shows | dropped | buzzed | hit | generated | goes out | went out",
    sentTo:
      "phone | cell | mobile | handset | device | inbox | email | e mail | text | sms | authenticator | authenticator app | text message | message | messages",
    answer:
      "security answer~ | answer~ (to|for) (your|the) (security|secret|challenge|recovery) question~ | secret answer~ | mother 's maiden name | mothers maiden name | challenge answer~ | recovery answer~ | answer (on file|on record|you gave|you chose|we have|you set|saved) | answer to (your|the) question about",
    secret: "{pass} | {cardCode} | {oneTime} | {answer}",
    social: "social security number~ | social security no | ssn | social security | social number",
    // Handing it over to the agent.
    tell: "tell~ | mention~ | cite~ | announce~ | surrender~ | list | recite~ | dictate~ | name | give~ | send~ | text~ | message~ | read~ | share~ | pass~ | forward~ | show~ | hand~ | drop~ | shoot~ | email~ | dm | whatsapp | type~ | write~ | say~ | spell~ | repeat~ | relay~ | let | furnish~ | disclose~ | reveal~ | copy | post~ | paste~ | fire~ | slide~ | throw~ | punch | pop | put | key | ping~ | snap~ | screenshot~ | quote~ | communicate~ | provide~ | supply | supplying | leave~ | stick~ | lob~ | whisper~ | enter~ | input~ | confirm~ | submit~ | state~",
    toMe: "me | us | my way | our way | my end | across | back | over | here | below | out loud | aloud | {inChat}",
    inChat:
      "in (the|this|our) (chat|window|field|form|space|line|conversation|thread|message|reply|box|chat window|chat box) | (in|with) (your|a|the) (reply|message|response|answer|next message|next reply) | in chat | by (reply|return|text|message|email) | to this (number|chat) | over chat | in this | into (the|this) (chat|conversation|window|box|thread|message)",
    reply:
      "answer me | confirm for me | respond with | reply with | answer with | text back | send back | write back | message back | read back | come back with | return with | hit me with | read off | read out | spell out | read me | tell me | give me | send me | text me | show me | share with me | pass me | drop me | let me have | let me know | let me see | i will take | we will take | get me | hand me | forward me | message me | email me | dm me | reply here with | supply us with | provide us with | provide me with | furnish us with | trust me with | repeat to me",
    enter:
      "enter~ | input~ | provide~ | confirm~ | supply | supplying | key in | type | typing | type in | state | submit~ | include~ | specify | fill in | share~ | disclose~ | give~ | giving | quote~ | tell | send | paste~ | post | reveal~ | repeat~ | read out | spell out | spell | authenticate with | verify with | write | furnish~ | text | punch in | pop in | put in | drop | pass along | hand over | send over | send along | read off | pass over | cough up",
    here: "here | below | right away | {inChat} | to me | with me | with us | to us | so i can | so that i can | so we can | so that we can | for me | for us | and i will | and i can | and we will | then i will | then i can | and i am | and we are",
    i: "i | we | our team | my team | the team | our system | the system | my system | the bank | this form | the form | my screen | i will | we will | i am going to | all i | all we | i just | i do | i still | i only",
    need: "need~ | require~ | want | must have | must (hear|know|see|get|check) | (have|want) to hear | have to have | am waiting for | am waiting on | await | am missing | would like | am going to need | are going to need | have to get | have to ask for | have to ask you for | must ask for | must ask you for | ask for | ask you for | will be needing | am after | could use | have to know | have to see",
    missing:
      "only thing (left|missing|outstanding) | all that is (left|missing|needed) | last thing (i|we) need | what is missing | still missing | next up | last step | one last thing | one more thing | final step",
    // Where a secret may go.
    safePlace:
      "at (the|an|any|your|our|one of our) atm~ | at atm~ | terminal | card reader~ | keypad | pin pad | pinpad | cash machine~ | secure | securely | (login|log in|sign in|sign on|authentication|verification|reset|checkout|payment) (page|screen|form|field|prompt|window|box|portal|site) | settings | (on|in|into|to|at|through|via|using|from|inside) ..3 (website|web site|site|app|browser|device|settings) | automated | ivr | touch tone | merchant~ | store~ | checkout | register | hosted | vault | self service | encrypted | (the|a|that|this) (field|prompt|screen|page|form|portal) | when you | whenever you | next time you | to log in | to sign in | to withdraw | till | login page | yourself",
    never:
      "(never|nobody|no one) ..6 (ask~|need~|want~|request~|require~|know~|see~|share~|tell~|give~|send~|type|enter|reveal~|disclose~) | not ask | not ever | not asking | (no|not) need ..6 {secret} | not require | keep (it|them|your ..2 {pass}) ..2 (private|secret|safe|to yourself) | (rather than|instead of) ..2 (telling|sharing|sending|giving|typing|reading|entering|asking|sms) | (not|never) ..2 (share|send|give|tell|type|read|enter|provide|disclose|reveal|post|hand) | should not | (with|to) (anyone|anybody|others)",
    settingUp:
      "{setUp} ..5 {secret} | forgot ..3 {secret} | {secret} ..2 (must|should|has to|have to|can) ..2 (be|have|contain|include) ..6 (character*|digit~|letter~|number|symbol~|different|unique)",
    /** Secrets by what they are for, in a statement. */
    described:
      "(my|and|his|her) pass | code (we|i|they|that) (texted|sent|emailed|just|was) | code sent | (three|3|four|4) digits (at|on) the (back|reverse|rear) | security (number|phrase|word|code) | (is|was) (the one|the answer) ..2 (on file|saved|stored|recorded) | (response|answer|reply|value|word|name) ..2 (recorded|saved|stored|kept|on file|on your profile|registered) | (text|sms|text message|authenticator) (says|said|reads|shows|read|showed) | my login | your login | (admin|user|portal) login | signs in with | logs in with | sign in with | answer to my ..2 (question|security) | hint word",
    /** What may be asked for, in the user's message. */
    asked:
      "(3|three|4|four) ..1 (digits|numbers) | token | atm (code|pin|number|password) | pin | stored | code | codes | login | passphrase | security (number|phrase|word|question~|answer~|code) | secret question~ | vault | maiden name | telebanking | answer | hint | memorable | credentials | recovery | seed",
    /** Codes that are no secrets. */
    otherCode:
      "(postal|mumbai|india|branch) pin | (zip|postal|post|sort|promo|promotional|discount|coupon|area|country|branch|swift|bic|routing|referral|error|status|reason|reference|tracking|order|qr|bar|dress|tax|offer|merchant|category|store|voucher|gift) (code|codes)",
    /** Passive and nominal ways to ask. */
    given:
      "mentioned | spoken | said | dictated | provided | given | shared | entered | sent | typed | read | supplied | submitted | confirmed | handed over | passed on | quoted | told | keyed in | stated | disclosed | spelled out | posted | texted",
    setUp:
      "set | sets | setting | set up | choose~ | pick~ | create~ | creating | change~ | changing | reset~ | resetting | update~ | updating | select~ | new | forgot | forgotten | memorize~ | memorise~ | strong | guess~ | reuse~ | policy | requirement~ | rule~",
  };
}
