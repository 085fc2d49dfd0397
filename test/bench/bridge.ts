import type { BridgeFigures } from "./bridge-figures.ts";
import { runSide } from "./run-side.ts";
import { median } from "./statistics.ts";

/** From process to process the ratio to JSON differs by a quarter: V8 compiles one side or the other better. */
const PROCESSES = 5;

/** Measures the bridge in processes of its own, one after the other; returns the middle of each figure. */
export async function benchBridge(): Promise<BridgeFigures> {
  const all: BridgeFigures[] = [];
  for (let index = 0; index < PROCESSES; index++)
    all.push(JSON.parse(await runSide("bridge-side")) as BridgeFigures);
  const middle = (read: (figures: BridgeFigures) => number): number => median(all.map(read));
  return {
    vsJson: middle(({ vsJson }) => vsJson),
    vsPeers: middle(({ vsPeers }) => vsPeers),
    vsForwarding: middle(({ vsForwarding }) => vsForwarding),
    nonLlmVsNoop: middle(({ nonLlmVsNoop }) => nonLlmVsNoop),
    micros: {
      json: middle(({ micros }) => micros.json),
      bridge: middle(({ micros }) => micros.bridge),
      bridgeOfAiSdk: middle(({ micros }) => micros.bridgeOfAiSdk),
      langfuse: middle(({ micros }) => micros.langfuse),
      openInference: middle(({ micros }) => micros.openInference),
      plain: middle(({ micros }) => micros.plain),
      noop: middle(({ micros }) => micros.noop),
    },
  };
}
