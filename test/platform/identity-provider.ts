import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from "jose";
import { Provider } from "oidc-provider";

/** A client that the provider knows. */
export const CLIENT = { id: "agent-monitor", secret: "a-secret-of-the-platform" };

/** Who has an account, with their groups; no password is asked for. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  anna: ["staff", "reviewers"],
  cara: ["reviewers", "supervisors"],
  otto: ["staff"],
};

/** A provider of OpenID Connect on loopback. */
export interface IdentityProvider {
  readonly issuer: string;
  /** Changes the claims of the next ID tokens, and signs them with the provider's own key. */
  tamper: ((claims: JWTPayload) => JWTPayload) | undefined;
  /** Whether the next ID tokens are signed with a key that the provider does not have. */
  hasStrangeKey: boolean;
  /** Closes the port. */
  close(): Promise<void>;
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function createKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: "key-1", alg: "RS256", use: "sig" };
}

/**
 * Starts a real provider. Its answers to the token request pass through here, where a test may change them: what
 * is signed with its key is then as wrong as a faulty or attacked provider's.
 */
export async function startIdentityProvider(
  redirectUris: readonly string[],
): Promise<IdentityProvider> {
  const key = await createKey();
  const strangeKey = await createKey();
  const behind = createServer();
  const front = createServer();
  for (const server of [behind, front]) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  }
  const issuer = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const inner = `http://127.0.0.1:${(behind.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [...redirectUris],
        grant_types: ["authorization_code"],
        response_types: ["code"],
      },
    ],
    claims: { openid: ["sub"], profile: ["groups"] },
    conformIdTokenClaims: false,
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, groups: GROUPS[id] ?? [] }),
    }),
    jwks: { keys: [key as { kty: string }] },
    cookies: { keys: ["a key of cookies"] },
    pkce: { required: () => true },
  });
  provider.proxy = true;
  behind.on("request", provider.callback());
  const state: IdentityProvider = {
    issuer,
    tamper: undefined,
    hasStrangeKey: false,
    async close() {
      for (const server of [front, behind]) {
        server.closeAllConnections();
        server.close();
        await once(server, "close");
      }
    },
  };
  const sign = async (token: string): Promise<string> => {
    const payload = JSON.parse(
      Buffer.from(token.split(".")[1] ?? "", "base64url").toString(),
    ) as JWTPayload;
    const signer = await importJWK(state.hasStrangeKey ? strangeKey : key, "RS256");
    return new SignJWT(state.tamper?.(payload) ?? payload)
      .setProtectedHeader({ alg: "RS256", kid: "key-1" })
      .sign(signer);
  };
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await read(request);
    const { host, connection: _connection, ...headers } = request.headers;
    const answer = await fetch(inner + (request.url ?? ""), {
      method: request.method ?? "GET",
      headers: {
        ...(headers as Record<string, string>),
        "x-forwarded-host": host ?? "",
        "x-forwarded-proto": "http",
      },
      ...(body.length > 0 && { body }),
      redirect: "manual",
    });
    let text = await answer.text();
    if (request.url === "/token" && answer.ok) {
      const tokens = JSON.parse(text) as { id_token: string };
      text = JSON.stringify({ ...tokens, id_token: await sign(tokens.id_token) });
    }
    const {
      "content-length": _length,
      "transfer-encoding": _coding,
      ...rest
    } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, { ...rest, "set-cookie": answer.headers.getSetCookie() });
    response.end(text);
  };
  front.on("request", (request, response) => void forward(request, response));
  return state;
}

/** A browser without a page: it keeps cookies by origin, and follows redirects one by one. */
export function createBrowser() {
  const jars = new Map<string, Map<string, string>>();
  const send = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = {
      ...(init.headers as Record<string, string>),
      ...(cookie !== "" && { cookie }),
    };
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const at = pair.indexOf("=");
      const value = pair.slice(at + 1);
      if (value === "") jar.delete(pair.slice(0, at));
      else jar.set(pair.slice(0, at), value);
    }
    return response;
  };
  return {
    send,
    /** Cookies of an origin, by name. */
    cookiesOf: (origin: string): ReadonlyMap<string, string> => jars.get(origin) ?? new Map(),
    /** Signs in on the provider's pages, and returns the address that these end at: the platform's. */
    async signIn(url: string, name: string, issuer: string): Promise<string> {
      let at = url;
      let response = await send(at);
      for (let step = 0; step < 20; step++) {
        const location = response.headers.get("location");
        if (location !== null) {
          at = new URL(location, at).href;
          if (!at.startsWith(issuer)) return at;
          response = await send(at);
          continue;
        }
        const page = await response.text();
        const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? "";
        if (prompt === "") throw new Error(`no form: ${response.status} ${page.slice(0, 300)}`);
        const body = new URLSearchParams({ prompt, login: name, password: "any" });
        response = await send(at, { method: "POST", body });
      }
      throw new Error("the provider goes on and on");
    },
  };
}
