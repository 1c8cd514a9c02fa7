// The operations of the OpenAPI document: grouped by tag, and searchable.
import type { Answer, ApiDocument, Parameter, RawOperation, Schema, Security } from './wire.ts';

export interface Operation {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  leastRole: string | null;
  /** Alternative security schemes; none for public operations. */
  security: readonly Security[];
  parameters: readonly Parameter[];
  /** Null: no body. */
  body: { type: string; schema: Schema; isRequired: boolean } | null;
  answers: readonly { status: string; answer: Answer }[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Returns all operations in the order of the document. */
export function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const raw = methods[method];
      return raw === undefined ? [] : [operationOf(method, path, raw)];
    }),
  );
}

function operationOf(method: string, path: string, raw: RawOperation): Operation {
  const [content] = Object.entries(raw.requestBody?.content ?? {});
  return {
    id: raw.operationId ?? `${method}_${path}`,
    method: method.toUpperCase(),
    path,
    tag: raw.tags?.[0] ?? '',
    summary: raw.summary ?? '',
    leastRole: raw['x-least-role'] ?? null,
    security: raw.security ?? [],
    parameters: raw.parameters ?? [],
    body:
      content === undefined
        ? null
        : {
            type: content[0],
            schema: content[1].schema ?? {},
            isRequired: raw.requestBody?.required === true,
          },
    answers: Object.entries(raw.responses ?? {}).map(([status, answer]) => ({ status, answer })),
  };
}

/** Returns the tags in the order of their first operation. */
export const tagsOf = (operations: readonly Operation[]): string[] => [
  ...new Set(operations.map((item) => item.tag)),
];

/** Returns the operations that contain every word of the text, such as `post devices`. */
export function found(
  operations: readonly Operation[],
  { query = '', tag }: { query?: string | undefined; tag?: string | undefined },
): Operation[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return operations.filter((item) => {
    if (tag !== undefined && item.tag !== tag) return false;
    const text = `${item.method} ${item.path} ${item.summary} ${item.tag} ${item.id}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
