// The stored OpenAPI document, as the generators read it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface JsonSchema {
  $ref?: string;
  type?: string | readonly string[];
  title?: string;
  description?: string;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  items?: JsonSchema;
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
  enum?: readonly unknown[];
  const?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  format?: string;
  default?: unknown;
  [keyword: string]: unknown;
}

export interface ApiOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags?: readonly string[];
  'x-least-role'?: string;
  security?: readonly Readonly<Record<string, readonly string[]>>[];
  parameters?: readonly { name: string; in: string; schema: JsonSchema }[];
  requestBody?: { content: Readonly<Record<string, { schema: JsonSchema }>> };
}

export interface ApiDocument {
  paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  components: { schemas: Readonly<Record<string, JsonSchema>> };
}

export function readApiDocument(): ApiDocument {
  const file = join(import.meta.dirname, '../../hub/openapi.json');
  return JSON.parse(readFileSync(file, 'utf8')) as ApiDocument;
}

/** Returns every operation with its method in capitals and its path. */
export function operationsOf(
  document: ApiDocument,
): { method: string; path: string; operation: ApiOperation }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}
