import type { CallOptions, ChatClient } from "../chat-client.ts";
import { toChatEvents, toCommonScenarios } from "../common-scenarios.ts";
import { readStream } from "../read-stream.ts";
import type { Kit, Scenario } from "../scenario.ts";
import { CARD_FOUND, OPENS, TOOL } from "../talk.ts";

const model = "gpt-5";
const tools = [
  {
    type: "function",
    name: TOOL.name,
    description: TOOL.description,
    parameters: TOOL.schema,
    strict: true,
  },
];
const toUser = (content: string): object => ({ role: "user", content });
const toAnswers = ({ output }: any): object[] =>
  output.map(({ call_id }: any) => ({
    type: "function_call_output",
    call_id,
    output: JSON.stringify(CARD_FOUND),
  }));

function toClient({ responses }: any, toOptions: (options?: CallOptions) => object): ChatClient {
  const create = (body: object, options?: CallOptions): Promise<any> =>
    responses.create({ model, ...body }, toOptions(options));
  return {
    chat: (question, options) => create({ input: question }, options),
    stream: (question, options) => create({ input: question, stream: true }, options),
    async tools(question) {
      const first = await create({ input: question, tools });
      const input = [toUser(question), ...first.output, ...toAnswers(first)];
      return [first, await create({ input, tools })];
    },
    async streamedTools(question) {
      const first = await readStream(create({ input: question, tools, stream: true }));
      const { response } = first.chunks.at(-1) as any;
      const input = [toUser(question), ...response.output, ...toAnswers(response)];
      return [first, await readStream(create({ input, tools, stream: true }))];
    },
    async turns(first, second) {
      const answer = await create({ input: first });
      return [answer, await create({ input: [toUser(first), ...answer.output, toUser(second)] })];
    },
  };
}

/** What can be done with `responses` of OpenAI's client. */
export function toResponsesScenarios(
  create: (kit: Kit) => any,
  toOptions: (options?: CallOptions) => object,
  leavesAborted: boolean,
): Scenario[] {
  const tokens = { input: 21, output: 11 };
  const common = toCommonScenarios((kit) => toClient(create(kit), toOptions), {
    tokens,
    errors: { 401: "invalid_request_error", 429: "server_error", 500: "server_error" },
    timeout: "TimeoutError",
    retries: true,
    leavesAborted,
  });
  const helper: Scenario = {
    name: "stream helper",
    async run(kit) {
      const stream = create(kit).responses.stream({ model, input: OPENS });
      return [await readStream(stream), await stream.finalResponse()];
    },
    events: toChatEvents(tokens),
  };
  return [...common, helper].map((each) => ({ ...each, name: `responses: ${each.name}` }));
}
