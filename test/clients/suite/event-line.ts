/** Tokens of one call, as events tell them. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
}

/** What an event says, without ids and times; see {@link toEventLine}. */
export type EventLine = readonly [type: string, ...said: readonly unknown[]];

/** Stands in an expected line for text that must be the beginning of another one, at least so long. */
export interface Beginning {
  readonly beginningOf: string;
  readonly atLeast: number;
}

/** Gives the expected beginning of a text. */
export function beginningOf(text: string, atLeast = 1): Beginning {
  return { beginningOf: text, atLeast };
}

const omitUndefined = (line: readonly unknown[]): EventLine =>
  line.slice(0, line.findLastIndex((each) => each !== undefined) + 1) as unknown as EventLine;

/** Writes an event as it came over the wire as one line. */
export function toEventLine(event: any): EventLine {
  const { interactionType: type, metadata } = event;
  switch (type) {
    case "user_message":
      return [type, event.content];
    case "agent_response":
      return omitUndefined([type, event.content, toTokens(event)]);
    case "tool_call":
      return [type, event.toolName, event.toolParameters];
    case "tool_result":
      return [type, event.toolName, event.toolResult];
    case "error":
      return omitUndefined([type, event.errorType, metadata?.partialContent]);
    default:
      return [type];
  }
}

function toTokens({ llmMetadata, metadata }: any): Tokens | undefined {
  const used = llmMetadata?.tokensUsed ?? metadata?.tokensUsed;
  return used && { input: used.input, output: used.output };
}

function isBeginning(value: unknown): value is Beginning {
  return typeof value === "object" && value !== null && "beginningOf" in value;
}

function fits(found: unknown, expected: unknown): boolean {
  if (!isBeginning(expected)) return JSON.stringify(found) === JSON.stringify(expected);
  return (
    typeof found === "string" &&
    expected.beginningOf.startsWith(found) &&
    found.length >= expected.atLeast
  );
}

/** Tells whether events are exactly those that are expected, in their order. */
export function areExpected(found: readonly EventLine[], expected: readonly EventLine[]): boolean {
  return (
    found.length === expected.length &&
    found.every((line, index) => {
      const { length } = expected[index]!;
      return line.length === length && line.every((said, at) => fits(said, expected[index]![at]));
    })
  );
}
