import { otelGenAi } from "../../../src/bridge/dialects/otel-gen-ai.ts";
import { testDialect } from "../../helpers/dialect-tester.ts";

testDialect(otelGenAi);
