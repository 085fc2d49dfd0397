import { anthropicSdk } from "../../../src/bridge/dialects/anthropic-sdk.ts";
import { testDialect } from "../../helpers/dialect-tester.ts";

testDialect(anthropicSdk);
