import type { RuleCases } from "../../../src/compliance/verify-rule.ts";

// In parts, so that no scanner of repositories takes them for real ones.
const AWS_KEY = ["AKIA", "Q3EGRT7ZUVWX2YBC"].join("");
const MODEL_KEY = ["sk-proj", "abCD1234efGH5678ijKL9012mnOP"].join("-");
const WEB_TOKEN = [
  "eyJhbGciOiJIUzI1NiJ9",
  "eyJzdWIiOiI5ODc2In0",
  "dBjftJeZ4CVPmB92K27uhbUJU1p1",
].join(".");
const HEX_TOKEN = "9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c";
const KEY_BLOCK = [
  "-----BEGIN RSA PRIVATE",
  "KEY-----\nMIIEowIBAAKCAQEAx4Ui9kq1VtZ0pLw8nRb7sDcJm2\n-----END RSA PRIVATE KEY-----",
].join(" ");

function call(name: string, parameters: unknown, result: unknown = {}) {
  return { toolsUsed: [{ name, parameters, result, success: true }] };
}

export const cases: RuleCases = {
  violating: [
    {
      agentResponse: `Save this:\n${KEY_BLOCK}\nas key.pem.`,
      pattern: "private-key",
      detects: KEY_BLOCK,
    },
    {
      agentResponse: "It uses postgres://ledger:Wq7vHs29xTb@db.internal:5432/ledger.",
      pattern: "connection-string",
      detects: "Wq7vHs29xTb",
    },
    {
      agentResponse: `Post to https://hooks.slack.com/services/${["T00Q8RZ1", "B01XK2LM", "q8Rz1xK2lM7vHs29xTbWq7vH"].join("/")}`,
      pattern: "webhook",
    },
    { agentResponse: `The token is ${WEB_TOKEN}`, pattern: "web-token", detects: WEB_TOKEN },
    { agentResponse: `The key is ${AWS_KEY}.`, pattern: "vendor-key", detects: AWS_KEY },
    { userMessage: `why does ${MODEL_KEY} fail`, pattern: "vendor-key", severity: "warning" },
    {
      agentResponse: `Authorization: Bearer ${HEX_TOKEN}`,
      pattern: "bearer-token",
      detects: HEX_TOKEN,
    },
    {
      agentResponse: "export DB_PASSWORD=Tr0ub4dor&3x",
      pattern: "assignment",
      detects: "Tr0ub4dor&3x",
    },
    {
      agentResponse: "Server=db;User Id=sa;Password=Q7!kd92mZ;",
      pattern: "assignment",
      detects: "Q7!kd92mZ",
    },
    { agentResponse: '{"api_key": "9f8A7b6C5d4E3f2A1b0C"}', pattern: "assignment" },
    {
      ...call("http_request", {
        headers: [{ name: "authorization", value: `Bearer ${HEX_TOKEN}` }],
      }),
      pattern: "tool-parameter",
    },
    { ...call("query", { connection: { password: "Q7!kd92mZ" } }), pattern: "tool-parameter" },
  ],
  compliant: [
    { agentResponse: "Keys are kept in the vault." },
    { agentResponse: "password=YOUR_PASSWORD api_key=<your-key> token=${TOKEN}" },
    { agentResponse: "Password: must have 12 characters and one digit." },
    { agentResponse: "Set password=******** and reload." },
    { agentResponse: "postgres://user:password@localhost/db" },
    { agentResponse: "sk-xxxxxxxxxxxxxxxxxxxxxxxx" },
    { agentResponse: "-----BEGIN PUBLIC KEY-----" },
    { agentResponse: `The commit is ${HEX_TOKEN}9f8a7b6c.` },
    { agentResponse: "sha256: 5166204837105593820174659281736450192837465fe0a1b2c3d4e5f60718ab" },
    { agentResponse: "Session token: 9b2c1f10-77aa-4b1e-8d2e-0c9f5a1b2c3d" },
    { agentResponse: "https://bank.example/reset?token=expired" },
    { agentResponse: "Your security key: plug it in and tap." },
    call("list_payments", { page_token: "next" }),
    call("get_config", {}, { password: "Q7!kd92mZ" }),
    {},
  ],
};
