import type { Concepts } from "../phrases/parse-phrase.ts";

/** How offers are advertised. */
export function offerConcepts(): Concepts {
  return {
    // Words that sell.
    sell: "just | only | as little as | as low as | low as | starting at | starting from | starts at | start at | from | from just | for less than | a mere | mere | barely | for about | around | about | roughly | approximately | with payments of | payments of | payments as low as | payments from | easy payments | easy installments | low monthly | installments of | instalments of | pay just | pay only | you pay | you would pay | you would only pay | you will pay | yours for | is yours for | drive away for | drive home for | drive it home | drive off | get it for | have it for | take it home for | costs you | comes to | works out to | works out at | snag | grab | finance it for",
    /** Sells, and says no more than "about". */
    pitch:
      "just | only | as little as | as low as | low as | starting at | starting from | starts at | for less than | a mere | mere | barely | with payments of | payments as low as | payments from | easy payments | easy installments | installments of | instalments of | pay just | pay only | yours for | yours from | is yours for | drive away for | drive home for | drive it home | drive off | get it for | have it for | take it home for | works out to | works out at | snag | grab | finance it for",
    /** What is lent, and what it buys. */
    lent: "loan~ | mortgage~ | heloc | refinance~ | refi | financing | financed | finance | installment plan | payment plan | year plan | month plan | lease | boat | rv | truck | car | motorcycle | suv | sedan | sofa | couch | furniture | fridge | roof | kitchen | solar | bike | jet ski | minivan | van | jeep | camper | trailer | tractor | pickup | piano | laptop | mattress | hot tub | snowmobile | scooter | house",
    perperiod:
      "a month | per month | each month | every month | monthly | a week | per week | each week | every week | weekly | a fortnight | biweekly | every two weeks | every other week | a paycheck | per paycheck | every payday | a mo | per mo | quarterly | a quarter | annually each | every four weeks | every 30 days | per pay period | twice a month | mo | wk | every two weeks | every second week",
    offered:
      "offer~ | pay~ | earn~ | get~ | give~ | yield~ | grow~ | rate~ | interest | lock~ | enjoy~ | start~ | borrow~ | refinance~ | available | promo | promotion | promotional | special | deal | teaser | intro | introductory | right now | today | currently | this month | as low as | low as | from",
    ratedloan:
      "loan~ | mortgage~ | heloc | home equity | credit card~ | card~ | refinance~ | refi | auto loan~ | car loan~ | personal loan~ | line of credit | credit line | financing | financed | finance | borrow~ | balance transfer~ | consolidation | boat | rv | truck | car | motorcycle | vehicle | suv | sedan | house | home | condo | sofa | couch | furniture | appliance~ | fridge | roof | pool | kitchen | solar | lease | bike | jet ski | minivan | van | jeep | coupe | camper | trailer | tractor | hatchback | pickup | wheels | ev | piano | laptop | mattress | windows | deck | loan payment | student loan | term~ | year plan | month plan | consolidate~ | debt | cards | remodel~ | renovation | wedding | cruise | vacation loan | phone | watch | ring | engagement ring | tuition | purchase | monthly payment~ | installment~ | down payment | buy | bike loan | patio | driveway | hot tub | spa | snowmobile | minibus | scooter | bathroom | dentist | braces | buggy | duplex | townhouse | apartment | van loan | new roof",
    rateddeposit:
      "savings | savings account~ | cd | cds | certificate~ | checking | checking account~ | money market | deposit account~ | deposit~ | high yield | term deposit~",
  };
}
