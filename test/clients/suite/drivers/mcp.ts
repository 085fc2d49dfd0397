import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { EventLine } from "../event-line.ts";
import type { Driver, Kit, Scenario } from "../scenario.ts";
import { CARD_FOUND, TOOL } from "../talk.ts";

/** Starts a server with one tool, and does something with a client that is connected to it. */
async function withClient(kit: Kit, use: (client: any) => Promise<unknown>): Promise<unknown> {
  const { modules, fetch, monitor } = kit;
  const { Client } = modules["sdk"];
  const { StreamableHTTPClientTransport } = modules["transport"];
  const { McpServer } = modules["server"];
  const { StreamableHTTPServerTransport } = modules["serverTransport"];
  const { z } = modules["zod"];
  const listener = createServer(async (request, response) => {
    const server = new McpServer({ name: "cards", version: "1.0.0" });
    const inputSchema = { card_id: z.string() };
    server.registerTool(
      TOOL.name,
      { description: TOOL.description, inputSchema },
      async (args: any) => {
        if (args.card_id === "") throw new Error("no card");
        return { content: [{ type: "text", text: JSON.stringify(CARD_FOUND) }] };
      },
    );
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await server.connect(transport);
    await transport.handleRequest(request, response);
  }).listen(0, "127.0.0.1");
  await once(listener, "listening");
  const url = new URL(`http://127.0.0.1:${(listener.address() as AddressInfo).port}/mcp`);
  const client = new Client({ name: "app", version: "1.0.0" });
  if (monitor) modules["hook"].observeMcpClient(monitor, client);
  try {
    await client.connect(new StreamableHTTPClientTransport(url, { ...(fetch && { fetch }) }));
    return await use(client);
  } finally {
    await client.close();
    listener.close();
    listener.closeAllConnections();
  }
}

const FAILED = { content: [{ type: "text", text: "no card" }], isError: true };

const call = (client: any, card_id: string): Promise<unknown> =>
  client.callTool({ name: TOOL.name, arguments: { card_id } });

/** Calls of tools are no model calls: the platform hears of them by a hook, not of their requests. */
const toScenario = (
  name: string,
  use: (client: any) => Promise<unknown>,
  events: readonly EventLine[] = [],
): Scenario => ({
  name,
  run: (kit) => withClient(kit, use),
  events,
  calls: events.length === 0 ? 0 : 1,
});

const toRun = (card_id: string, result: unknown): EventLine[] => [
  ["tool_call", TOOL.name, { card_id }],
  ["tool_result", TOOL.name, result],
];

/** The client of the Model Context Protocol, over HTTP. */
export const mcp: Driver = {
  takesFetch: true,
  scenarios: () => [
    toScenario("list of tools", (client) => client.listTools()),
    toScenario("tool", (client) => call(client, "CARD-77")),
    toScenario("tool that fails", (client) => call(client, "")),
    toScenario("tool that is not there", (client) => client.callTool({ name: "other" })),
  ],
  hookScenarios: () => [
    toScenario("tool", (client) => call(client, "CARD-77"), toRun("CARD-77", CARD_FOUND)),
    toScenario("tool that fails", (client) => call(client, ""), toRun("", FAILED)),
  ],
};
