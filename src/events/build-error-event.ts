import { cutString } from "../util/cut-string.ts";
import { errorSeveritySchema } from "./base-event.ts";
import type { DetailedEvent } from "./detailed-event.ts";
import { describeError, type DescribedError } from "./error-description.ts";
import { MAX_NAME_LENGTH } from "./agent-facts.ts";
import { toContent, toFreeValue, type Build } from "./event-builder.ts";
import type { MetadataReader } from "./metadata-reader.ts";

function toErrorCode(described: DescribedError, metadata: MetadataReader): string | undefined {
  const given = metadata.peek("errorCode");
  if (typeof given !== "string" && typeof given !== "number") return described.code;
  metadata.take("errorCode");
  return String(given);
}

/** Builds an error event; what the metadata says of it wins over what the error says. */
export function buildError(
  ...[base, interaction, metadata, options]: Parameters<Build>
): DetailedEvent {
  const described = describeError(interaction.error);
  const severity = errorSeveritySchema.safeParse(metadata.peek("severity"));
  if (severity.success) metadata.take("severity");
  const recoverable = metadata.take("recoverable");
  const errorType = metadata.takeString("errorType") ?? described.type;
  const errorStack = metadata.takeString("errorStack") ?? described.stack;
  const errorCode = toErrorCode(described, metadata);
  if (described.cause !== undefined) {
    metadata.add("cause", toFreeValue(described.cause, options.maxLength, metadata));
  }
  if (described.original !== undefined) {
    metadata.add("originalError", toFreeValue(described.original, options.maxLength, metadata));
  }
  return Object.assign(base, {
    interactionType: "error",
    errorType: cutString(errorType, MAX_NAME_LENGTH),
    errorMessage: toContent(described.message, options.maxLength, metadata),
    errorStack:
      errorStack === undefined ? undefined : toContent(errorStack, options.maxLength, metadata),
    errorCode: errorCode === undefined ? undefined : cutString(errorCode, MAX_NAME_LENGTH),
    severity: severity.success ? severity.data : "medium",
    recoverable: typeof recoverable === "boolean" ? recoverable : true,
    metadata: metadata.rest(),
  } as const);
}
