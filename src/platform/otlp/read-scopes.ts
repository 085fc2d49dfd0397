import { ProblemError } from "../problem.ts";
import type { Steps } from "../turns.ts";
import { readAttributes, readList, readMembers, readText, type Members } from "./any-value.ts";
import type { Received, ReceivedResource, ReceivedScope } from "./received.ts";
import { toJsonSize } from "./to-json.ts";
import { MAX_REPEATED_BYTES } from "./wire-reader.ts";

/** Resource and scope of an item in a request. */
export interface OtlpScope {
  readonly resource: ReceivedResource;
  readonly scope: ReceivedScope;
}

/** Member names that differ between the two kinds of request. */
export interface RequestNames {
  readonly ofResource: "resourceSpans" | "resourceLogs";
  readonly ofScope: "scopeSpans" | "scopeLogs";
  readonly items: "spans" | "logRecords";
}

function toScope(value: unknown, schemaUrl: unknown): ReceivedScope {
  const { name, version } = readMembers(value, "scope");
  const [versionText, schema] = [
    readText(version, "scope.version"),
    readText(schemaUrl, "schemaUrl"),
  ];
  return {
    name: readText(name, "scope.name"),
    ...(versionText !== "" && { version: versionText }),
    ...(schema !== "" && { schemaUrl: schema }),
  };
}

function tooLarge(): ProblemError {
  const detail = `resources and scopes may have ${MAX_REPEATED_BYTES} bytes, counted for every item`;
  return new ProblemError(413, "payload_too_large", detail);
}

function* readItems(
  request: Members,
  { ofResource, ofScope, items }: RequestNames,
): Generator<readonly [unknown, OtlpScope]> {
  let repeatedBytes = 0;
  for (const perResource of readList(request[ofResource], ofResource)) {
    const members = readMembers(perResource, ofResource);
    const { attributes } = readMembers(members["resource"], "resource");
    const resource = { attributes: readAttributes(attributes) };
    const resourceBytes = toJsonSize(resource);
    for (const perScope of readList(members[ofScope], ofScope)) {
      const inScope = readMembers(perScope, ofScope);
      const scope = toScope(inScope["scope"], inScope["schemaUrl"]);
      const list = readList(inScope[items], items);
      repeatedBytes += list.length * (resourceBytes + toJsonSize(scope));
      if (repeatedBytes > MAX_REPEATED_BYTES) throw tooLarge();
      for (const item of list) yield [item, { resource, scope }];
    }
  }
}

/**
 * Reads every item of a request.
 *
 * @param read - Returns the item, or the reason why it can't be taken; throws a problem where the body is no OTLP.
 */
export function* readRequest<Item extends object>(
  request: unknown,
  names: RequestNames,
  read: (members: Members, scope: OtlpScope) => Item | string,
): Steps<Received<Item>> {
  const items: Item[] = [];
  let rejected = 0;
  let reason: string | undefined;
  for (const [value, scope] of readItems(readMembers(request, "body"), names)) {
    yield;
    const item = read(readMembers(value, names.items), scope);
    if (typeof item !== "string") items.push(item);
    else {
      rejected++;
      reason ??= item;
    }
  }
  return { items, rejected, reason };
}
