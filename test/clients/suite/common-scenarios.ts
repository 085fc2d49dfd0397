import type { ChatClient, CreateChatClient } from "./chat-client.ts";
import { beginningOf, type EventLine, type Tokens } from "./event-line.ts";
import { readStream } from "./read-stream.ts";
import type { Kit, Scenario } from "./scenario.ts";
import {
  CARD,
  CARD_FOUND,
  CARD_IS,
  OPENS,
  OPENS_AT,
  SATURDAY,
  SATURDAY_AT,
  TOOL,
  withWords,
} from "./talk.ts";

/** What differs between clients in what the platform is told. */
export interface ChatTraits {
  readonly tokens: Tokens;
  /** Tokens of a stream; by default the same, `null` where streams tell none. */
  readonly streamTokens?: Tokens | null;
  /** Type of the error by its status. */
  readonly errors: Readonly<Record<401 | 429 | 500, string>>;
  /** Type of the error of a connection that is cut; by default that of undici. */
  readonly cut?: string;
  /** Type of the error when the client's time limit has passed; `undefined` where there is no limit. */
  readonly timeout?: string;
  /** Tokens of a call of which the server tells none; by default none. */
  readonly silentTokens?: Tokens;
  /** Tokens of a stream that is broken off; by default none. */
  readonly brokenTokens?: Tokens;
  /** Whether a client that is told to abort a stream cancels the answer, in place of aborting the request. */
  readonly leavesAborted?: boolean;
  /** Type of the error of a stream that is aborted; by default that of `fetch`. */
  readonly abortError?: string;
  /** Whether a client whose stream is left aborts the request, in place of cancelling the answer. */
  readonly abortsLeft?: boolean;
  /** Whether the client ends the request when its stream is left. */
  readonly cancels?: boolean;
  /** Whether it tries again when it is told to. */
  readonly retries?: boolean;
  /** Names of scenarios that the client has no means for. */
  readonly without?: readonly string[];
}

/** Text that is longer than what any buffer on the way holds. */
const LONG = 2000;
const LONG_TEXT = OPENS_AT.repeat(LONG).slice(0, LONG);
/** Characters that arrive before the server cuts the connection: two pieces. */
const CUT_AT = 24;
/** The least that clients tell the server in their headers, in which it is whole seconds. */
const TIMEOUT_MILLIS = 1000;

const asked = (text = OPENS): EventLine => ["user_message", text];
const answered = (text: unknown, tokens?: Tokens | null): EventLine =>
  tokens ? ["agent_response", text, tokens] : ["agent_response", text];

/** Events of a tool's run, from question to answer. */
export function toToolEvents(tokens?: Tokens | null, answer = CARD_IS): EventLine[] {
  return [
    asked(CARD),
    ["tool_call", TOOL.name, { card_id: "CARD-77" }],
    ["tool_result", TOOL.name, CARD_FOUND],
    answered(answer, tokens),
  ];
}

/** Events of one question and its answer. */
export function toChatEvents(
  tokens?: Tokens | null,
  question = OPENS,
  answer: unknown = OPENS_AT,
): EventLine[] {
  return [asked(question), answered(answer, tokens)];
}

/** Waits until the server has the request, then aborts it. */
async function abortWhenAsked(kit: Kit, controller: AbortController): Promise<void> {
  while (kit.server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  setTimeout(() => controller.abort(), 20);
}

/** Makes the scenarios that every chat client has, as far as it has the means. */
export function toCommonScenarios(create: CreateChatClient, traits: ChatTraits): Scenario[] {
  const { tokens, errors, without = [] } = traits;
  const streamTokens = traits.streamTokens === undefined ? tokens : traits.streamTokens;
  const scenarios: Scenario[] = [];
  const add = (
    name: string,
    run: (client: ChatClient, kit: Kit) => Promise<unknown>,
    events: readonly EventLine[],
    more: Partial<Scenario> = {},
  ): void => {
    if (without.includes(name)) return;
    scenarios.push({ name, run: (kit) => run(create(kit), kit), events, ...more });
  };

  add("chat", (client) => client.chat(OPENS), toChatEvents(tokens));
  add("stream", (client) => readStream(client.stream(OPENS)), toChatEvents(streamTokens));
  const inBytes = withWords("bytes=7,crlf");
  add(
    "stream in slices",
    (client) => readStream(client.stream(inBytes)),
    toChatEvents(streamTokens, inBytes),
  );
  const silent = withWords("no-usage");
  add(
    "chat without usage",
    (client) => client.chat(silent),
    toChatEvents(traits.silentTokens, silent),
  );
  add("tools", async (client) => client.tools?.(CARD), toToolEvents(tokens), { calls: 2 });
  add(
    "streamed tools",
    async (client) => client.streamedTools?.(CARD),
    toToolEvents(streamTokens),
    {
      calls: 2,
    },
  );
  add(
    "turns",
    async (client) => client.turns?.(OPENS, SATURDAY),
    [...toChatEvents(tokens), ...toChatEvents(tokens, SATURDAY, SATURDAY_AT)],
    { calls: 2 },
  );
  for (const status of [401, 429, 500] as const) {
    const question = withWords(`status=${status}`);
    const events: EventLine[] = [asked(question), ["error", errors[status]]];
    add(`${status}`, (client) => client.chat(question), events);
    add(`${status} of a stream`, (client) => readStream(client.stream(question)), events);
  }
  if (traits.retries) {
    const once = withWords("status=429,retry-after=0.01,times=1");
    add("retry", (client) => client.chat(once, { retries: 2 }), toChatEvents(tokens, once));
    const always = withWords("status=500,retry-after=0.01");
    add("retries in vain", (client) => client.chat(always, { retries: 1 }), [
      asked(always),
      ["error", errors[500]],
    ]);
  }
  addInterruptions(add, traits);
  return scenarios;
}

/**
 * Makes the scenarios of a stream that does not come to its end: a library's hook may never be told.
 *
 * @param calls - Spans of every kind.
 */
export function toBrokenScenarios(
  create: CreateChatClient,
  traits: ChatTraits,
  calls = 1,
): Scenario[] {
  return toCommonScenarios(create, traits)
    .filter(({ name }) => name === "break" || name === "abort of a stream")
    .map((scenario) => ({ ...scenario, calls, staysOpen: true, leavesSpans: true }));
}

function addInterruptions(
  add: (
    name: string,
    run: (client: ChatClient, kit: Kit) => Promise<unknown>,
    events: readonly EventLine[],
    more?: Partial<Scenario>,
  ) => void,
  traits: ChatTraits,
): void {
  const {
    timeout,
    cancels = true,
    cut = "UND_ERR_SOCKET",
    brokenTokens,
    leavesAborted,
    abortsLeft,
    abortError = "AbortError",
  } = traits;
  const cutQuestion = withWords("cut=2");
  add("cut", (client) => client.chat(cutQuestion), [asked(cutQuestion), ["error", cut]]);
  add("cut stream", (client) => readStream(client.stream(cutQuestion)), [
    asked(cutQuestion),
    ["error", cut, OPENS_AT.slice(0, CUT_AT)],
  ]);
  const toEvents = (isAnswer: boolean): EventLine[] =>
    isAnswer
      ? toChatEvents(brokenTokens, slow, beginning)
      : [asked(slow), ["error", abortError, beginning]];
  const slow = withWords(`slow=5,size=${LONG}`);
  const beginning = beginningOf(LONG_TEXT, 1);
  add(
    "break",
    (client) => readStream(client.stream(slow), { after: 8, action: "break" }),
    toEvents(!abortsLeft),
    cancels ? { outcome: "cancelled" } : { staysOpen: true },
  );
  add(
    "abort of a stream",
    (client) => {
      const controller = new AbortController();
      const { signal } = controller;
      const action = (): void => controller.abort();
      return readStream(client.stream(slow, { signal }), { after: 8, action });
    },
    toEvents(leavesAborted === true),
    { outcome: "cancelled" },
  );
  const hang = withWords("hang");
  add(
    "abort",
    (client, kit) => {
      const controller = new AbortController();
      void abortWhenAsked(kit, controller);
      return client.chat(hang, { signal: controller.signal });
    },
    [asked(hang), ["error", "AbortError"]],
    { outcome: "cancelled" },
  );
  if (timeout !== undefined) {
    const limit = { timeoutMillis: TIMEOUT_MILLIS };
    add("timeout", (client) => client.chat(hang, limit), [asked(hang), ["error", timeout]], {
      outcome: "cancelled",
    });
  }
}
