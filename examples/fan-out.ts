import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { AgentMonitor } from "agent-monitor";

/** Stands in for an OTLP/HTTP backend, so that the example runs offline. */
async function startBackend(name: string) {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      const isVisible = body.includes("Did my salary arrive?");
      console.log(`${name}: ${request.url}, messages ${isVisible ? "included" : "left out"}`);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
}

const operations = await startBackend("operations");
const review = await startBackend("model review");

// #region destinations
const monitor = new AgentMonitor({
  environment: "development",
  otlp: [
    // Spans and log records, but no message, tool argument or error text.
    { url: operations.url, content: "none" },
    // Log records with everything; its key is sent to no other destination.
    { url: review.url, content: "full", signals: ["logs"], headers: { "x-api-key": "review-key" } },
  ],
});
// #endregion destinations

monitor.trackUserMessage("personal-banking", "session-2043", "Did my salary arrive?");
monitor.trackAgentResponse(
  "personal-banking",
  "session-2043",
  "Yes, $4,250.00 arrived on 18 November.",
);
monitor.trackConversationEnd("personal-banking", "session-2043", { resolutionStatus: "resolved" });

// Sends to both backends and to the platform; neither waits for the other.
await monitor.shutdown();
console.log(`platform: ${monitor.stats().acked} events`);
operations.close();
review.close();
