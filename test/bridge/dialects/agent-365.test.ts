import { agent365 } from "../../../src/bridge/dialects/agent-365.ts";
import { testDialect } from "../../helpers/dialect-tester.ts";

testDialect(agent365);
