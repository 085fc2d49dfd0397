/** How a server behaves towards one request, beside what the model says. */
export interface Behaviour {
  /** Answers with this status instead of 200. */
  readonly status: number;
  /** Value of `Retry-After`, for a status that isn't 200. */
  readonly retryAfter?: string;
  /** How many requests with these words behave so; those after them get the plain answer. */
  readonly times: number;
  /** Cuts the connection after so many pieces of text, at the latest before the last frame. */
  readonly cut?: number;
  /** Says an error after so many pieces of text of a stream, and ends it. */
  readonly fail?: number;
  /** Writes streams in slices of so many bytes, which cut lines and code points. */
  readonly bytes?: number;
  /** Milliseconds before every frame of a stream. */
  readonly slow: number;
  /** Makes the text of the answer so many characters long. */
  readonly size?: number;
  /** Characters of text in one frame. */
  readonly piece: number;
  readonly usage: boolean;
  /** The content type that is said, whatever the body is. */
  readonly type?: string;
  /** Sends a page of HTML instead of JSON. */
  readonly html: boolean;
  /** Compresses whole bodies. */
  readonly gzip: boolean;
  /** Never answers. */
  readonly hang: boolean;
  /** Ends lines of event streams as Windows does, with comments between the events. */
  readonly crlf: boolean;
}

export const PLAIN: Behaviour = {
  status: 200,
  times: Infinity,
  slow: 0,
  piece: 12,
  usage: true,
  html: false,
  gzip: false,
  hang: false,
  crlf: false,
};

const WORD = /^(?<name>[a-z-]+)(?:=(?<value>.+))?$/;
const IN_PROMPT = /\[\[(?<words>[^\]]*)\]\]/;

function toMember(word: string): Partial<Behaviour> {
  const { name = "", value = "" } = WORD.exec(word.trim())?.groups ?? {};
  switch (name) {
    case "status":
    case "times":
    case "cut":
    case "fail":
    case "bytes":
    case "slow":
    case "size":
    case "piece":
      return { [name]: Number(value) };
    case "retry-after":
      return { retryAfter: value };
    case "type":
      return { type: value };
    case "no-usage":
      return { usage: false };
    case "html":
    case "gzip":
    case "hang":
    case "crlf":
      return { [name]: true };
    default:
      throw new Error(`Expected a word that behaviour.ts knows, got "${word}".`);
  }
}

/**
 * Finds the words that say how to behave: in the header `x-model-script`, the query member `script`, or
 * in the user's message between `[[` and `]]`; `""` for none.
 *
 * @example "When does the Delft branch open? [[status=429, retry-after=1, times=2]]"
 */
export function findWords(header: unknown, query: string | null, question: string): string {
  if (typeof header === "string") return header;
  return query ?? IN_PROMPT.exec(question)?.groups?.["words"] ?? "";
}

/** Reads words such as `cut=2, slow=5`. */
export function toBehaviour(words: string): Behaviour {
  const members = words.split(",").filter((word) => word.trim() !== "");
  return Object.assign({}, PLAIN, ...members.map(toMember)) as Behaviour;
}
