import { get, type Route } from "../route.ts";
import { createDocument } from "./document.ts";
import { OBJECT } from "./json-schema.ts";
import { jsonOf } from "./route-doc.ts";

/** Creates the route that describes all routes, itself included; the document is written when somebody asks for it. */
export function openApiRoute(others: readonly Route[]): Route {
  let document: object | undefined;
  const doc = { summary: "Describes all routes.", answers: { 200: jsonOf(OBJECT) } };
  const route = get("/openapi.json", {}, doc, ({ options, signIn }, context) => {
    const { apiKey, users, oidc } = options;
    const isReadingOpen = apiKey === undefined && users.length === 0 && oidc === undefined;
    const { cookieName } = signIn.sessions;
    document ??= createDocument([...others, route], { cookieName, isReadingOpen });
    return context.json(document);
  });
  return route;
}
