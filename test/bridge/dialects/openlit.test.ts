import { openlit } from "../../../src/bridge/dialects/openlit.ts";
import { testDialect } from "../../helpers/dialect-tester.ts";

testDialect(openlit);
