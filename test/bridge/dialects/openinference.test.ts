import { openInference } from "../../../src/bridge/dialects/openinference.ts";
import { testDialect } from "../../helpers/dialect-tester.ts";

testDialect(openInference);
