/** Path of the local platform that gives every batch as it was received, below its base URL. */
export const BATCH_EXPORT_PATH = "/api/batches/export";

/** Media type of an export: a line per batch. */
export const BATCH_LINES_MEDIA_TYPE = "application/x-ndjson";

/**
 * A line that holds a batch as Base64.
 *
 * JSON may have line breaks between its tokens; taken out, the checksum would be wrong.
 */
export interface WrappedBatch {
  readonly base64: string;
}
