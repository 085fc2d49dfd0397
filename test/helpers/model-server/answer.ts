import type { Behaviour } from "./behaviour.ts";
import { toPieces, type ModelAnswer, type ModelRequest } from "./protocol.ts";
import { MODEL_USAGE, OTHER_ANSWER, type ScriptedTurn } from "./script.ts";

function toSized(text: string, size: number | undefined): string {
  return size === undefined ? text : text.repeat(Math.ceil(size / text.length)).slice(0, size);
}

/** Decides what the model says: its tools are called before any result of one came, else it answers. */
export function toAnswer(
  request: ModelRequest,
  { size, piece, usage }: Behaviour,
  script: readonly ScriptedTurn[],
  id: string,
): ModelAnswer {
  const turn = script.find(({ question }) => request.question.includes(question));
  const calls = (request.toolResults > 0 ? [] : (turn?.calls ?? [])).filter(({ name }) =>
    request.toolNames.includes(name),
  );
  const text = toSized(turn?.answer ?? OTHER_ANSWER, size);
  return {
    id,
    model: request.model,
    text: calls.length > 0 ? "" : text,
    pieces: () => toPieces(text, piece),
    // Mistral wants nine characters.
    calls: calls.map((call, index) => ({ ...call, id: `call${id.padStart(4, "0")}${index}` })),
    usage: usage ? MODEL_USAGE : undefined,
  };
}
