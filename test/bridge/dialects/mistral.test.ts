import { mistral } from "../../../src/bridge/dialects/mistral.ts";
import { testDialect } from "../../helpers/dialect-tester.ts";

testDialect(mistral);
