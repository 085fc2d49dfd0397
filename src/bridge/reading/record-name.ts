import type { RecordLike } from "./record-exchanges.ts";
import { ATTR_EVENT_NAME } from "../../semconv.ts";

/** The name of a record's event: older producers write it as an attribute. */
export function toEventName({ eventName, attributes }: RecordLike): string {
  if (eventName) return eventName;
  const name = attributes[ATTR_EVENT_NAME];
  return typeof name === "string" ? name : "";
}
