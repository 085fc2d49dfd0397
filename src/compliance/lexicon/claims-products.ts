import type { Concepts } from "../phrases/parse-phrase.ts";

/** What a bank sells, as far as promises about it differ by law. */
export function productConcepts(): Concepts {
  return {
    // Investments, whose value nobody can fix.
    security:
      "stock | stocks | shares | share of | etf~ | reit~ | crypto | cryptos | cryptocurrency | cryptocurrencies | bitcoin~ | btc | eth | ether | ethereum | dogecoin | doge | solana | xrp | altcoin~ | memecoin~ | stablecoin~ | usdc | usdt | tether | token | tokens | digital asset~ | digital coin~ | mutual fund~ | index fund~ | hedge fund~ | bond fund~ | growth fund~ | income fund~ | money market fund~ | money fund~ | target date fund~ | sector fund~ | equity fund~ | private equity | venture capital | equities | equity | bond | bonds | securities | structured note~ | structured product~ | annuity | annuities | indexed annuity | gold | silver | bullion | precious metals | commodity | commodities | futures | options contract~ | call options | put options | options trading | calls | puts | forex | fx trading | ipo~ | private placement~ | nft~ | nasdaq | dow | s p 500 | sp500 | nvidia | nvda | tesla | tsla | apple stock | amazon stock | meta stock | microsoft stock | blue chip~ | penny stock~ | biotech | tech stock~ | small cap~ | large cap~ | large caps | growth stock~ | value stock~ | dividend stock~ | tech names | vanguard | spy | voo | vti | qqq | syndicate | syndication | limited partnership | units of",
    vehicle:
      "portfolio~ | fund | brokerage | brokerage account~ | managed account~ | investment account~ | investment~ | robo advisor | robo adviser | robo portfolio | trading account~ | trading strategy | trading bot | trading algorithm | strategy | market | markets | 401k | 401 k | ira | iras | roth | roth ira | 403b | pension~ | nest egg | retirement savings | retirement account~ | retirement money | retirement fund~ | rollover | tsp | life insurance policy | whole life | wealth program | wealth plan | wealth management | index | principal | capital | stake | investing | invest | invested | investor~ | trading | trade | ticker",
    invested: "{security} | {vehicle}",
    // Contracts whose rate the bank fixes.
    fixed:
      "cd | cds | certificate~ of deposit | certificate | savings | checking | apy | deposit~ | term deposit~ | fixed rate | fixed term | fixed interest | fixed annuity | fixed annuities | fixed-rate | treasury | treasuries | treasurys | t-bill~ | tbills | i bond~ | ee bond~ | savings bond~ | insured | insurance | fdic | backed by | intro rate | introductory rate | introductory apr | promotional rate | promotional apr | rate lock | held to maturity | hold to maturity | loan~ | mortgage~ | credit score | credit report | credit limit | cash back | cashback | reward~ | reward points | refund~ | bonus | sba | va loan | guarantor | cosigner | medallion | signature guarantee | bank guarantee | price guarantee | satisfaction guarantee | money back guarantee | trial | ach | transfer~ | wire~ | fee~ | payment~ | bill pay | high yield savings | money market account~",
    // What somebody borrows with.
    lending:
      "loan~ | mortgage~ | mortage | credit | credit line | credit card~ | card | cards | heloc | financing | finance | refinance~ | refi | overdraft line | line of credit | lender~ | lending | borrow~ | borrower~ | underwriting | underwriter~ | underwrite | application~ | apply | applies | applying | applied | applicant~ | preapprov* | pre approved | preapproval | prequal* | approval~ | approved | aproved | aproval | bankrupt* | bankruptcy | bankruptcies | score~ | credit history | collections | repo | rejected | turned down | denied | thin file | charge off~ | lease | limit increase | debt consolidation | consolidation | auto loan | cosigner | payday | advance | fico | qualify | qualified | acceptance | accept~ | pay stub~ | paystub~ | income | reject~ | rejection | refus* | deny | denial | odds of | my odds | chances | say no | said no | bad credit | no credit | limit | contractor | house hunt* | closing | preapproved | lend | loaned | borrowed | cosign* | instant decision | decision",
    purchase:
      "purchase~ | transaction~ | transfer~ | wire | payment~ | merchant~ | store | atm~ | point of sale | online shopping | overseas | in (spain|mexico|canada|europe|france|italy|japan) | abroad | travel~ | trip | checkout | terminal | pos | swipe | hotel | gas pump | mobile deposit~ | your check | the check | checks | claim | dispute~ | deferment | leave | subscription~ | transit | holiday",
    // Covered by deposit insurance.
    deposits:
      "deposit~ | checking | savings | cd | cds | certificate~ of deposit | money market account~ | money market deposit account~",
    loss: "loss | losses | lose | lost | losing",
  };
}
