import { voltagent } from "../../../src/bridge/dialects/voltagent.ts";
import { testDialect } from "../../helpers/dialect-tester.ts";

testDialect(voltagent);
