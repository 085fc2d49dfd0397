/*
 * Loaded before `agent-monitor/register`: a model that answers from memory, where the network would stand.
 */
import { answerChat, createLongChat } from "./model-answers.ts";

const LENGTH = 64 * 1024;
const answerLongChat = createLongChat(LENGTH);
const send = globalThis.fetch;

globalThis.fetch = (...args) => {
  const [input, init] = args;
  if (input instanceof Request || !String(input).includes("/chat/completions"))
    return send(...args);
  const isStreamed = typeof init?.body === "string" && init.body.includes('"stream":true');
  return Promise.resolve(isStreamed ? answerChat(true) : answerLongChat());
};
