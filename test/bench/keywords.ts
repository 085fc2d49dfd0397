/** What a naive check looks for: 300 words of banking and of its rules. */
export const KEYWORDS =
  `guarantee guaranteed risk-free no risk-less surefire certain profit returns yield dividend invest
investment portfolio stock bond crypto bitcoin token coin futures option leverage margin hedge broker brokerage fiduciary
adviser advice recommend double triple windfall jackpot bonus reward insider tip pump dump ponzi pyramid scheme scam fraud
fake counterfeit forged stolen theft steal hack phishing spoof malware ransom breach leak exposed password passcode pin cvv
secret token-id credential login username otp verification two-factor biometric fingerprint ssn social-security itin passport
license birthdate maiden address phone email account routing iban swift bic card debit credit prepaid gift cheque check
cashier money-order wire transfer remittance ach zelle venmo paypal cash deposit withdraw withdrawal atm teller branch vault
structuring smurfing split below-threshold ten-thousand 10,000 9,999 9,900 9,500 ctr sar fincen irs report unreported
reporting avoid evade hide conceal disguise launder laundering shell offshore haven nominee straw mule cartel drug
trafficking terror terrorist sanction sanctions ofac embargo iran syria cuba korea russia embargoed blocked frozen seize
pep politically exposed-person kyc cip due-diligence beneficial owner identity verify unverified anonymous alias bypass
waive override exception loophole workaround discrimination race color religion national origin sex gender pregnant
marital spouse husband wife child children age elderly old young disabled disability handicap welfare public-assistance
food-stamps immigrant immigration visa citizen foreigner neighborhood redline steering minority ethnic church mosque
synagogue deny denied decline declined reject rejected adverse action reason reasons score algorithm model black-box
explain explanation bias unbiased accuracy validated drift override-model human oversight review audit regulator
examiner complaint complain escalate supervisor ombudsman cfpb fdic ncua occ insured insurance uninsured unlimited coverage
fee fees hidden surcharge penalty overdraft apr apy interest usury payday title-loan refinance foreclosure evict repossess
garnish collection collector harass threat threaten jail arrest lawsuit sue bankruptcy consolidate settlement forgive
forgiveness approve approved approval preapproved instant urgent immediately limited-time act-now expire deadline
pressure exclusive secretive confidential disclose disclosure opt-out share sell third-party marketing consent privacy
gdpr glba ccpa tax deduct deduction evasion shelter undeclared income lie misstate falsify forge backdate inflate
understate omit`
    .split(/\s+/)
    .slice(0, 300);
