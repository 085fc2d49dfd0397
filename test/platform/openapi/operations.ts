/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** Bodies by their media type. */
export type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: "header" | "path" | "query";
  readonly schema: Schema;
}

/** An operation as the document describes it. */
export interface Operation {
  readonly operationId: string;
  readonly description?: string;
  readonly security: readonly object[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Content }>
  >;
}

/** The parts of the document that tests read. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

/** An operation in its place. */
export interface PlacedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Lists all operations of a document. */
export function listOperations({ paths }: OpenApi): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}
