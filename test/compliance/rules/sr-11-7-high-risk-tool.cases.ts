import type { RuleCases } from "../../../src/compliance/verify-rule.ts";

export const cases: RuleCases = {
  violating: [
    {
      agentCategory: "autonomous",
      agentResponse: "Done.",
      toolsUsed: [
        {
          name: "wire_transfer",
          parameters: { riskLevel: "high" },
          result: { ok: true },
          success: true,
        },
      ],
      pattern: "no-approval",
    },
    {
      agentCategory: "autonomous",
      agentResponse: "Done.",
      toolsUsed: [
        {
          name: "close_account",
          parameters: { riskLevel: "high", accountId: "x" },
          result: { ok: true },
          success: true,
        },
      ],
      pattern: "no-approval",
    },
    {
      agentCategory: "autonomous",
      agentResponse: "Done.",
      toolsUsed: [
        {
          name: "delete_beneficiary",
          parameters: { risk_level: "HIGH" },
          result: { ok: true },
          success: true,
        },
      ],
      pattern: "no-approval",
    },
    {
      agentCategory: "autonomous",
      agentResponse: "Done.",
      toolsUsed: [
        {
          name: "wire_transfer",
          parameters: { riskLevel: "high", approval: null },
          result: { ok: true },
          success: true,
        },
      ],
      pattern: "no-approval",
    },
    {
      agentCategory: "autonomous",
      agentResponse: "Done.",
      toolsUsed: [
        {
          name: "wire_transfer",
          parameters: { riskLevel: "high", approvedBy: "" },
          result: { ok: true },
          success: true,
        },
      ],
      pattern: "no-approval",
    },
    {
      agentCategory: "autonomous",
      agentResponse: "Done.",
      toolsUsed: [
        {
          name: "wire_transfer",
          parameters: { riskLevel: "high", approvedBy: "system" },
          result: { ok: true },
          success: true,
        },
      ],
      pattern: "no-approval",
    },
    {
      agentCategory: "autonomous",
      agentResponse: "Done.",
      toolsUsed: [
        {
          name: "wire_transfer",
          parameters: { riskLevel: "high", approval: { status: "pending", by: "k.osei" } },
          result: { ok: true },
          success: true,
        },
      ],
      pattern: "no-approval",
    },
    {
      agentCategory: "autonomous",
      agentResponse: "Done.",
      toolsUsed: [
        {
          name: "wire_transfer",
          parameters: { riskLevel: "high", approval: { by: "j.haas" } },
          result: { ok: true },
          success: true,
        },
        {
          name: "change_signers",
          parameters: { riskLevel: "high" },
          result: { ok: true },
          success: true,
        },
      ],
      pattern: "no-approval",
    },
    // As the agent's profile says, whatever the caller passes.
    {
      agentCategory: "autonomous",
      agentResponse: "Done.",
      toolsUsed: [
        {
          name: "wire_transfer",
          parameters: { riskLevel: "low" },
          result: { ok: true },
          success: true,
          riskLevel: "high",
          category: "payments",
        },
      ],
      pattern: "no-approval",
    },
    ...[
      { status: "asked" as const, askedAt: 1_790_000_000_000, by: "k.osei" },
      { status: "refused" as const, by: "k.osei", reason: "limit" },
      { status: "approved" as const, by: "agent" },
    ].map((approval) => ({
      agentCategory: "autonomous" as const,
      agentResponse: "Done.",
      toolsUsed: [
        {
          name: "wire_transfer",
          parameters: {},
          result: { ok: true },
          success: true,
          riskLevel: "high" as const,
          approval,
        },
      ],
      pattern: "no-approval",
    })),
  ],
  compliant: [
    ...[{ status: "approved" as const, by: "k.osei", reason: "known payee" }].flatMap((approval) =>
      [{ approval }, { metadata: { approval } }].map((where) => ({
        agentCategory: "autonomous" as const,
        agentResponse: "Done.",
        toolsUsed: [
          {
            name: "wire_transfer",
            parameters: {},
            result: { ok: true },
            success: true,
            riskLevel: "high" as const,
            ...where,
          },
        ],
      })),
    ),
    {
      agentCategory: "autonomous",
      agentResponse: "Done.",
      toolsUsed: [
        {
          name: "wire_transfer",
          parameters: { riskLevel: "high", approval: { by: "j.haas", at: "2026-10-02T09:14:00Z" } },
          result: { ok: true },
          success: true,
        },
      ],
    },
    {
      agentCategory: "autonomous",
      agentResponse: "Done.",
      toolsUsed: [
        {
          name: "wire_transfer",
          parameters: { riskLevel: "high", approvedBy: "m.lund" },
          result: { ok: true },
          success: true,
        },
      ],
    },
    {
      agentCategory: "autonomous",
      agentResponse: "Done.",
      toolsUsed: [
        {
          name: "internal_transfer",
          parameters: { riskLevel: "medium" },
          result: { ok: true },
          success: true,
        },
      ],
    },
    {
      agentCategory: "autonomous",
      agentResponse: "Done.",
      toolsUsed: [
        {
          name: "rename_account",
          parameters: { riskLevel: "low" },
          result: { ok: true },
          success: true,
        },
      ],
    },
    {
      agentCategory: "autonomous",
      agentResponse: "Done.",
      toolsUsed: [{ name: "get_balance", parameters: {}, result: { available: 3 }, success: true }],
    },
    {
      agentCategory: "autonomous",
      agentResponse: "Done.",
      toolsUsed: [
        {
          name: "wire_transfer",
          parameters: { riskLevel: "high" },
          result: { error: "denied" },
          success: false,
        },
      ],
    },
    {
      agentCategory: "persona",
      agentResponse: "Done.",
      toolsUsed: [
        {
          name: "wire_transfer",
          parameters: { riskLevel: "high" },
          result: { ok: true },
          success: true,
        },
      ],
    },
    { agentCategory: "autonomous", agentResponse: "Done.", toolsUsed: [] },
  ],
};
