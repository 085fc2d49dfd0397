import { expect, it } from "vitest";
import { startLife } from "./support/child.ts";
import { startReceiver } from "./support/receiver.ts";
import { expectDelivered, toPlan } from "./support/scenario.ts";

/** All that a delivery says of itself. */
const HEADERS = [
  "accept",
  "authorization",
  "connection",
  "content-digest",
  "content-encoding",
  "content-length",
  "content-type",
  "host",
  "idempotency-key",
  "user-agent",
  "x-organization-id",
];

const FOREIGN = "secret-of-another-vendor";

it("sends its own headers and no other, whatever the environment holds for other exporters", async () => {
  const receiver = await startReceiver();
  const plan = toPlan(receiver);
  const elsewhere = "http://127.0.0.1:9";
  const child = startLife(plan, {
    env: {
      OTEL_EXPORTER_OTLP_HEADERS: `x-vendor-key=${FOREIGN},authorization=Bearer ${FOREIGN}`,
      OTEL_EXPORTER_OTLP_LOGS_HEADERS: `x-vendor-key=${FOREIGN}`,
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: `x-vendor-key=${FOREIGN}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: elsewhere,
      OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: elsewhere,
      OTEL_EXPORTER_OTLP_COMPRESSION: "none",
      OTEL_EXPORTER_OTLP_TIMEOUT: "1",
      OTEL_BLRP_SCHEDULE_DELAY: "3600000",
      OTEL_BLRP_MAX_QUEUE_SIZE: "1",
      OTEL_BLRP_MAX_EXPORT_BATCH_SIZE: "1",
      OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT: "0",
      OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT: "1",
      OTEL_RESOURCE_ATTRIBUTES: `vendor=${FOREIGN}`,
      OTEL_SDK_DISABLED: "true",
      HTTP_PROXY: elsewhere,
      http_proxy: elsewhere,
    },
  });
  await expectDelivered(receiver, child, plan);
  for (const { headers, batch } of receiver.arrivals) {
    expect(Object.keys(headers).toSorted()).toEqual(HEADERS);
    expect(headers.authorization).toBe("Bearer key");
    expect(JSON.stringify({ headers, batch })).not.toContain(FOREIGN);
  }
});
