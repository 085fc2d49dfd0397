import type { ComplianceSettings } from "../events/agent.ts";
import { agentCategorySchema, bankingSpecialtySchema } from "../events/agent-kind.ts";
import type {
  CustomerProfile,
  InteractionContext,
  ToolUsageInfo,
  TransactionContext,
} from "../events/compliance.ts";
import type { TextSource } from "./text/source-text.ts";

/** Most of a message that is read: its head and its tail, in UTF-16 units. */
const MAX_HEAD_LENGTH = 24 * 1024;
const MAX_TAIL_LENGTH = 8 * 1024;
const MAX_ITEMS = 256;

// Ends a sentence, and no number or phrase reads across it.
const SEAM = "\n\u2026\n";

/** Where the middle of a long text was left out. */
export interface Cut {
  /** First position of the shortened text that belongs to the tail. */
  readonly tailStart: number;
  /** Units from there to the same place in the original. */
  readonly shift: number;
}

/** What the rules get to see of a context. */
export interface ContextView {
  /** A frozen copy: rules can change neither the caller's context nor what the next rule sees. */
  readonly context: InteractionContext;
  /** Settings that came with the context. */
  readonly settings: ComplianceSettings | undefined;
  /** Whether there is a text, a tool call or a transaction to judge. */
  readonly hasContent: boolean;
  readonly cuts: Readonly<Partial<Record<TextSource, Cut>>>;
  readonly truncated: boolean;
  /** Members that could not be read. */
  readonly unreadable: readonly string[];
}

/** Copies a tool call whose name can be read; one that does not say that it failed did not. */
function toTool(item: unknown): ToolUsageInfo | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const { name, parameters, result, success, ...others } = item as Partial<ToolUsageInfo>;
  if (typeof name !== "string") return undefined;
  return Object.freeze({ ...others, name, parameters, result, success: success !== false });
}

type MemberTypes = Readonly<Record<string, string>>;

/** Reads members of an untrusted object and remembers what failed. */
class MemberReader {
  readonly unreadable: string[] = [];
  readonly cuts: Partial<Record<TextSource, Cut>> = {};
  truncated = false;
  readonly #source: object;

  constructor(source: unknown) {
    this.#source = typeof source === "object" && source !== null ? source : {};
  }

  /** Gives what `convert` makes of a member, `undefined` if either throws. */
  read<T>(
    key: keyof InteractionContext | "complianceSettings",
    convert: (value: unknown) => T | undefined,
  ): T | undefined {
    try {
      return convert((this.#source as Record<string, unknown>)[key]);
    } catch {
      this.unreadable.push(key);
      return undefined;
    }
  }

  string(key: keyof InteractionContext): string | undefined {
    return this.read(key, (value) => (typeof value === "string" ? value : undefined));
  }

  text(key: TextSource): string | undefined {
    const text = this.string(key);
    if (text === undefined || text.length <= MAX_HEAD_LENGTH + MAX_TAIL_LENGTH) return text;
    const tailStart = MAX_HEAD_LENGTH + SEAM.length;
    this.cuts[key] = { tailStart, shift: text.length - MAX_TAIL_LENGTH - tailStart };
    this.truncated = true;
    return text.slice(0, MAX_HEAD_LENGTH) + SEAM + text.slice(-MAX_TAIL_LENGTH);
  }

  items<T>(
    key: "toolsUsed" | "riskFactors",
    toItem: (item: unknown) => T | undefined,
  ): T[] | undefined {
    return this.read(key, (value) => {
      if (!Array.isArray(value)) return undefined;
      if (value.length > MAX_ITEMS) this.truncated = true;
      const items = value.slice(0, MAX_ITEMS).map(toItem);
      return Object.freeze(items.filter((item) => item !== undefined)) as T[];
    });
  }

  /** Copies an object without the members that are of another type than the rules expect. */
  record(key: "customerProfile" | "transactionContext", types: MemberTypes): unknown {
    return this.read(key, (value) => {
      if (typeof value !== "object" || value === null) return undefined;
      const copy: Record<string, unknown> = { ...value };
      for (const [member, type] of Object.entries(types)) {
        if (typeof copy[member] !== type) delete copy[member];
      }
      return Object.freeze(copy);
    });
  }
}

const PROFILE_TYPES: MemberTypes = {
  riskRating: "string",
  customerTier: "string",
  previousViolations: "number",
};
const TRANSACTION_TYPES: MemberTypes = {
  transactionType: "string",
  frequency: "string",
  location: "string",
  amount: "number",
};

/** Gives a value if it is one of some; a schema would make an error of each that is absent. */
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
    toolsUsed: reader.items("toolsUsed", toTool),
    metadata: reader.read("metadata", (value) => value),
    customerProfile: reader.record("customerProfile", PROFILE_TYPES) as CustomerProfile | undefined,
    transactionContext: reader.record("transactionContext", TRANSACTION_TYPES) as
      | TransactionContext
      | undefined,
    riskFactors: reader.items("riskFactors", (item) =>
      typeof item === "string" ? item : undefined,
    ),
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
  };
}
