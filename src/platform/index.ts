// The local platform: receives data of the SDK and of OpenTelemetry's exporters, keeps it in SQLite or PostgreSQL and shows it in a
// browser. It may import the vocabulary (`events`, `util`) and the bridge only, and the SDK never imports it.
export { DEFAULT_PLATFORM_PORT, OTLP_PORT } from "./options.ts";
export type { Platform, PlatformOptions, PlatformStats } from "./options.ts";
export type { Filling, PastRequest, SendPast } from "./fill-database.ts";
export type { PlatformUser } from "./review/users.ts";
export type { KeyMaterial } from "../util/encryption-key.ts";
export type { FilledPlatform } from "./start-platform.ts";
export { startFilledPlatform, startPlatform } from "./start-platform.ts";
export type { Disposition, FindingSeverity, ReviewPolicy } from "./review/review-policy.ts";
export type { Sampling } from "./quality/sampling.ts";
export type {
  RetentionClass,
  RetentionOutcome,
  RetentionPolicy,
} from "./records/retention-policy.ts";
export type { Role } from "./review/roles.ts";
export type { OidcOptions } from "./sign-in/oidc-options.ts";
export type { EvaluationOptions } from "./evaluations/evaluation-options.ts";
export type { Webhook, WebhookEvent } from "./webhooks/webhook-options.ts";
export type { Gateway } from "./gateway/start-gateway.ts";
export { startGateway } from "./gateway/start-gateway.ts";
export type { GatewayOptions, GatewayTls } from "./gateway/gateway-options.ts";
export type { KafkaAccess } from "./kafka/kafka-options.ts";
export type { Archive } from "./archive/start-archive.ts";
export { startArchive } from "./archive/start-archive.ts";
export type { ArchiveOptions } from "./archive/archive-options.ts";
export type { ArchiveStats } from "./archive/archive-app.ts";
export type { S3Access } from "./archive/s3-address.ts";
export type { GatewayOrganization } from "./gateway/access.ts";
export type { ImportOptions, ImportReport } from "./store/import/import-database.ts";
export { importDatabase } from "./store/import/import-database.ts";
