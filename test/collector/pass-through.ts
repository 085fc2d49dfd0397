import assert from "node:assert/strict";
import type { Protocol } from "./application.ts";
import { applications, type Application } from "./applications.ts";
import { withChain, type Scenario } from "./scenario.ts";
import { verifyArrived } from "./verify.ts";

function passThrough(application: Application, protocol: Protocol): Scenario {
  return {
    name: `${application.name}, ${protocol}, agent and gateway`,
    run: (binary) =>
      withChain(binary, protocol, async ({ agent, receiver }) => {
        const start = performance.now();
        const ended = await application.run({ url: agent.url, protocol, receiver });
        const seconds = (performance.now() - start) / 1000;
        const { spans, records } = await verifyArrived(receiver, ended, application.naming);
        assert.equal(receiver.countDuplicates(), 0, "nothing comes twice while nobody fails");
        return `${spans} spans, ${records} log records in ${seconds.toFixed(1)} s`;
      }),
  };
}

/** What was sent is there when the sender has been answered, by id and once. */
export const passThroughScenarios: readonly Scenario[] = applications.flatMap((application) => [
  passThrough(application, "http/json"),
  passThrough(application, "http/protobuf"),
]);
