import { type AgentInfo, agentInfoSchema } from "../events/agent.ts";
import { ProblemError } from "./problem.ts";
import type { JsonBody } from "./read-body.ts";
import { toProblemDetails, verifyMembers } from "./validate-batch.ts";

/** Reads an agent's profile; throws a problem where it is invalid. */
export function readAgent({ bytes, value }: JsonBody): AgentInfo {
  verifyMembers(bytes, Object.keys(agentInfoSchema.shape));
  const parsed = agentInfoSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = toProblemDetails(parsed.error.issues);
  throw new ProblemError("invalid_agent", "the agent's profile is invalid", { errors });
}

function decodeId(url: string): string | undefined {
  // The last segment of the undecoded path: a decoded `/` must not end it.
  const segment = new URL(url).pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** Throws a problem where an agent is not the one that the address names. */
export function verifyAgentPath({ id }: AgentInfo, url: string): void {
  if (decodeId(url) === id) return;
  const detail = "differs from the id in the path";
  const errors = [{ pointer: "/id", code: "id_mismatch", detail }];
  throw new ProblemError("invalid_agent", `the id ${detail}`, { errors });
}
