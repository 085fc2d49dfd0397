import { traceloop } from "../../../src/bridge/dialects/traceloop.ts";
import { testDialect } from "../../helpers/dialect-tester.ts";

testDialect(traceloop);
