import { sentry } from "../../../src/bridge/dialects/sentry.ts";
import { testDialect } from "../../helpers/dialect-tester.ts";

testDialect(sentry);
