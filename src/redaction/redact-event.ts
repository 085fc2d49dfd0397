import type * as z from "zod";
import type { AgentInfo } from "../events/agent.ts";
import { isAgentId } from "../events/base-event.ts";
import { complianceFlagSchema, type ComplianceFlag } from "../events/compliance.ts";
import { addContentHash } from "../events/content-hash.ts";
import {
  eventSchemas,
  type AgentResponseEvent,
  type DetailedEvent,
} from "../events/detailed-event.ts";
import { isRecord } from "../util/values.ts";
import type { Redactor } from "./redactor.ts";
import { FAILURE_MARKER } from "./token.ts";

type Fields = Record<string, unknown>;

const IDENTIFIER_FIELDS = ["agentId", "sessionId", "userId", "conversationId", "requestId"];
/** Fields that may hold any text; the others are created here, or are numbers and enumerated words. */
const FREE_FIELDS = (
  "agentVersion content toolName toolCategory toolParameters toolResult toolError errorType " +
  "errorMessage errorStack errorCode violationType description ruleId"
).split(" ");

/** Redacts the metadata; a member that is invalid after redaction is moved to `invalidFields`. */
function redactMetadata(
  kind: DetailedEvent["interactionType"],
  metadata: Fields,
  redactor: Redactor,
): Fields {
  const redacted = redactor.value(metadata);
  if (redacted === metadata) return metadata;
  // Readers of the event must see that a finding is confidential even if its texts were removed.
  const marks = metadata["confidential"] === true ? { confidential: true } : {};
  // The metadata could not be redacted as a whole.
  if (!isRecord(redacted)) return { redacted, ...marks };
  const known = eventSchemas[kind].shape.metadata.unwrap().shape as Record<string, z.ZodType>;
  const invalid = Object.keys(known).filter(
    (name) =>
      Object.hasOwn(redacted, name) &&
      redacted[name] !== metadata[name] &&
      known[name]?.safeParse(redacted[name]).success !== true,
  );
  if (invalid.length === 0) return { ...redacted, ...marks };
  const kept = Object.entries(redacted).filter(([name]) => !invalid.includes(name));
  const aside = Object.fromEntries(invalid.map((name) => [name, redacted[name]]));
  return { ...Object.fromEntries(kept), invalidFields: aside, ...marks };
}

/** Redacts the texts of a finding; rule, category, severity and positions hold no text of the conversation. */
export function redactFlag(flag: ComplianceFlag, redactor: Redactor): ComplianceFlag {
  const { description, recommendation, context } = flag;
  const redacted: ComplianceFlag = {
    ...flag,
    description: redactor.text(description),
    ...(recommendation !== undefined && { recommendation: redactor.text(recommendation) }),
    ...(context && { context: redactor.value(context) }),
  };
  const isSame =
    redacted.description === description &&
    redacted.context === context &&
    redacted.recommendation === recommendation;
  if (isSame) return flag;
  const isConfidential = context?.["confidential"] === true;
  if (complianceFlagSchema.safeParse(redacted).success) {
    return isConfidential
      ? { ...redacted, context: { ...redacted.context, confidential: true } }
      : redacted;
  }
  const { context: _unreadable, ...bare } = redacted;
  return isConfidential ? { ...bare, context: { confidential: true } } : bare;
}

/** Returns the changes that redaction makes to the members of an answer alone. */
function redactAnswer(answer: AgentResponseEvent, redactor: Redactor): Partial<AgentResponseEvent> {
  const { complianceFlags, llmMetadata } = answer;
  const changes: Partial<AgentResponseEvent> = {};
  if (complianceFlags) {
    const flags = complianceFlags.map((flag) => redactFlag(flag, redactor));
    const isSame = flags.every((flag, index) => flag === complianceFlags[index]);
    if (!isSame) changes.complianceFlags = flags;
  }
  if (llmMetadata) {
    const model = redactor.text(llmMetadata.model);
    const provider = redactor.text(llmMetadata.provider);
    const isSame = model === llmMetadata.model && provider === llmMetadata.provider;
    if (!isSame) changes.llmMetadata = { ...llmMetadata, model, provider };
  }
  return changes;
}

/** Redacts an identifier; the result of the caller's function may be invalid. */
function toIdentifier(value: string, redactor: Redactor): string {
  const redacted = redactor.identifier(value);
  return isAgentId(redacted) ? redacted : FAILURE_MARKER;
}

/**
 * Returns the changes that redaction makes to the members common to all events; also for an object that only names an
 * event.
 */
export function redactMembers<T extends object>(given: T, redactor: Redactor): Partial<T> {
  const fields = given as Fields;
  const changes: Fields = {};
  const note = (field: string, redacted: unknown): void => {
    if (redacted !== fields[field]) changes[field] = redacted;
  };
  for (const field of IDENTIFIER_FIELDS) {
    const value = fields[field];
    if (typeof value === "string") note(field, toIdentifier(value, redactor));
  }
  for (const field of FREE_FIELDS) {
    if (fields[field] !== undefined) note(field, redactor.value(fields[field]));
  }
  return changes as Partial<T>;
}

function redactFields(event: DetailedEvent, redactor: Redactor): Fields {
  const { interactionType: kind, metadata } = event;
  const redacted = metadata && redactMetadata(kind, metadata, redactor);
  return {
    ...redactMembers(event, redactor),
    ...(redacted !== metadata && { metadata: redacted }),
    ...(event.interactionType === "agent_response" && redactAnswer(event, redactor)),
  };
}

/** Hashes the redacted text, unless the text was cut; `contentLength` stays the original's. */
function setContentHash(event: DetailedEvent, isWhole: boolean): void {
  if (event.interactionType !== "user_message" && event.interactionType !== "agent_response")
    return;
  const { contentLength } = event;
  delete event.contentHash;
  if (!isWhole) return;
  event.contentLength = event.content.length;
  addContentHash(event);
  event.contentLength = contentLength;
}

/**
 * Redacts an event for destinations without sensitive values; never throws.
 *
 * `contentHash` is computed over the redacted text; `contentLength` and the positions in findings stay the original's.
 *
 * @returns The event itself if nothing is found, else a copy.
 */
export function redactEvent(event: DetailedEvent, redactor: Redactor): DetailedEvent {
  const changes = redactFields(event, redactor);
  if (Object.keys(changes).length === 0) return event;
  const { content, contentLength } = event as Fields;
  const isWhole = typeof content === "string" && content.length === contentLength;
  const redacted: DetailedEvent = { ...event, ...changes };
  if ("content" in changes) setContentHash(redacted, isWhole);
  return redacted;
}

/** Redacts the profile of an agent, its prompt and tools included. */
export function redactAgent(agent: AgentInfo, redactor: Redactor): AgentInfo {
  const { id, name, version, llmProvider, model, description, systemPrompt, ...rest } = agent;
  const { category, specialty, complianceSettings, availableTools, ...others } = rest;
  return {
    // The application's own members may hold any value.
    ...redactor.value(others),
    category,
    ...(specialty && { specialty }),
    ...(complianceSettings && { complianceSettings }),
    id: toIdentifier(id, redactor),
    name: redactor.text(name) || FAILURE_MARKER,
    version: redactor.text(version) || FAILURE_MARKER,
    llmProvider: redactor.text(llmProvider) || FAILURE_MARKER,
    model: redactor.text(model) || FAILURE_MARKER,
    description: redactor.text(description),
    ...(systemPrompt !== undefined && { systemPrompt: redactor.text(systemPrompt) }),
    ...(availableTools && { availableTools: redactor.value(availableTools) }),
  };
}
