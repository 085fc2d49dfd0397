import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";

/** Where the files of `examples/deploy` are. */
export const DEPLOY = join(import.meta.dirname, "../../examples/deploy");

/** Names of the manifests. */
export const MANIFESTS = readdirSync(join(DEPLOY, "kubernetes")).toSorted();

/** What tests read of a service of compose.yaml. */
export interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly configs?: readonly { readonly source: string }[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly healthcheck?: { readonly test: readonly string[] };
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly configs: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** Reads compose.yaml. */
export const readCompose = (): Compose =>
  parse(readFileSync(join(DEPLOY, "compose.yaml"), "utf8"), { merge: true }) as Compose;

/** An object of Kubernetes; what is in it depends on its kind. */
export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly [member: string]: any;
}

/** Reads all objects of the manifests; throws for what is no YAML. */
export function readManifests(): Manifest[] {
  return MANIFESTS.flatMap((name) => {
    const text = readFileSync(join(DEPLOY, "kubernetes", name), "utf8");
    return parseAllDocuments(text).map((document) => {
      const [error] = document.errors;
      if (error) throw new Error(`${name}: ${error.message}`);
      return document.toJS() as Manifest;
    });
  });
}
