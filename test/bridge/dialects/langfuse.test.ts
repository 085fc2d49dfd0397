import { langfuse } from "../../../src/bridge/dialects/langfuse.ts";
import { testDialect } from "../../helpers/dialect-tester.ts";

testDialect(langfuse);
