import type { Concepts } from "../phrases/parse-phrase.ts";

/** Groups of words that the phrases of every rule may name. */
export function commonConcepts(): Concepts {
  return {
    // Who speaks and acts.
    agent: "i | we | our system | our team | the bank | the system | the assistant",
    offer:
      "i can | we can | i could | we could | i will | we will | i am going to | we are going to | i am happy to | i would be happy to | happy to | let me | i have | we have | you can | you could | you may | you might | just | simply | please | feel free to | go ahead and | i suggest | i recommend | i would | you should | try | one option is to | the trick is to | all you need is to | all you have to do is | what you can do is | the best way is to",
    customer: "you | your | the customer | the client | the borrower | the applicant",
    relative:
      "wife~ | husband~ | spouse~ | partner~ | son~ | daughter~ | kid~ | child~ | brother~ | sister~ | sibling~ | mother~ | father~ | mom~ | dad~ | mum~ | parent~ | cousin~ | uncle~ | aunt~ | nephew~ | niece~ | grandmother~ | grandfather~ | grandma~ | grandpa~ | friend~ | relative~ | family | family members | roommate~ | neighbor~ | neighbour~ | employee~ | coworker~ | co-worker~ | colleague~ | boyfriend~ | girlfriend~ | fiance | fiancee | in-law~ | someone else | somebody else | another person",
    // Negation, as far as a phrase needs one of its own.
    not: "not | never | no | none | nobody | nothing | neither | nor | without | no one",
    nobody: "nobody | no one | no human | no person | no employee | no staff",
    // Money.
    cash: "cash | banknote~ | bills | paper money | currency | hundreds | twenties | hundred dollar bills | wad | stack of bills",
    money:
      "money | fund~ | cash | dollar~ | bucks | amount~ | sum | #money | savings | proceeds | balance",
    loan: "loan~ | mortgage~ | credit | credit line | line of credit | credit card~ | card | heloc | financing | refinance~ | borrowing | lending | overdraft | personal loan | auto loan | home loan | debt~",
    account: "account~ | checking | savings | deposit account",
    application: "application~ | request~ | loan request",
    fee: "fee~ | charge~ | cost~ | penalty | penalties | surcharge~",
    // Time.
    weekday:
      "monday~ | tuesday~ | wednesday~ | thursday~ | friday~ | saturday~ | sunday~ | mon | tue | tues | wed | thu | thurs | fri | sat | sun",
    later:
      "tomorrow | later | next | afterwards | another day | another time | the day after | following | {weekday} | weekend | next week | next month | the other day | subsequent",
    several:
      "two | three | four | five | six | seven | eight | nine | ten | several | multiple | few | couple of | a couple | different | separate | smaller | various | many | some | dozen | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9",
  };
}

/** Groups of words that only the guards use. */
export function guardConcepts(): Concepts {
  return {
    unable:
      "can not | will not | would not | could not | am not able to | are not able to | am unable to | are unable to | unable to | not allowed to | not permitted to | must not | may not | should not | am not going to | are not going to | do not | never | refuse~ to | decline~ to | not in a position to",
    help: "help | assist | advise | suggest | recommend | tell | discuss | support | arrange | guide | encourage | promise | guarantee | offer | provide | coach | do that | do this | do it | share | give | say | confirm | comment | speculate | participate | facilitate | predict | know | disclose | reveal | advocate | go along | engage | accommodate",
    crime:
      "illegal | unlawful | forbid~ | outlaw~ | crime~ | felony | offense~ | offence~ | criminal | against the law | prohibited | forbidden | not allowed | not permitted | not legal | violat* | breaks the law | punishable | banned | not something we | against our policy | against policy | not acceptable | unacceptable | discriminat* | never appropriate",
    others:
      "scammer~ | scam artist~ | (is|was|sounds like|looks like|be) a scam | common scam | typical scam | known scam | fraudster~ | criminal~ | launderer~ | thief | thieves | con artist~ | crook~ | impersonator~ | someone who | anyone who | people who | those who | whoever | anybody who | if anyone | if someone | if anybody | if a caller | beware | be wary | watch out | look out for | red flag~ | warning sign~ | be careful | be cautious | be suspicious | too good to be true | ponzi | myth~ | misconception~ | a common claim",
  };
}
