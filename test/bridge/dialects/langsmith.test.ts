import { langsmith } from "../../../src/bridge/dialects/langsmith.ts";
import { testDialect } from "../../helpers/dialect-tester.ts";

testDialect(langsmith);
