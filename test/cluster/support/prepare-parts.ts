import type { TestProject } from "vitest/node";
import { prepareKafka } from "./kafka-files.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Class path of Apache Kafka; empty where it can't be had. */
    readonly kafkaClassPath: string;
  }
}

/** Gets Apache Kafka; where that fails it says so, unless `REQUIRE_CLUSTER` asks for it. */
export async function setup(project: TestProject): Promise<void> {
  try {
    project.provide("kafkaClassPath", await prepareKafka());
  } catch (error) {
    if (process.env["REQUIRE_CLUSTER"] === "1") throw error;
    const reason = error instanceof Error ? error.message : String(error);
    console.log(`the tests with brokers are left out: ${reason}`);
    project.provide("kafkaClassPath", "");
  }
}
