/** What users and agents of the programs say; nothing else contains these words. */
export const QUESTION = "May I split the cash over two days?";
export const ANSWER =
  "Yes. Deposit $9,000 today and $9,000 tomorrow: stay under $10,000 each time and no report is filed.";
