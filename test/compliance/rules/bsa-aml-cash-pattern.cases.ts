import type { RuleCases } from "../../../src/compliance/verify-rule.ts";

export const cases: RuleCases = {
  violating: [
    {
      toolsUsed: [
        { name: "cash_withdrawal", parameters: { amount: 4200 }, result: {}, success: true },
        { name: "cash_withdrawal", parameters: { amount: 4200 }, result: {}, success: true },
        { name: "cash_withdrawal", parameters: { amount: 4200 }, result: {}, success: true },
      ],
      pattern: "several-below-threshold",
    },
    {
      toolsUsed: [
        { name: "depositCash", parameters: { amount: "$6,000.00" }, result: {}, success: true },
        { name: "depositCash", parameters: { amount: 5500 }, result: {}, success: true },
      ],
      pattern: "several-below-threshold",
    },
    {
      toolsUsed: [
        {
          name: "record_transaction",
          parameters: { type: "cash_deposit", amount: 8000 },
          result: {},
          success: true,
        },
      ],
      history: [
        {
          agentResponse: "Booked.",
          toolsUsed: [
            {
              name: "record_transaction",
              parameters: { type: "cash_deposit", amount: 7000 },
              result: {},
              success: true,
            },
          ],
        },
      ],
      pattern: "several-below-threshold",
    },
    {
      toolsUsed: [
        {
          name: "teller.cash-deposit",
          parameters: { amountCents: 600000 },
          result: {},
          success: true,
        },
        {
          name: "teller.cash-deposit",
          parameters: { amountCents: 500000 },
          result: {},
          success: true,
        },
      ],
      pattern: "several-below-threshold",
    },
    {
      transactionContext: { transactionType: "cash_deposit", amount: 9600, frequency: "daily" },
      customerProfile: { customerId: "c", riskRating: "high" },
      pattern: "repeated-near-threshold",
    },
    {
      transactionContext: {
        transactionType: "cash_deposit",
        amount: 8900,
        frequency: "three times this week",
      },
      pattern: "repeated-near-threshold",
    },
    {
      transactionContext: { transactionType: "CASH_WITHDRAWAL", amount: 9200 },
      riskFactors: ["multiple_branches"],
      pattern: "repeated-near-threshold",
    },
    {
      transactionContext: { transactionType: "cashDeposit", amount: 9900 },
      riskFactors: ["just_below_threshold"],
      pattern: "repeated-near-threshold",
    },
  ],
  compliant: [
    {
      transactionContext: { transactionType: "cash_deposit", amount: 9400, frequency: "once" },
      customerProfile: { customerId: "c", riskRating: "low" },
    },
    {
      transactionContext: { transactionType: "wire", amount: 9600, frequency: "daily" },
      customerProfile: { customerId: "c", riskRating: "high" },
    },
    {
      transactionContext: { transactionType: "cash_deposit", amount: 9600, frequency: "daily" },
      riskFactors: ["matches_profile"],
    },
    {
      transactionContext: { transactionType: "cash_deposit", amount: 3000, frequency: "daily" },
      customerProfile: { customerId: "c", riskRating: "high" },
    },
    {
      toolsUsed: [
        { name: "cash_deposit", parameters: { amount: 4000 }, result: {}, success: true },
        { name: "cash_deposit", parameters: { amount: 4500 }, result: {}, success: true },
      ],
    },
    {
      toolsUsed: [
        { name: "cash_deposit", parameters: { amount: 12000 }, result: {}, success: true },
        { name: "cash_deposit", parameters: { amount: 5000 }, result: {}, success: true },
      ],
    },
    {
      toolsUsed: [
        { name: "wire_transfer", parameters: { amount: 6000 }, result: {}, success: true },
        { name: "wire_transfer", parameters: { amount: 6000 }, result: {}, success: true },
      ],
    },
    {
      toolsUsed: [
        { name: "cash_deposit", parameters: { amount: 6000 }, result: {}, success: true },
        { name: "cash_withdrawal", parameters: { amount: 6000 }, result: {}, success: true },
      ],
    },
    {
      toolsUsed: [
        {
          name: "cash_deposit",
          parameters: { amount: 6000, reference: "r1" },
          result: {},
          success: true,
        },
        {
          name: "cash_deposit",
          parameters: { amount: 6000, reference: "r1" },
          result: {},
          success: true,
        },
      ],
    },
    {
      toolsUsed: [
        { name: "get_cash_deposits", parameters: { amount: 6000 }, result: {}, success: true },
        { name: "get_cash_deposits", parameters: { amount: 6000 }, result: {}, success: true },
      ],
    },
  ],
};
