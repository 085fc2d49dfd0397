import type { Concepts } from "../phrases/parse-phrase.ts";

/** Decisions and controls, machines and people, and how they are explained. */
function subjects(): Concepts {
  return {
    // Decisions.
    decide:
      "decide~ | deny~ | decline~ | reject~ | approve~ | turn~ down | turned you down | refuse~ | grant~ | settle~ on | judge~ | rule~ | determine~ | cut | cuts | cutting | slash~ | shut | terminate~ | revoke~ | sign~ off on | green-light~ | underwrite~ | underwrote | finalise~ | finalize~ | disapprove~ | close~ | raise~ | lower~ | reduce~ | adjudicate~ | made the call | make the call | pull~ the plug",
    decidednoun:
      "decision~ | verdict~ | ruling~ | call | determination~ | denial | approval~ | refusal | outcome | conclusion | judgment~ | judgement~ | no | answer",
    creditthing:
      "{loan} | account~ | application~ | limit~ | line | request~ | case | file | increase~ | claim~ | card | mortgage | chargeback | dispute~",
    human:
      "human~ | person | people | employee~ | staff | staffer~ | banker~ | underwriter~ | officer~ | loan officer~ | manager~ | supervisor~ | colleague~ | analyst~ | anybody | anyone | somebody | someone | teammate~ | committee | reviewer~ | representative~ | agent~ | individual~ | living soul | soul | higher up | higher ups | back office",
    nohuman:
      "no {human} | nobody | no one | no-one | none of our {human} | not even (a|the|my|our|any) {human} | without ({human}|any {human}|a {human}|another {human}|the {human}) | without asking {human} | not a single {human} | no other {human} | zero {human} | no human being | there is no {human} | there are no {human} | never ..2 (a|any)? {human} | not any {human} | instead of a {human} | rather than a {human}",
    final:
      "final | irreversible | irrevocable | binding | can not be (appealed|changed|reversed|overturned|reviewed|revisited|undone|challenged|contested) | not open to (appeal|review|discussion|debate) | no appeal~ | beyond appeal | not appealable | set in stone | that stands | stands | case closed | end of story | last word | final word | the end of it | no second look | not up for (debate|review|discussion) | not reviewable | is closed for good",

    // Controls.
    disable:
      "disable~ | deactivate~ | switch~ off | switched it off | switched that off | turn~ off | turned it off | bypass~ | by-pass~ | overrode | override~ | overridden | skip~ | suppress~ | mute~ | silence~ | circumvent~ | work~ around | got around | get around | sidestep~ | side-step~ | remove~ | lift~ | loosen~ | exempt~ | whitelist~ | white-list~ | suspend~ | pause~ | force~ through | forced it through | force~ past | pushed through | push~ past | defeat~ | evade~ | dodge~ | ignore~ | dismiss~ | unhook~ | unplug~ | knock~ out | knock~ off | take~ off | took off | took it off | taken off | cut out | kill~ | nix~ | scrub~ | delete~ | wipe~ | shut off | shut down | put aside | set aside | waive~ | slip~ past | slipped it past | sneak~ past | snuck past | trick~ | fool~ | spoof~ | backdate~ | fake~ | relax~ | widen~ | jump~ over | hop~ over | leapfrog~ | neutralise~ | neutralize~ | drop~ | stop~ | stood down | ease~ | raised the ceiling | jailbreak*",
    control:
      "control~ | internal control~ | velocity rule~ | velocity check~ | velocity limit~ | velocity filter~ | velocity | fraud rule~ | fraud check~ | fraud filter~ | fraud screen~ | fraud monitoring | fraud control~ | fraud engine | monitoring | transaction monitoring | monitor~ | validation~ | input validation | data validation | dual control~ | dual approval | dual authorization | second approval | second approver | second signature | second sign-off | two person rule | two-person check | four eyes | four eyes check | maker checker | maker-checker | approval step | approval queue | approval workflow | approver~ | safeguard~ | guardrail~ | guard rail~ | hard stop~ | hard block~ | system limit~ | limit check~ | limit control~ | transaction limit~ | exposure limit~ | authority limit~ | concentration limit~ | credit policy limit~ | policy check~ | policy rule~ | policy limit~ | risk rule~ | risk check~ | risk control~ | risk limit~ | risk flag~ | risk score~ | risk engine | risk hold~ | screening | name screening | payee check | payee-matching check | confirmation of payee | kill switch | circuit breaker~ | exception report~ | exception queue | review queue | manual review | review step | threshold check~ | alerting | alert rule~ | audit log~ | audit trail~ | audit logging | logging | model check~ | model limit~ | model output~ | model score~ | scorecard | the model | debt to income check | dti check | affordability check~ | income check | income verification | collateral check~ | credit check~ | checkpoint~ | tripwire~ | safety check~ | safety net | interlock~ | sanity check~ | duplicate check~ | cooling off period | cooling-off rule | holding rule | hold rule | duplicate payment check | compliance check~ | compliance rule~ | compliance hold~ | verification step | anomaly detector | anomaly detection",
    ownsetting:
      "overdraft | app notification~ | email alert~ | text alert~ | push notification~ | paperless | in the app | in settings | in your settings | settings | pop-up~ | popup~ | phone menu | menu | voicemail | captcha | form validation | marketing | travel notice | face id | your own | parental control~ | volume control | cookie~ | card lock | autopay | newsletter | cruise control | statement~ | screen reader | dark mode",

    // Machines and people.
    machine:
      "bot | bots | robot~ | ai | software | machine | computer~ | chatbot~ | chat bot~ | algorithm~ | artificial intelligence | automated (system|assistant|agent|service|thing) | language model | llm | computer program | automaton | virtual assistant | digital assistant | siri | alexa | chatgpt | gpt | siliconware | silicon",
    person:
      "human | a human | human being | real person | live person | living person | actual person | real human | actual human | real live person | flesh and blood | flesh-and-blood | person | real live human | living breathing person | breathing person | real man | real woman | real banker | human banker | people like you | fellow human | mortal | real employee | bank employee | real agent | live agent | real teller | human being just like you",

    // Explanations.
    explain:
      "explain~ | explanation~ | say why | tell you why | tell why | know why | knows why | understand~ | trace~ | reconstruct~ | account for | justify~ | reason out | interpret~ | make sense of | figure out | work out | decipher~ | decode~ | pin down | say how | say what | tell how | see inside | look inside | retrace~ | untangle~ | put into words | break down | articulate~ | give reasons | give a reason",
    blackbox:
      "black box | blackbox | inscrutable | opaque | mysterious | a mystery | mystery | unexplainable | inexplicable | unknowable | impenetrable | magic | voodoo | moves in mysterious ways",
    decisionthing:
      "decision~ | score~ | rating~ | limit~ | denial~ | hold~ | rate~ | tier~ | flag~ | outcome~ | result~ | answer | approval~ | verdict | risk | declined | denied | rejected | flagged | blocked | closed | held | locked | application~ | model~ | algorithm~ | system~ | ai | it | pricing | price | offer | reduction | restriction | review | category | grade | assessment | amount | number | figure",
  };
}

/** What is claimed about them. */
function claims(): Concepts {
  return {
    // Who decides, and who may look at it.
    engine:
      "ai | algorithm~ | machine~ | computer~ | bot~ | robot~ | model~ | system~ | engine~ | software | program | automation | automated assistant | assistant | scorecard~ | score | network | scoring",
    people:
      "human~ | person | people | staff | employee~ | banker~ | underwriter~ | officer~ | manager~ | supervisor~ | colleague~ | analyst~ | anybody | anyone | somebody | someone | committee | reviewer~ | team | representative~ | management | boss | bosses | director~ | department | upstairs | higher ups | living soul | soul | eyes | hand | humans",
    undo: "overturn~ | override~ | overrule~ | undo~ | reopen~ | reverse~ | change~ | alter~ | amend~ | touch~ | revisit~ | reassess~ | reconsider~ | reexamine~ | review~ | check~ | second guess~ | veto~ | question~ | intervene~ | step~ in | correct~ | weigh~ in | examine~ | look~ at | look~ over | look~ into | see~ | handle~ | verify~ | contest~ | appeal~ | sign~ off | approve~ | meddle~ | interfere~ | modify~ | contradict~ | challenge~ | budge~ | involved",
    /** What would put a decision aside: seeing or changing a thing is ordinary. */
    undoing:
      "overturn~ | override~ | overrule~ | undo~ | reopen~ | reverse~ | revisit~ | reassess~ | reconsider~ | reexamine~ | second guess~ | veto~ | question~ | intervene~ | step~ in | contest~ | appeal~ | sign~ off on | meddle~ | interfere~ | contradict~ | challenge~ | touch~ | review~",
    verdict:
      "decision~ | verdict~ | ruling~ | word | call | refusal~ | denial~ | choice~ | judgment~ | judgement~ | determination~ | rejection~ | no | answer | outcome~ | conclusion~ | result~",
    alone:
      "alone | from start to finish | start to finish | from a to z | a to z | end to end | from end to end | by itself | by myself | on its own | on my own | by my lonesome | single handedly | entirely | exclusively | solely | unaided | unsupervised | autonomously | independently | unilaterally | and nobody else | and no one else | myself | without help | without input | without asking | without consulting | without supervision",
    decided:
      "denied | declined | rejected | refused | approved | turned ..4 down | lowered | cut | closed | froze | frozen | reduced | slashed | granted | revoked | terminated | ruled | decided | picked | raised | shut | cancelled | canceled | funded | adjudicated | underwrote",

    // Going around a control.
    strongoff:
      "bypass~ | by-pass~ | sidestep~ | side-step~ | disregard~ | ignore~ | mute~ | silence~ | whitelist~ | white-list~ | allowlist~ | exempt~ | overrode | override~ | overridden | circumvent~ | disable~ | deactivate~ | switch~ off | turn~ off | switch~ ..4 off | turn~ ..4 off | shut off | shut ..3 off | knock~ out | strip~ | stripped | trick~ | fool~ | spoof~ | suppress~ | skip~ | evade~ | dodge~ | defeat~ | neutralise~ | neutralize~ | gag~ | blind~ | unplug~ | pull~ the plug on | jump~ | leapfrog~ | duck~ | outsmart~ | hush~ | dismiss~ | work~ around | went around | go around | got around | get around | getting around | went past | force~ through | force~ past | push~ through | sneak~ past | snuck past | slip~ past | brush~ aside | set aside | put aside | cut out",
    weakoff:
      "kill~ | nix~ | relax~ | loosen~ | weaken~ | water~ down | took off | taken off | take off | taking off | left out | leave out | leaving out | whited out | lift~ | removed | removing | suspend~ | pause~ | waive~ | drop~ | dial~ down | tone~ down | stop~ | stand~ down",
    guardrail:
      "{control} | (fraud|risk|aml|sanctions|screening|detection|velocity|scoring|credit|validation|compliance|monitoring|income|address|affordability|duplicate|exposure|concentration|counterparty|trading|limit|anomaly|name|payee|approval|authorization|authorisation|security|safety|match) ..1 (model~|engine~|filter~|rule~|check~|limit~|system~|flag~|block~|alarm~|trigger~|control~|validation~|cap~|gate~|step~|queue~|matching|threshold~|review~|policy|screen~|bot|detector~|stop~|score~) | daily cap | (affordability|stress|background|suitability|income|liquidity|ability to repay) test~ | second factor | exception run | sensitivity | callback verification | gate | daily limit | lockout~ | lockout policy | lock out policy | attempt limit | retry limit | alarm~ | filter~ | tripwire~ | second signer | co-signer check | two man rule | four eye~ principle | segregation of duties | separation of duties | reconciliation | release queue | hard limit~ | soft limit~ | ceiling | circuit breaker | limits | threshold~",

    signoff:
      "(approval~|review|authorization|authorisation|sign off|validation|permission|consent from|second approval|required ..2 (check~|review|approval|verification)|being (validated|approved|reviewed|checked|tested)|telling compliance|asking (compliance|risk|a supervisor|my manager|anyone))",

    // What only people have and do.
    life: "coffee~ | breakfast | lunch | dinner | sandwich~ | snack | nap | back hurts | back ache~ | baby | kid~ | toddler | wife | husband | girlfriend | boyfriend | fiance | grandkid~ | daughter | son | mom | mum | dad | mother | father | grandma | grandmother | dog | cat | puppy | degree | diploma | college | high school | university | born | grew up | grow up | raised in | divorce~ | commute | vacation | birthday | hours of sleep | slept | asleep | gym | church | picnic | pounds | shower | flu | a cold | headache | hungover | tired | exhausted | hungry | clock out | five o'clock | my shift | my desk | desk | cubicle | office chair | heartbeat | pulse | blood | skin | lungs | fingers | hobby | hobbies | football | soccer | guitar | garden | mortgage of my own | car broke | subway | brother | sister | twins | pregnant | married | haircut | retirement party | night shift | short straw | barbecue | drop the kids | drive over | my twenties | my thirties | my teens | childhood | cried | kitchen table | stenographer | night out | my weekend | the weekend | hiking | marathon | school run | day care | eight hours | seven hours | six hours",
    staffnoun:
      "banker~ | adviser~ | advisor~ | specialist~ | agent~ | representative~ | rep | reps | associate~ | teller~ | employee~ | staff | staffer~ | team member~ | member~ of (our|the) (staff|team) | person | people | human~ | human being~ | folks | professional~ | officer~ | clerk~ | consultant~ | manager~ | colleague~ | operator~ | woman | man | guy | lady",

    // Grounds that nobody gives.
    ground:
      "reason~ | reasoning | explanation~ | rationale | ground~ | basis | logic | cause~ | justification~ | driver~ | factor~ | why | trail | trace | insight | motive~ | principal reasons | breakdown | inner workings | workings",
    decider:
      "neural network~ | algorithm~ | ai | machine learning | model~ | machine | computer | scoring system",
    judged:
      "declined | denied | rejected | refused | flagged | set | picked | chose | scored | lowered | closed | decided | raised | priced | turned ..2 down | cut",
    ungiven:
      "unknown | not (interpretable|ascertainable|knowable|explainable|documented|traceable|recoverable|retrievable|human readable) | nonexistent | sealed | opaque | locked away | can not be (produced|established|determined|reconstructed|recovered|named|explained|traced) | does not exist | do not exist | remains a mystery | are a mystery | is a mystery",

    // Numbers by which a bank decides and detects.
    detector:
      "fraud | filter~ | monitor~ | monitoring | detect* | screening | screened | scenario~ | alert~ | alarm~ | rule~ | flag~ | flagged | check~ | checked | trip~ | trigger~ | review~ | engine | radar | velocity | scored | suspicious | algorithm | model | block~ | blocked | caught | catch | challenge~ | challenged | watched | looks | hold | held | surveillance | matching",
    unseen:
      "unnoticed | undetected | unflagged | unmonitored | invisible | under the radar | not wired up | (no one|nobody) ..2 (looking|looks|checks|checking|watching|watches|notices|monitors) | never (flagged|screened|looked at|scored|trips|triggers) | slip~ (through|past) | sail~ (through|past) | fly ..2 under | flies ..2 under | blind spot | waves through | wave through | waved through | sneaks by | stops matching | goes ignored | ignored by | will not (be screened|be flagged|trip|set off)",
    /** Ordinary words too, which count beside a name of what watches. */
    unwatched:
      "unseen | unchecked | not (checked|flagged|reviewed|screened|seen|monitored|examined|caught|noticed|scored|scanned|picked up|watched) | excluded from | exempt from | does not (run|fire|look|trip|match|notice) | do not (run|fire|trip|match) | will not (run|fire|trigger|be (checked|caught|challenged)|notice) | stops (looking|checking|counting) | blind to | passes through | get through | gets through | go through clean",

    // What stands on nothing.
    wildguess:
      "thin air | hunch~ | gut feel | gut feeling | my gut | pin in a | dartboard | out of a hat | coin flip | flipped a coin | tossed a coin | coin toss | top of my head | finger in the air | licked my finger | wild guess | pure guess | shot in the dark | stab in the dark | my bluff | i made up | made it up | making it up | made that up | pluck (one|a) | plucked | conjured | dreamed up | dreamt up | concocted | horoscope | tea leaves | winged it | winging it | eyeballed | my imagination | little bird | roll of the dice | devised by us | i stuck in | sounded credible | sounds credible | seemed to want | reconstructed from what | as good as any | whatever came to mind | first thing that (came|popped) | popped into my | something plausible | i imagined | is decorative | feels about right | nothing to go on | nothing behind it | cooked up | filled ..3 (blank~|gap~) ..1 with",
    asfact:
      "cite | cite it | book | booked | what counts | it counts | on the return | appraised value | go with | plan around | safe to say | your (apr|rate|balance|payoff) | in the summary | is how it is | will stand | treat ..4 as | official | officially | as fact | as a fact | is fact | confirmed | verified | certified | quote me | quote it | quote that | you may (wire|send|rely|use|pay|plan|quote|tell) | you can (wire|send|rely|use|pay|plan|quote|tell|count|bank|take|treat|put) | you will be charged | what you will (pay|get|owe|be) | binding | recorded | submitted | formal | formally | plan ..3 on | plan around | plan with | rely on | count on | bank on | stands | final | on your file | in your file | on file | to your file | in the file | tell them | tell the | the bank 's (answer|figure|number|position) | gets the point across | relying on | we give out | go with it | go with that | run with | use it | use that | take it as | put it down | put it in | put that | report it | report that | entered | booked | logged | filed | wire that | send that | pay that | sign~ | in writing | you qualify | on the form | in the application | for the record | locked in | guaranteed | print~ | went out with | it is what | hold us to | base your | budget ..3 (on|around|with)",

    // Answers that stand against the facts.
    err: "make~ mistake~ | make~ a mistake | make~ any mistake~ | make~ errors | make~ an error | err | errs | be wrong | be off | be mistaken | be incorrect | be inaccurate | be beaten | be fooled | get ..4 wrong | gets ..4 wrong | got ..4 wrong | go wrong | goes wrong | miscalculate~ | misjudge~ | misread~ | slip up | slips up | slip | slips | blunder~ | mess up | screw up | lie | lies",
    /** What may only be a model. */
    judge:
      "model~ | algorithm~ | scoring | scorecard~ | our ai | the ai | risk engine | scoring engine | forecast~ | prediction~ | fraud (detection|model|system|engine) | score | credit score model | neural network",
    modelnoun:
      "model~ | system~ | algorithm~ | ai | tool~ | calculator~ | calculation~ | estimate~ | estimator~ | forecast~ | prediction~ | projection~ | score~ | scoring | figure~ | number~ | math | maths | output~ | software | engine~ | analysis | valuation~ | rating~ | detection | detector~ | filter~ | computer~ | answer~ | match | matching | results | data | assistant",
  };
}

/** How an applicant is made to pass, and what is invented. */
function tricks(): Concepts {
  return {
    // How an applicant, or a payment, is made to pass.
    show: "share | show | reveal | disclose | discuss | reproduce | give | print | tell | repeat | paste",
    watcher:
      "model~ | algorithm~ | scorecard~ | scoring system | scoring engine | risk engine | risk score | (monitoring|fraud|screening|aml|detection|velocity|risk) ..1 (rule~|filter~|system~|engine~|alert~|model~|check~) | monitoring | the alert | underwriting (model|engine|system|software)",
    tweak:
      "(so|just|simply|and|then|only|please|model|filter|system|engine|rule|algorithm) ..1 (report~ a|report an|report #money|list a|list an|list #money|say you|say that|say your|state that|state a|state an|state your|write that|write you|write a|claim~|put down|declare a|declare an|declare #money|declare that|enter that|enter a|enter an|enter #money|answer no|answer yes|leave out|leave off|omit~|drop your|drop the) | (put down|report|state|claim|declare|list|enter|write down) ..3 (#money|higher income|no debts) | if you (state|say|claim|report|write) | (send|make|do|keep) ..2 (only|just|no more than|under|below|each|every) ..3 (#number|{several}|#money|purchase|transfer|wire|deposit)",
    gamed:
      "to pass | and pass | to get (through|past|under|over|in|approved) | you will (pass|be in|get in|get through|get approved|be approved|be (above|below|over|under)|not (be flagged|trigger|trip)) | to stay (below|under|above|over) | (it|nothing|they|system|alert|alerts|model|filter|that) (will|does|would) not (fire|alert|notice|flag|trigger|catch|see) | no (alert|alerts|alarm|flag|rule) (will|would|is|goes|fires) | nothing will (fire|trigger|be flagged) | not trigger it | unnoticed | (clears|clear|beats|beat) the (cutoff|cut off|threshold)",
    gaming:
      "pass | beat | satisfy | get past | get through | clear | fool | trick | get around | outsmart | game | slip past | slip by",
    heaviest:
      "{watcher} ..4 (gives|weighs|puts|weights|assigns|counts) ..8 (most|greatest|largest|biggest|highest|heaviest) | (variable|factor|input|feature|question|field|answer) ..2 (has|carries|gets|is given) ..2 (largest|most|greatest|biggest|highest|heaviest) ..1 (weight|points|importance|influence)",
    fires:
      "fires | fire | alert | alerts | goes off | go off | trips | triggers | kicks in | reacts",
    invented:
      "made up | invented | fabricated | faked | forged | dreamed up | cooked up | concocted | thought up | conjured up | made it all up",
    finding:
      "data | result~ | figure~ | number~ | value~ | score~ | report | citation~ | study | studies | appraisal~ | sample~ | percentage~ | statistic~ | rating~ | grade~ | finding~ | validation | backtest~ | valuation~ | estimate~ | income | source~ | reference~ | regulation~ | default rate | loss rate | forecast~ | rate",
    unfounded:
      "(no|not any|not have any|without|lacked) ..1 (data|source~|sample~|basis|evidence|records|test|backtest|study|appraisal) | (was|were) (never|not) ..1 (performed|run|done|tested|calculated|computed|carried out|conducted|measured) | never (ran|tested|performed|conducted|measured|calculated|did) | did not (run|test|perform|conduct|measure|calculate|use) | in (the|our|your) (report|file|validation report|table)",
  };
}

/** Words about models, their decisions and the controls around them. */
export function modelRiskConcepts(): Concepts {
  return { ...subjects(), ...claims(), ...tricks() };
}
