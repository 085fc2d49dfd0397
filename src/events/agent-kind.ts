import * as z from "zod";
import { lazySchema } from "./lazy-schema.ts";

export const agentCategorySchema = lazySchema(() =>
  z.enum(["persona", "tool_calling", "workflow", "autonomous"]),
);
/** Type of agent. */
export type AgentCategory = z.infer<typeof agentCategorySchema>;

export const bankingSpecialtySchema = lazySchema(() =>
  z.enum([
    "generalist",
    "personal_banking",
    "business_banking",
    "wealth_management",
    "mortgage_lending",
    "investment_services",
    "fraud_detection",
    "customer_service",
    "compliance",
  ]),
);
/** Banking domain of an agent. */
export type BankingSpecialty = z.infer<typeof bankingSpecialtySchema>;
