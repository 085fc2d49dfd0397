import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { createOtlpTransport, type OtlpTransport } from "../../src/otlp/otlp-transport.ts";
import { systemClock, type Clock } from "../../src/util/clock.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function connect(listener: RequestListener, clock: Clock): Promise<OtlpTransport> {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => listener(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`;
  const endpoint = { url, protocol: "http/json", headers: {}, timeoutMillis: 300 } as const;
  const transport = createOtlpTransport(endpoint, clock, () => 0);
  closers.push(() => {
    transport.shutdown();
    server.closeAllConnections();
    server.close();
  });
  return transport;
}

it("takes a status for the answer when its body never ends: what was taken is not sent again", async () => {
  let requests = 0;
  const transport = await connect((_, response) => {
    requests++;
    response.writeHead(200);
    response.write("{");
  }, systemClock);
  expect(await transport.send(Buffer.from("{}"), 300)).toMatchObject({ status: "success" });
  expect(requests).toBe(1);
});

it.each([
  ["0", [1000, 2000, 4000, 8000, 8000]],
  ["Thu, 01 Jan 1970 00:00:00 GMT", [1000, 2000, 4000, 8000, 8000]],
  ["3", [3000, 3000, 4000, 8000, 8000]],
  ["60", []],
])("waits longer from retry to retry, whatever Retry-After says: %s", async (asked, expected) => {
  const waits: number[] = [];
  let time = 0;
  const clock: Clock = {
    ...systemClock,
    monotonic: () => time,
    schedule(callback, delayMillis) {
      waits.push(delayMillis);
      time += delayMillis;
      return systemClock.schedule(callback, 0);
    },
  };
  const transport = await connect((_, response) => {
    response.writeHead(503, { "retry-after": asked }).end();
  }, clock);
  expect(await transport.send(Buffer.from("{}"), 300)).toEqual({
    status: "failure",
    error: new Error("HTTP 503"),
  });
  expect(waits).toEqual(expected);
});

it("sends nothing that was begun before it was told to stop", async () => {
  let requests = 0;
  const transport = await connect((_, response) => {
    requests++;
    response.end();
  }, systemClock);
  const sent = transport.send(Buffer.from("{}"), 300);
  transport.abort();
  expect(await sent).toEqual({ status: "failure", error: new Error("aborted") });
  expect(requests).toBe(0);
  expect(await transport.send(Buffer.from("{}"), 300)).toMatchObject({ status: "success" });
});
