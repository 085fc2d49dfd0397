import { prepareCollector, type Collector } from "./collector.ts";
import { CREDENTIALS, startReceiver, type Receiver } from "./receiver.ts";
import type { Protocol } from "./application.ts";

/** Something that is tried, and the figures that it gives; it throws when something is not as it should be. */
export interface Scenario {
  readonly name: string;
  /** Whether it takes seconds, so that each run of all tests has it. */
  readonly isSmall?: boolean;
  /** @param binary - Path of a collector. */
  run(binary: string): Promise<string>;
}

/** How a collector writes what OpenTelemetry's SDKs call so. */
function toEncoding(protocol: Protocol): string {
  return protocol === "http/json" ? "json" : "proto";
}

/** What a collector needs to deliver to a receiver. */
export function toReceiverEnvironment(receiver: Receiver): Record<string, string> {
  return {
    OTLP_PLATFORM: receiver.url,
    AGENT_MONITOR_API_KEY: CREDENTIALS.apiKey,
    AGENT_MONITOR_ORGANIZATION_ID: CREDENTIALS.organizationId,
  };
}

/** Two collectors one behind the other, and the receiver behind both. */
export interface Chain {
  readonly agent: Collector;
  readonly gateway: Collector;
  readonly receiver: Receiver;
}

/** Starts agent, gateway and receiver, hands them over, and ends them. */
export async function withChain<Result>(
  binary: string,
  protocol: Protocol,
  use: (chain: Chain) => Promise<Result>,
): Promise<Result> {
  const receiver = await startReceiver();
  const encoding = { OTLP_ENCODING: toEncoding(protocol) };
  const gateway = await prepareCollector(binary, "gateway.yaml", {
    ...toReceiverEnvironment(receiver),
    ...encoding,
  });
  const agent = await prepareCollector(binary, "agent.yaml", {
    OTLP_GATEWAY: gateway.url,
    ...encoding,
  });
  try {
    await gateway.start();
    await agent.start();
    return await use({ agent, gateway, receiver });
  } finally {
    await agent.kill();
    await gateway.kill();
    await receiver.close();
  }
}
