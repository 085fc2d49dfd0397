import { strands } from "../../../src/bridge/dialects/strands.ts";
import { testDialect } from "../../helpers/dialect-tester.ts";

testDialect(strands);
