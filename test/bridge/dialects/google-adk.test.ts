import { googleAdk } from "../../../src/bridge/dialects/google-adk.ts";
import { testDialect } from "../../helpers/dialect-tester.ts";

testDialect(googleAdk);
