import { mcp } from "../../../src/bridge/dialects/mcp.ts";
import { testDialect } from "../../helpers/dialect-tester.ts";

testDialect(mcp);
