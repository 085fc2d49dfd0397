import type { Context, Hono } from "hono";
import { routePath } from "hono/route";
import type { Logger } from "../events/utility.ts";
import { BATCHES_PATH } from "../events/wire.ts";
import { toErrorName } from "../util/logger.ts";
import { storeUnavailable } from "./health-routes.ts";
import { isOtlpPath } from "./otlp/otlp-paths.ts";
import { toStatusResponse } from "./otlp/otlp-response.ts";
import { ProblemError, UploadBrokenError, toProblemResponse } from "./problem.ts";
import { readMediaType } from "./read-body.ts";
import { StoreError, toStoreError } from "./store/sql-database.ts";

function answerProblem(context: Context, problem: ProblemError): Response {
  return isOtlpPath(context.req.path)
    ? toStatusResponse(problem, readMediaType(context.req.raw))
    : toProblemResponse(problem);
}

/** Returns whether a request is the probe of `doctor`: it reads the batches path, and knows us by the refusal. */
function isInquiry({ req }: Context, { status }: ProblemError): boolean {
  return status === 405 && req.path === BATCHES_PATH && req.method === "GET";
}

const ERROR_CODE = /^[A-Z][A-Z0-9_]{0,63}$/;

/** Reads the code of an error, if it looks like one of Node.js or of a driver. */
function readErrorCode(error: Error): string | undefined {
  const code = "code" in error ? error.code : undefined;
  return typeof code === "string" && ERROR_CODE.test(code) ? code : undefined;
}

function toProblem(error: Error): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof UploadBrokenError) return new ProblemError("malformed_body", error.message);
  if (error instanceof StoreError) return storeUnavailable();
  return new ProblemError("internal_error", "see the log");
}

/** Answers what fails with a problem, and writes a line about it. */
export function addErrorAnswers(app: Hono, logger: Logger): void {
  app.notFound((context) => answerProblem(context, new ProblemError("not_found", "no such path")));
  app.onError((thrown, context) => {
    const error = toStoreError(thrown) as Error;
    const problem = toProblem(error);
    const place = `${context.req.method} ${routePath(context)}`;
    const line = `${place}: ${problem.status} ${problem.code}`;
    if (isInquiry(context, problem)) logger.debug(`${line}: ${problem.logged}`);
    else if (error instanceof ProblemError) logger.warn(`${line}: ${problem.logged}`);
    // Nothing failed on the server, and nothing can be done about it.
    else if (error instanceof UploadBrokenError) logger.debug(`${place}: ${error.message}`);
    else if (error instanceof StoreError) logger.error(`${line}: ${error.message}`);
    // Its message and its stack may hold content.
    else logger.error(`${line}: ${toErrorName(error)}`, { code: readErrorCode(error) });
    return answerProblem(context, problem);
  });
}
