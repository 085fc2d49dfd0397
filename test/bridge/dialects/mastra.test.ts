import { mastra } from "../../../src/bridge/dialects/mastra.ts";
import { testDialect } from "../../helpers/dialect-tester.ts";

testDialect(mastra);
