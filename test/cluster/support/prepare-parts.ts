import type { TestProject } from "vitest/node";
import { prepareKafka } from "./kafka-files.ts";
import { prepareLintTools } from "./lint-tools.ts";
import { prepareS3 } from "./s3-files.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Class path of Apache Kafka; empty where it can't be had. */
    readonly kafkaClassPath: string;
    /** A server of S3; empty where it can't be had. */
    readonly s3Server: string;
    /** Linters of what deploys; empty where they can't be had. */
    readonly lintTools: string;
  }
}

/** Gets a part; where that fails it says so, unless `REQUIRE_CLUSTER` asks for it. */
async function prepare(prepared: Promise<string>, leftOut: string): Promise<string> {
  try {
    return await prepared;
  } catch (error) {
    if (process.env["REQUIRE_CLUSTER"] === "1") throw error;
    const reason = error instanceof Error ? error.message : String(error);
    console.log(`${leftOut} are left out: ${reason}`);
    return "";
  }
}

/** Gets Apache Kafka, a server of S3, and linters. */
export async function setup(project: TestProject): Promise<void> {
  project.provide("kafkaClassPath", await prepare(prepareKafka(), "the tests with brokers"));
  project.provide("s3Server", await prepare(prepareS3(), "the tests with S3"));
  project.provide("lintTools", await prepare(prepareLintTools(), "the linters of examples/deploy"));
}
