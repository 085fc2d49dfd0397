import { toAnswer } from "./answer.ts";
import { PLAIN, toBehaviour, type Behaviour } from "./behaviour.ts";
import type { ModelAnswer, ModelRequest } from "./protocol.ts";
import type { ScriptedTurn } from "./script.ts";

/** What a server does next, and what it did so far. */
export class ScriptFollower {
  readonly #turns: readonly ScriptedTurn[];
  /** How often each group of words was followed. */
  readonly #followed = new Map<string, number>();
  #answers = 0;

  constructor(turns: readonly ScriptedTurn[]) {
    this.#turns = turns;
  }

  /** Reads the words of a request; words that were followed often enough mean nothing any more. */
  toBehaviour(words: string): Behaviour {
    const behaviour = toBehaviour(words);
    const followed = this.#followed.get(words) ?? 0;
    this.#followed.set(words, followed + 1);
    return followed < behaviour.times ? behaviour : PLAIN;
  }

  /** Decides what the model says; every answer has an id of its own. */
  toAnswer(request: ModelRequest, behaviour: Behaviour): ModelAnswer {
    return toAnswer(request, behaviour, this.#turns, String(++this.#answers));
  }
}
