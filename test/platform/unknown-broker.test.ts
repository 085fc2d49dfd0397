import * as kafka from "@platformatic/kafka";
import { expect, it, onTestFinished } from "vitest";
import { guardConnections } from "../../src/platform/kafka/load-kafka.ts";

it("a client of Kafka fails where it would call a broker that it does not know", async () => {
  const options = { clientId: "test", groupId: "test", bootstrapBrokers: ["127.0.0.1:1"] };
  const client = guardConnections(new kafka.Consumer(options), kafka);
  onTestFinished(() => new Promise<void>((resolve) => client.close(true, () => resolve())));
  const gone = new Map<number, kafka.Broker>().get(1)!;
  const error = await new Promise<Error | null>((resolve) => {
    client[kafka.kGetConnection](gone, resolve);
  });
  expect(error).toMatchObject({ apiId: "BROKER_NOT_AVAILABLE" });
  const there = { nodeId: 1, host: "127.0.0.1", port: 1, rack: null };
  const refused = await new Promise<Error | null>((resolve) => {
    client[kafka.kGetConnection](there, resolve);
  });
  expect(refused).toMatchObject({ code: "PLT_KFK_NETWORK" });
});
