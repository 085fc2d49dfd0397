import type { ComplianceSettings } from "../events/agent.ts";
import { agentCategorySchema, bankingSpecialtySchema } from "../events/base-event.ts";
import type {
  CustomerProfile,
  InteractionContext,
  TransactionContext,
} from "../events/compliance.ts";
import { MemberReader, PROFILE_MEMBERS, TRANSACTION_MEMBERS, type Cut } from "./member-reader.ts";

/** What the rules get to see of a context. */
export interface ContextView {
  /** A frozen copy: rules can change neither the caller's context nor what the next rule sees. */
  readonly context: InteractionContext;
  /** Settings that came with the context. */
  readonly settings: ComplianceSettings | undefined;
  /** Whether there is a text, a tool call or a transaction to judge. */
  readonly hasContent: boolean;
  readonly cuts: ReadonlyMap<string, Cut>;
  readonly truncated: boolean;
  /** Members that could not be read. */
  readonly unreadable: readonly string[];
  /** Members that are not what they should be, and that the rules therefore don't see. */
  readonly ignored: readonly string[];
}

/** Returns a value if it is one of some; a schema would make an error of each that is absent. */
function oneOf<Value>(options: readonly Value[], value: unknown): Value | undefined {
  return options.find((option) => option === value);
}

/** Copies what the rules may see of a context; never throws, whatever the context is. */
export function viewContext(source: unknown, now: number): ContextView {
  const reader = new MemberReader(source);
  const context: InteractionContext = Object.freeze({
    agentId: reader.string("agentId") ?? "",
    agentCategory:
      reader.read("agentCategory", (value) => oneOf(agentCategorySchema.options, value)) ??
      "tool_calling",
    sessionId: reader.string("sessionId") ?? "",
    timestamp:
      reader.read("timestamp", (value) => (typeof value === "number" ? value : undefined)) ?? now,
    agentSpecialty: reader.read("agentSpecialty", (value) =>
      oneOf(bankingSpecialtySchema.options, value),
    ),
    userId: reader.string("userId"),
    userMessage: reader.text("userMessage"),
    agentResponse: reader.text("agentResponse"),
    toolsUsed: reader.tools(),
    metadata: reader.read("metadata", (value) => value),
    customerProfile: reader.record("customerProfile", PROFILE_MEMBERS) as
      | CustomerProfile
      | undefined,
    transactionContext: reader.record("transactionContext", TRANSACTION_MEMBERS) as
      | TransactionContext
      | undefined,
    riskFactors: reader.texts("riskFactors"),
  });
  const content = [
    context.userMessage,
    context.agentResponse,
    context.transactionContext,
    context.toolsUsed?.[0],
  ];
  return {
    context,
    settings: reader.read("complianceSettings", (value) =>
      typeof value === "object" && value !== null ? (value as ComplianceSettings) : undefined,
    ),
    hasContent: content.some((member) => member !== undefined),
    cuts: reader.cuts,
    truncated: reader.truncated,
    unreadable: reader.unreadable,
    ignored: reader.ignored,
  };
}
