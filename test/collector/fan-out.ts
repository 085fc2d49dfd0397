import assert from "node:assert/strict";
import { SPAN_COUNT, type Ended } from "./application.ts";
import { monitorApplication, stockApplication, type Application } from "./applications.ts";
import { prepareCollector, type Collector } from "./collector.ts";
import { startOtherBackend, type Manner, type OtherBackend } from "./other-backend.ts";
import { startReceiver, type Receiver } from "./receiver.ts";
import { toReceiverEnvironment, type Scenario } from "./scenario.ts";
import { verifyArrived } from "./verify.ts";
import { until } from "./wait.ts";

interface FanOut {
  readonly collector: Collector;
  readonly receiver: Receiver;
  readonly other: OtherBackend;
}

async function withFanOut(
  binary: string,
  manner: Manner,
  use: (fanOut: FanOut) => Promise<string>,
): Promise<string> {
  const receiver = await startReceiver();
  const other = await startOtherBackend();
  other.manner = manner;
  const collector = await prepareCollector(binary, "fan-out.yaml", {
    ...toReceiverEnvironment(receiver),
    OTLP_ENCODING: "json",
    OTLP_OTHER_BACKEND: other.url,
  });
  try {
    await collector.start();
    return await use({ collector, receiver, other });
  } finally {
    await collector.kill();
    await other.close();
    await receiver.close();
  }
}

const DOINGS: Readonly<Record<Manner, string>> = {
  take: "takes everything",
  hang: "hangs",
  refuse: "refuses everything",
};

/** Sends through the fan-out and compares what the receiver has. */
async function deliver({ collector, receiver }: FanOut, application: Application): Promise<Ended> {
  const ended = await application.run({ url: collector.url, protocol: "http/protobuf", receiver });
  await verifyArrived(receiver, ended, application.naming);
  assert.equal(receiver.countDuplicates(), 0, "the other backend makes nobody send again");
  return ended;
}

function fanOut(application: Application, manner: Manner): Scenario {
  return {
    name: `${application.name}, fan-out, the other backend ${DOINGS[manner]}`,
    run: (binary) =>
      withFanOut(binary, manner, async (parts) => {
        await deliver(parts, application);
        const { other } = parts;
        if (manner === "take") {
          await until("the other backend has all spans", () => other.spans === SPAN_COUNT);
        } else {
          await until("the other backend was asked", () => other.requests > 0);
        }
        return `${SPAN_COUNT} spans at the platform, ${other.spans} at the other backend`;
      }),
  };
}

/** A queue in memory is no promise: this is why the way to the platform has none. */
function loseQueue(application: Application): Scenario {
  return {
    name: `${application.name}, fan-out killed while the other backend refuses`,
    run: (binary) =>
      withFanOut(binary, "refuse", async (parts) => {
        await deliver(parts, application);
        const { collector, receiver, other } = parts;
        await until("the other backend was asked", () => other.requests > 0);
        await collector.kill();
        other.manner = "take";
        await collector.start();
        // What it still had would be sent before anything new.
        await deliverOne(collector);
        await until("what came after is there", () => other.spans > 0);
        assert.equal(other.spans, 1, "what had waited in memory is gone");
        assert.equal(await receiver.countSpans(), SPAN_COUNT + 1);
        return `${SPAN_COUNT} spans at the platform, none of them at the other backend`;
      }),
  };
}

async function deliverOne({ url }: Collector): Promise<void> {
  const span = {
    traceId: "0af7651916cd43dd8448eb211c80319c",
    spanId: "b7ad6b7169203331",
    name: "after the restart",
    startTimeUnixNano: "1",
    endTimeUnixNano: "2",
  };
  const response = await fetch(`${url}/v1/traces`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
  });
  assert.equal(response.status, 200, await response.text());
}

/** Whatever the other backend does, the platform gets everything, once. */
export const fanOutScenarios: readonly Scenario[] = [
  fanOut(stockApplication, "take"),
  fanOut(stockApplication, "hang"),
  fanOut(monitorApplication, "hang"),
  fanOut(stockApplication, "refuse"),
  loseQueue(stockApplication),
];
