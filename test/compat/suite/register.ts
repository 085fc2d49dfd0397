// Behind `--import agent-monitor/register`: a service that sets up nothing.
import { trace } from "@opentelemetry/api";
import { monitor } from "agent-monitor/register";
import { report, serveRequest } from "./support/application.ts";

serveRequest();
trace.getTracer("service").startSpan("last").end();
monitor?.trackUserMessage("assistant", "session-1", "Hello");
process.on("exit", () => report({ stats: monitor?.stats() }));
