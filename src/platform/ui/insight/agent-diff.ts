import type { AgentInfo, ToolInfo } from "../../../events/agent.ts";
import type { Profile } from "./insight-api.ts";

/** A tool in two profiles. */
export interface ToolChange {
  readonly name: string;
  readonly tool: ToolInfo;
  /** The same tool before; absent where it is new. */
  readonly before: ToolInfo | undefined;
  readonly kind: "same" | "changed" | "added" | "removed";
}

const isEqual = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Compares the tools of two profiles: those of the later one, then those that are gone. */
export function compareTools(before: AgentInfo | undefined, after: AgentInfo): ToolChange[] {
  const known = new Map((before?.availableTools ?? []).map((tool) => [tool.name, tool]));
  const tools = (after.availableTools ?? []).map((tool): ToolChange => {
    const former = known.get(tool.name);
    known.delete(tool.name);
    const changed = isEqual(former, tool) ? "same" : "changed";
    const kind = former ? changed : "added";
    return { name: tool.name, tool, before: former, kind: before ? kind : "same" };
  });
  const gone = [...known.values()].map((tool): ToolChange => ({
    name: tool.name,
    tool,
    before: tool,
    kind: "removed",
  }));
  return [...tools, ...gone];
}

/** A member of a profile that two profiles have otherwise. */
export interface MemberChange {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

function toText(value: unknown): string {
  if (value === undefined) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Compared in parts of their own. */
const APART = new Set(["systemPrompt", "availableTools", "complianceSettings", "version"]);

/** Lists the members that differ, but for those that are compared apart. */
export function compareMembers(before: AgentInfo, after: AgentInfo): MemberChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !APART.has(name))
    .filter((name) => !isEqual(before[name], after[name]))
    .map((name) => ({ name, before: toText(before[name]), after: toText(after[name]) }));
}

/** Lists the settings of two profiles. */
export function compareSettings(
  before: AgentInfo | undefined,
  after: AgentInfo,
): (MemberChange & { readonly isChanged: boolean })[] {
  const [one, other] = [before?.complianceSettings, after.complianceSettings].map(
    (settings) => (settings ?? {}) as Readonly<Record<string, unknown>>,
  );
  const names = new Set([...Object.keys(other ?? {}), ...Object.keys(one ?? {})]);
  return [...names].map((name) => ({
    name,
    before: toText(one?.[name]),
    after: toText(other?.[name]),
    isChanged: before !== undefined && !isEqual(one?.[name], other?.[name]),
  }));
}

/** Lists the versions of profiles, the latest first. */
export function listVersions(profiles: readonly Profile[]): string[] {
  return [...new Set(profiles.map(({ agent }) => agent.version))];
}

/** Lists the profiles of a version with the members in which each differs from the one before it. */
export function listHistory(
  profiles: readonly Profile[],
  version: string,
): { readonly updatedAt: number; readonly changed: readonly string[] | undefined }[] {
  const own = profiles.filter(({ agent }) => agent.version === version);
  return own.map(({ updatedAt, agent }, index) => {
    const former = own[index + 1]?.agent;
    if (!former) return { updatedAt, changed: undefined };
    const names = new Set([...Object.keys(former), ...Object.keys(agent)]);
    return { updatedAt, changed: [...names].filter((name) => !isEqual(former[name], agent[name])) };
  });
}
