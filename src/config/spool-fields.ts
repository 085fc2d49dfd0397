import * as z from "zod";
import { sharedSecretSchema } from "../events/protection.ts";
import { bounded } from "./bounded.ts";

/** Failures that events survive, the least first. */
const DURABILITIES = ["memory", "process", "power"] as const;

const MEBIBYTE = 1024 * 1024;

/** Configuration fields of the spool. */
export const toSpoolFields = () => ({
  spoolDirectory: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Directory that keeps events until they are delivered. Default: none, events are kept in memory.",
    ),
  durability: z
    .enum(DURABILITIES)
    .optional()
    .describe(
      "What events outlive: `memory` nothing, `process` the end of the process, `power` a power cut as well. Default: `process` with a `spoolDirectory`, else `memory`.",
    ),
  maxSpoolBytes: bounded(z.int(), { min: 64 * 1024, default: 1024 * MEBIBYTE }).describe(
    "Bytes of all writers in the directory; the newest event beyond it is refused and counted.",
  ),
  maxSpoolAge: bounded(z.number(), { min: 60_000, default: 7 * 24 * 3_600_000 }).describe(
    "Time in ms after which an undelivered event on disk is given up and counted; in memory none is for its age.",
  ),
  spoolKey: sharedSecretSchema()
    .optional()
    .describe(
      "Encrypts what is on disk with AES-256-GCM: Base64 of at least 32 bytes, else text of that length.",
    ),
});
