import { vercelAiSdk7 } from "../../../src/bridge/dialects/vercel-ai-sdk-7.ts";
import { testDialect } from "../../helpers/dialect-tester.ts";

testDialect(vercelAiSdk7);
