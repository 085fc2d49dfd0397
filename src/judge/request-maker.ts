import type { ComplianceCategory } from "../events/compliance.ts";
import type { JudgeRequest } from "../config/judge-options.ts";
import { toFamilyPrompt, toJudgeRequest, type FamilyPrompt } from "./judge-request.ts";
import type { JudgeRule } from "./judge-rule.ts";
import type { JudgeTask } from "./judge-task.ts";
import type { JudgeWork } from "./judge-work.ts";
import { toSentExchange, type SentExchange } from "./sent-exchange.ts";
import type { JudgeUnit } from "./task-queue.ts";

/** A request, and the exchange that stands in it. */
export interface MadeRequest {
  readonly request: JudgeRequest;
  readonly sent: SentExchange;
}

/** Writes the requests for answers: prompts are made once, an exchange is prepared once for all its families. */
export class RequestMaker {
  readonly #work: Pick<JudgeWork, "rules" | "toVisible" | "options">;
  readonly #prompts = new Map<ComplianceCategory, FamilyPrompt>();
  #rules: readonly JudgeRule[] | undefined;
  /** Families of one answer follow each other. */
  #last: { readonly task: JudgeTask; readonly sent: SentExchange } | undefined;

  constructor(work: Pick<JudgeWork, "rules" | "toVisible" | "options">) {
    this.#work = work;
  }

  /** @throws RangeError when the family has no rules, and what reading the rules or the exchange throws. */
  make({ task, family }: Pick<JudgeUnit, "task" | "family">): MadeRequest {
    const sent = this.#toSent(task);
    return { request: toJudgeRequest(this.#toPrompt(family), sent), sent };
  }

  /** Lets go of what was prepared of an exchange. */
  forget(): void {
    this.#last = undefined;
  }

  #toSent(task: JudgeTask): SentExchange {
    if (this.#last?.task === task) return this.#last.sent;
    const { toVisible, options } = this.#work;
    const sent = toSentExchange(toVisible(task.exchange), options.maxTextLength);
    this.#last = { task, sent };
    return sent;
  }

  #toPrompt(family: ComplianceCategory): FamilyPrompt {
    const known = this.#prompts.get(family);
    if (known) return known;
    this.#rules ??= this.#work.rules();
    const rules = this.#rules.filter(({ category }) => category === family);
    if (rules.length === 0) throw new RangeError(`no rules of the family ${family}`);
    const prompt = toFamilyPrompt(family, rules);
    this.#prompts.set(family, prompt);
    return prompt;
  }
}
