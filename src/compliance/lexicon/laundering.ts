import type { Concepts } from "../phrases/parse-phrase.ts";

/** Groups of words about the ways of laundering money. */
export function launderingConcepts(): Concepts {
  return {
    receiving:
      "receive~ | receiving | get~ | accept~ | take~ | collect~ | wire~ me | send~ me | sending me | deposit~ | put~ | pay~ me | transfer~ | come~ in | comes in | land~ | arrive~ | run~ | funnel~ | drop~ | money comes in | e-transfer~ | zelle~ | direct deposit~ | move~ | forward~ me",
    incoming:
      "money | fund~ | wire~ | payment~ | transfer~ | deposit~ | check~ | cash | paycheck~ | #money | it | zelle | into my account | in my account | to my account | into your account | proceeds | customer payments | client payments",
    keeping:
      "keep~ | hang on to | hangs on to | hanging on to | hung on to | hang onto | hold on to | hold onto | skim~ | pocket~ | hold~ back | held back | retain~ | deduct~ | subtract~ | shave~ off | peel~ off | withhold~ | help myself to | i get to keep | take~ my | take~ a | take~ his | take~ out my | earn~ a | earn~ my | get~ a | get~ my | paid a | pays me | pay me | paying me | minus my | minus a | less my | leave~ me | give~ me | make~ a | receive~ a",
    myCut:
      "cut | commission | percent | percentage | #percent | share | slice | portion | my trouble | tip | reward | the difference | difference | few hundred | couple hundred | my fee | small fee | handling fee",
    forwarding:
      "feed~ | forward~ | pass~ | send~ | wire~ | transfer~ | move~ | relay~ | ship~ | convert~ | buy~ bitcoin | buy~ crypto | buy~ gift card~ | put~ | mail~ | hand~ | shoot~ | push~ | remit~ | re-send | resend~ | turn~ around and | return~ | zelle~ | pay~ out | western union | moneygram | withdraw~ | route~ | deliver~ | send out | kick~ | sent on",
    remaining:
      "the rest | rest | remainder | remaining | the balance | balance | onward | on | along | elsewhere | out | overseas | abroad | crypto | bitcoin | btc | usdt | wallet~ | gift card~ | third party | another account | other account~ | to them | to him | to her | to whoever | to someone | a contact | where he tells me | where they tell me | wherever | different account~ | his supplier~ | it to | what is left | what remains | leftover | them to | everything else | it on | it along",
    blending:
      "run~ | put~ | mix~ | blend~ | push~ | ring~ up | ring~ | book~ | record~ | log~ | report~ | declare~ | count~ | pass~ | funnel~ | deposit~ | feed~ | slip~ | fold~ | drip~ | add~ | combine~ | lump~ | bury | cycle~ | filter~ | channel~ | work~ | trickle~ | sprinkle~ | commingl*",
    mixers:
      "mixer | mixers | tumbler | tumblers | tornado cash | coinjoin | coin join | blender | privacy coin~ | monero | chain hop~ | chain-hop~ | chain hopping | chain-hopping | wasabi | mixing service~ | crypto mixer~ | bitcoin mixer~ | coin mixer~ | tumbling service",
    mixing:
      "mixer | mixers | tumbler | tumblers | tornado cash | coinjoin | coin mixing | tumbling | tumble~ | monero | privacy coin~ | chain hop~ | chain-hop~ | chain hopping | peel chain | layering | layer the | shell compan* | offshore account~ | offshore compan* | front business~ | casino~ | casino chips | chips | gift card~ | cash business~ | cash-heavy business~ | nail salon | laundromat | car wash | nft~ | art deals | real estate flips | luxury watches | nominee~ | smurf~ | prepaid card~ | string of accounts | chain of accounts | chain of wallets | different wallets | several wallets | multiple wallets | a few wallets | fresh wallet~ | burner wallet~ | hops",
    cleaning:
      "clean | cleans | cleaned | cleaner | wash it | washes | washed money | wash the | wash my | wash your | launder~ | legit | legitimate | untraceable | untraced | trace~ | traceable | traced | trail | origin~ | anonymous | anonymously | follow the money | cover the tracks | tracks | source | hide~ | disguise~ | break the link | breaks the link | severs | obscur* | where it came from | where they came from | forget where | nobody can tell | no one can tell | who owns it | unlinked | unlink | come out clean | squeaky",
    exits:
      "cash out | cash~ out | cashing out | withdraw~ | into my account | into your account | into the bank | to the bank | my bank | deposit~ | convert~ to dollars | into dollars | to fiat | into fiat | off-ramp | offramp | bring it back | brings it back | before it | before you | before i | before the | before moving | before depositing | sell~ | swap~ | then bank it",
    traceless:
      "untraceable | untraced | no trace | without a trace | can not be traced | cannot be traced | not traceable | not be traced | no trail | no paper trail | break the trail | breaks the trail | lose the trail | loses the trail | trail goes cold | trail cold | trail ends | hard to trace | harder to trace | hard to follow | harder to follow | impossible to trace | impossible to follow | nobody can trace | no one can trace | nobody can follow | no one can follow | throw~ off | cover your tracks | cover my tracks | cover our tracks | hide the origin | hide where | hide its origin | hide the source | disguise the source | disguise the origin | obscure the source | obscure the origin | conceal the source | conceal the origin | cannot be linked | can not be linked | not linked to | not link~ back | not connect~ to | not point back | lead~ back | leads back | trace it back | trace back | tie~ back | muddy the trail | muddy the waters",
    /** As `traceless`, without what is said of any card or account. */
    lostTrail:
      "untraceable | no trace | without a trace | can not be traced | not be traced | no trail | break the trail | breaks the trail | lose the trail | loses the trail | trail goes cold | trail cold | trail ends | trail is gone | origin is gone | hard to trace | harder to trace | harder to follow | impossible to trace | nobody can trace | no one can trace | nobody can follow | no one can follow | cover your tracks | hide the origin | hide its origin | hide the source | conceal the source | muddy the trail | muddy the waters | can not be linked to you",
    sequence:
      "several | multiple | a few | a chain of | a string of | a series of | different | various | three | four | five | six | bounce~ | hop~ | jump~ | cycle~ | rotate~ | circulat* | layer~ | through | round-robin",
  };
}
