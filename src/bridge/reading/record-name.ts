import type { RecordLike } from "./record-exchanges.ts";

/** The name of a record's event: older producers write it as an attribute. */
export function toEventName({ eventName, attributes }: RecordLike): string {
  if (eventName) return eventName;
  const name = attributes["event.name"];
  return typeof name === "string" ? name : "";
}
