import { genkit } from "../../../src/bridge/dialects/genkit.ts";
import { testDialect } from "../../helpers/dialect-tester.ts";

testDialect(genkit);
