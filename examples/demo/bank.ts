import { setTimeout as sleep } from "node:timers/promises";
import type { AgentInfo } from "agent-monitor";

/** Agents of the bank, as they are registered. */
export const AGENTS: readonly AgentInfo[] = [
  {
    id: "personal-banking",
    name: "Personal banking assistant",
    category: "tool_calling",
    specialty: "personal_banking",
    version: "2.3.0",
    llmProvider: "openai",
    model: "gpt-5",
    description: "Answers questions about accounts and makes transfers.",
    systemPrompt: "You are the assistant of First Bank. Be brief. Use the tools for every figure.",
    availableTools: [
      {
        name: "get_account",
        description: "Reads balance and latest bookings.",
        category: "accounts",
        riskLevel: "low",
      },
      {
        name: "create_transfer",
        description: "Sends money to a payee.",
        category: "payments",
        riskLevel: "high",
      },
    ],
    complianceSettings: {
      sr11_7_enabled: true,
      fair_lending_monitoring: true,
      bsa_aml_checks: true,
      risk_threshold: 50,
    },
  },
  {
    id: "wealth-advisor",
    name: "Wealth advisor",
    category: "tool_calling",
    specialty: "wealth_management",
    version: "0.9.2",
    llmProvider: "openai",
    model: "gpt-5-mini",
    description: "Explains funds and savings plans.",
    systemPrompt:
      "You explain the funds of First Bank. Never recommend a product without its risks.",
    availableTools: [
      {
        name: "get_fund",
        description: "Reads the fact sheet of a fund.",
        category: "market_data",
        riskLevel: "low",
      },
    ],
    complianceSettings: {
      sr11_7_enabled: true,
      fair_lending_monitoring: true,
      bsa_aml_checks: true,
      risk_threshold: 50,
    },
  },
];

interface Tool {
  readonly millis: number;
  run(parameters: Record<string, unknown>): unknown;
}

const TOOLS: Readonly<Record<string, Tool>> = {
  get_account: {
    millis: 42,
    run: ({ account }) => ({
      account,
      balance: 3182.4,
      currency: "USD",
      bookings: [{ date: "2026-11-18", text: "Salary", amount: 4250 }],
    }),
  },
  create_transfer: {
    millis: 95,
    run: ({ payee, amount }) => ({ status: "accepted", reference: "TR-5530192", payee, amount }),
  },
  get_fund: {
    millis: 61,
    run: ({ fund }) => ({ fund, threeYearReturn: 0.048, volatility: 0.121, riskClass: 4 }),
  },
};

/** Runs a tool of the bank; throws when there is no such tool. */
export async function runTool(name: string, parameters: Record<string, unknown>): Promise<unknown> {
  const tool = TOOLS[name];
  if (!tool) throw new Error(`there is no tool ${name}`);
  await sleep(tool.millis);
  return tool.run(parameters);
}
