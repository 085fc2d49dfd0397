import type {
  CustomerProfile,
  InteractionContext,
  ToolUsageInfo,
  TransactionContext,
} from "../events/compliance.ts";
import { ownMembers } from "../util/untrusted-values.ts";
import { boundValue, type Bounds } from "./bounded-value.ts";
import type { TextSource } from "../phrases/source-text.ts";

/** Most of a message that is read: its head and its tail, in UTF-16 units. */
const MAX_HEAD_LENGTH = 24 * 1024;
const MAX_TAIL_LENGTH = 8 * 1024;
// Ends a sentence, and no number or phrase reads across it.
const SEAM = "\n\u2026\n";

const MAX_TOOLS = 64;
const MAX_TEXTS = 256;
/** Members beside those that the schema knows, for rules of the caller's own. */
const MAX_OTHERS = 64;
/** Values and UTF-16 units that are read of all tool calls together. */
const MAX_TOOL_VALUES = 10_000;
const MAX_TOOL_LENGTH = 256 * 1024;
/** Problems that are logged of one context. */
const MAX_PROBLEMS = 20;

/** Where the middle of a long text was left out. */
export interface Cut {
  /** First position of the shortened text that belongs to the tail. */
  readonly tailStart: number;
  /** Units from there to the same place in the original. */
  readonly shift: number;
}

type MemberType = "string" | "number" | "strings";
type Members<Schema> = Readonly<Record<keyof Schema & string, MemberType>>;

/** What the rules expect of a customer. */
export const PROFILE_MEMBERS: Members<CustomerProfile> = {
  customerId: "string",
  customerTier: "string",
  riskRating: "string",
  accountTypes: "strings",
  relationshipLength: "number",
  previousViolations: "number",
};

/** What the rules expect of a transaction. */
export const TRANSACTION_MEMBERS: Members<TransactionContext> = {
  transactionId: "string",
  transactionType: "string",
  frequency: "string",
  location: "string",
  merchantCategory: "string",
  amount: "number",
};

const isText = (item: unknown): item is string => typeof item === "string";

/** Reads members of a context that may be anything; one that is bad costs itself, and is logged. */
export class MemberReader {
  /** Members whose getters threw. */
  readonly unreadable: string[] = [];
  /** Members that are of another type than the rules expect. */
  readonly ignored: string[] = [];
  /** By the message that was shortened. */
  readonly cuts = new Map<string, Cut>();
  readonly #source: object;
  readonly #bounds: Bounds = {
    values: MAX_TOOL_VALUES,
    length: MAX_TOOL_LENGTH,
    truncated: false,
  };

  constructor(source: unknown) {
    this.#source = typeof source === "object" && source !== null ? source : {};
  }

  /** Whether only a part of something long is shown to the rules. */
  get truncated(): boolean {
    return this.#bounds.truncated;
  }

  /** Returns what `convert` makes of a member, `undefined` if either throws. */
  read<T>(
    key: keyof InteractionContext | "complianceSettings",
    convert: (value: unknown) => T | undefined,
  ): T | undefined {
    return this.#try(key, () => convert((this.#source as Record<string, unknown>)[key]));
  }

  string(key: keyof InteractionContext): string | undefined {
    return this.read(key, (value) => (isText(value) ? value : undefined));
  }

  text(key: TextSource): string | undefined {
    const text = this.string(key);
    if (text === undefined || text.length <= MAX_HEAD_LENGTH + MAX_TAIL_LENGTH) return text;
    const tailStart = MAX_HEAD_LENGTH + SEAM.length;
    this.cuts.set(key, { tailStart, shift: text.length - MAX_TAIL_LENGTH - tailStart });
    this.#bounds.truncated = true;
    return text.slice(0, MAX_HEAD_LENGTH) + SEAM + text.slice(-MAX_TAIL_LENGTH);
  }

  texts(key: "riskFactors"): string[] | undefined {
    return this.read(key, (value) => this.#items(value, key, MAX_TEXTS, this.#toText));
  }

  tools(): ToolUsageInfo[] | undefined {
    const key = "toolsUsed";
    return this.read(key, (value) => this.#items(value, key, MAX_TOOLS, this.#toTool));
  }

  /** Copies an object without the members that are of another type than the rules expect. */
  record(
    key: "customerProfile" | "transactionContext",
    members: Readonly<Record<string, MemberType>>,
  ): unknown {
    return this.read(key, (value) => {
      if (value === undefined || value === null) return undefined;
      if (typeof value !== "object") return this.#ignore(key);
      const others = [...ownMembers(value, MAX_OTHERS)];
      const copy: Record<string, unknown> = Object.fromEntries(
        others.filter(([name]) => !Object.hasOwn(members, name)),
      );
      for (const [name, type] of Object.entries(members)) {
        const field = `${key}.${name}`;
        const member = this.#try(field, () =>
          this.#toMember((value as Record<string, unknown>)[name], type, field),
        );
        if (member !== undefined) copy[name] = member;
      }
      return Object.freeze(copy);
    });
  }

  #try<T>(field: string, read: () => T | undefined): T | undefined {
    try {
      return read();
    } catch {
      if (this.unreadable.length < MAX_PROBLEMS) this.unreadable.push(field);
      return undefined;
    }
  }

  #ignore(field: string): undefined {
    if (this.ignored.length < MAX_PROBLEMS) this.ignored.push(field);
    return undefined;
  }

  #items<T>(
    value: unknown,
    field: string,
    most: number,
    toItem: (item: unknown, field: string) => T | undefined,
  ): T[] | undefined {
    if (value === undefined || value === null) return undefined;
    if (!Array.isArray(value)) return this.#ignore(field);
    const length = Math.min(value.length, most);
    if (value.length > most) this.#bounds.truncated = true;
    const items: T[] = [];
    for (let index = 0; index < length; index++) {
      const itemField = `${field}[${index}]`;
      const item = this.#try(itemField, () => toItem(value[index] as unknown, itemField));
      if (item !== undefined) items.push(item);
    }
    return Object.freeze(items) as T[];
  }

  readonly #toText = (item: unknown, field: string): string | undefined =>
    isText(item) ? item : this.#ignore(field);

  /** Copies a tool call whose name can be read; one that does not say that it failed did not. */
  readonly #toTool = (item: unknown, field: string): ToolUsageInfo | undefined => {
    if (typeof item !== "object" || item === null) return this.#ignore(field);
    const { name, parameters, result, success } = item as Partial<ToolUsageInfo>;
    if (!isText(name)) return this.#ignore(`${field}.name`);
    return Object.freeze({
      ...Object.fromEntries(ownMembers(item, MAX_OTHERS)),
      name,
      parameters: boundValue(parameters, this.#bounds),
      result: boundValue(result, this.#bounds),
      success: success !== false,
    });
  };

  #toMember(value: unknown, type: MemberType, field: string): unknown {
    if (value === undefined || value === null) return undefined;
    if (type === "strings") return this.#items(value, field, MAX_TEXTS, this.#toText);
    const isNumber = typeof value === "number" && Number.isFinite(value);
    return (type === "number" ? isNumber : isText(value)) ? value : this.#ignore(field);
  }
}
