import type { Otel } from "./bundle.ts";

/** An application into which the packed package is installed. */
export interface App {
  readonly name: string;
  /** Major version of Node.js; that of this process, or one that is installed from the registry. */
  readonly node: 20 | 22 | 24 | 26;
  readonly otel: Otel;
  /** What it depends on before it knows of us. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** Packages of OpenTelemetry that may be added: none where the application's serve. */
  readonly mayAdd: readonly string[];
  /** Whether npm warns of a peer dependency that it overrides. */
  readonly warns: boolean;
  /** What the application adds to its package.json. */
  readonly overrides?: object;
}

const LINE_2 = { "@opentelemetry/api": "1.9.1", "@opentelemetry/sdk-node": "0.223.0" };
const LINE_3 = { "@opentelemetry/api": "1.10.0", "@opentelemetry/sdk-node": "0.301.0" };

/** Our own 2.x, beside the 3.x of the application: docs/decisions/0006-opentelemetry-lines.md says why. */
const OWN_SDK = [
  "api-logs",
  "context-async-hooks",
  "core",
  "exporter-logs-otlp-http",
  "exporter-trace-otlp-http",
  "otlp-exporter-base",
  "otlp-transformer",
  "resources",
  "sdk-logs",
  "sdk-metrics",
  "sdk-trace",
  "sdk-trace-base",
].map((name) => `@opentelemetry/${name}`);

/** Makes npm accept the API of 3.x for our 2.x packages, which work with it. */
const OVERRIDES = { "agent-monitor": { "@opentelemetry/api": "^1.10.0" } };

/** The applications, by what OpenTelemetry and what Node.js they are on. */
export const APPS: readonly App[] = [
  { name: "2.x", node: 20, otel: "2", dependencies: LINE_2, mayAdd: [], warns: false },
  { name: "2.x", node: 22, otel: "2", dependencies: LINE_2, mayAdd: [], warns: false },
  { name: "2.x", node: 24, otel: "2", dependencies: LINE_2, mayAdd: [], warns: false },
  { name: "2.x", node: 26, otel: "2", dependencies: LINE_2, mayAdd: [], warns: false },
  { name: "3.x", node: 24, otel: "3", dependencies: LINE_3, mayAdd: OWN_SDK, warns: true },
  {
    name: "3.x with overrides",
    node: 24,
    otel: "3",
    dependencies: LINE_3,
    mayAdd: OWN_SDK,
    warns: false,
    overrides: OVERRIDES,
  },
];
