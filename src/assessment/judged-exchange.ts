import type { CustomerProfile, InteractionContext } from "../events/compliance.ts";
import type { SentTurn, WholeExchange } from "../judge/sent-exchange.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { renumberTokens } from "../redaction/token.ts";

/** Gives what rules are told of the case; ids say nothing. */
export function toFacts({
  transactionContext,
  customerProfile,
  riskFactors,
}: Pick<InteractionContext, "transactionContext" | "riskFactors"> & {
  readonly customerProfile?: Partial<CustomerProfile> | undefined;
}): Readonly<Record<string, unknown>> | undefined {
  const { customerId: _customer, ...profile } = customerProfile ?? {};
  const { transactionId: _transaction, ...transaction } = transactionContext ?? {};
  const facts = {
    ...(Object.keys(transaction).length > 0 && { transaction }),
    ...(Object.keys(profile).length > 0 && { customer: profile }),
    ...(riskFactors && riskFactors.length > 0 && { riskFactors }),
  };
  return Object.keys(facts).length > 0 ? facts : undefined;
}

/** What a judge may see of an exchange: its texts, the calls of tools, what is known of the case, and the turns before it. */
export function toWholeExchange(
  context: InteractionContext,
  earlier: readonly SentTurn[],
): WholeExchange {
  const { userMessage, agentResponse = "", toolsUsed } = context;
  return {
    facts: toFacts(context),
    earlier: earlier.map((turn) => ({
      userMessage: turn.userMessage,
      agentResponse: turn.agentResponse,
    })),
    userMessage,
    toolsUsed,
    agentResponse,
  };
}

/**
 * Takes out what sensitive values an exchange holds.
 *
 * Tokens are numbered in the order in which they stand, `[CARD:1]`: those of a redactor differ from process to process, and
 * the same exchange must be the same question.
 */
export function redactExchange(exchange: WholeExchange, redactor: Redactor): WholeExchange {
  return renumberTokens(redactor.value(exchange));
}
