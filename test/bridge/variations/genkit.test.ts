import { describe, expect, it } from "vitest";
import { replaySpans } from "./span-set.ts";

const json = JSON.stringify;

describe("Genkit", () => {
  it("tells a flow that calls a model with a tool", () => {
    const action = (type: string, name: string, input: unknown, output: unknown) => ({
      "genkit:type": "action",
      "genkit:metadata:subtype": type,
      "genkit:name": name,
      "genkit:input": json(input),
      "genkit:output": json(output),
      "genkit:state": "success",
    });
    const request = { toolRequest: { ref: "k", name: "get_fee", input: { a: 1 } } };
    const response = { toolResponse: { ref: "k", name: "get_fee", output: { fee: 0 } } };
    const user = { role: "user", content: [{ text: "Fee?" }] };
    const { lines } = replaySpans([
      {
        id: "flow",
        scope: "genkit-tracer",
        at: 0,
        until: 90,
        attributes: action("flow", "fees", "Fee?", "None."),
      },
      {
        id: "m1",
        parent: "flow",
        scope: "genkit-tracer",
        at: 1,
        until: 9,
        attributes: action(
          "model",
          "googleai/gemini-2.5-flash",
          { messages: [user] },
          { message: { role: "model", content: [request] }, finishReason: "stop" },
        ),
      },
      {
        id: "t",
        parent: "flow",
        scope: "genkit-tracer",
        at: 10,
        until: 20,
        attributes: action("tool", "get_fee", { a: 1 }, { fee: 0 }),
      },
      {
        id: "m2",
        parent: "flow",
        scope: "genkit-tracer",
        at: 30,
        until: 39,
        attributes: action(
          "model",
          "googleai/gemini-2.5-flash",
          {
            messages: [
              user,
              { role: "model", content: [request] },
              { role: "tool", content: [response] },
            ],
          },
          { message: { role: "model", content: [{ text: "None." }] }, finishReason: "stop" },
        ),
      },
    ]);
    expect(lines).toEqual([
      "user_message Fee?",
      'tool_call get_fee {"a":1}',
      'tool_result get_fee {"fee":0}',
      "agent_response None.",
    ]);
  });
});
