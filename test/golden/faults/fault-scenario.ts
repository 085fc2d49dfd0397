import type { Stage } from "./stage.ts";

/** Something that goes wrong, and what the monitor does about it. */
export interface FaultScenario {
  readonly about: string;
  readonly play: (stage: Stage) => Promise<void>;
}
