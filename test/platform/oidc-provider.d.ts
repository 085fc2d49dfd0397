declare module "oidc-provider" {
  import type { RequestListener } from "node:http";

  /** The part of the provider that tests use; the package has no types of its own. */
  export class Provider {
    proxy: boolean;
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
  }
}
