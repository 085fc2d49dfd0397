import type { FaultOrder } from "../../faults/faults.ts";
import type { Operations } from "../../operations/read-operations.ts";
import { deleteJson, getJson, postJson } from "../api.ts";

/** Loads how the platform does. */
export function loadOperations(): Promise<Operations> {
  return getJson("/api/operations");
}

/** Sets a fault. */
export function setFault(order: FaultOrder): Promise<object> {
  return postJson("/api/faults", order);
}

/** Takes all faults away. */
export function clearFaults(): Promise<object> {
  return deleteJson("/api/faults");
}
