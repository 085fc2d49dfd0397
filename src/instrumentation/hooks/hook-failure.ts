import { cutString } from "../../util/cut-string.ts";
import { readMember } from "../../util/read-member.ts";
import type { CallFailure } from "../fetch/call-failure.ts";
import { toText } from "../read-json.ts";
import { withoutCredentials } from "../fetch/without-credentials.ts";

const MAX_MESSAGE_LENGTH = 4096;
const MAX_TYPE_LENGTH = 128;

/** Describes what a library hands over as a failure: an `Error`, a text, an object of its own. */
export function toHookFailure(error: unknown): CallFailure {
  const name = toText(readMember(error, "name"));
  // Clients' errors are plain `Error`s by name; what they are, the class says.
  const className = toText(readMember(readMember(error, "constructor"), "name"));
  const isNamed = name !== undefined && name !== "Error" && name !== "Object";
  const type = isNamed ? name : (className ?? name);
  const message = typeof error === "string" ? error : toText(readMember(error, "message"));
  return {
    type: cutString(
      type === undefined || type === "Object" || type === "String" ? "Error" : type,
      MAX_TYPE_LENGTH,
    ),
    message: cutString(withoutCredentials(message ?? ""), MAX_MESSAGE_LENGTH),
  };
}
