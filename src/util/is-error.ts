import { types } from "node:util";

/** Tells whether a value is an `Error`, one of another realm (`vm`, Jest) included; never throws. */
export function isError(value: unknown): value is Error {
  try {
    return types.isNativeError(value) || value instanceof Error;
  } catch {
    return false;
  }
}
