import { vercelAiSdk } from "../../../src/bridge/dialects/vercel-ai-sdk.ts";
import { testDialect } from "../../helpers/dialect-tester.ts";

testDialect(vercelAiSdk);
