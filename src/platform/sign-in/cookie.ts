/** Reads a cookie. @see RFC 6265, 4.2 */
export function readCookie(request: Request, name: string): string | undefined {
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const [key, ...value] = pair.trim().split("=");
    if (key === name) return value.join("=");
  }
  return undefined;
}

/** Writes a cookie that scripts can't read; over https no other host can have set it. @see RFC 6265bis, 4.1.3.2 */
export function writeCookie(
  name: string,
  value: string,
  { isSecure, sameSite, seconds }: CookieOptions,
): string {
  const attributes = `Path=/; HttpOnly; SameSite=${sameSite}; Max-Age=${seconds}`;
  return `${name}=${value}; ${attributes}${isSecure ? "; Secure" : ""}`;
}

interface CookieOptions {
  readonly isSecure: boolean;
  readonly sameSite: "Lax" | "Strict";
  readonly seconds: number;
}
