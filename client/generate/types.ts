// The client's types, made from the hub's OpenAPI document. Called by scripts/dump.ts; never by who uses the client.
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

const HEAD = '// Made by `npm run dump` from the OpenAPI document of the hub. Not to be edited.\n';
const REFERENCE = /^#\/components\/schemas\/(.+)$/;

interface Document {
  paths?: Record<string, unknown>;
  components?: { schemas?: Record<string, unknown> };
}

/** TypeScript types of the document's paths that begin with `prefix`, and of the schemas that these refer to. */
export async function clientTypes(document: Document, prefix: string): Promise<string> {
  const paths = Object.fromEntries(
    Object.entries(structuredClone(document.paths ?? {})).filter(([path]) =>
      path.startsWith(prefix),
    ),
  );
  visit(paths, (node) => {
    // The client makes one where the caller gives none.
    if (node.in === 'header' && node.name === 'Idempotency-Key') node.required = false;
  });
  const schemas = reached(paths, document.components?.schemas ?? {});
  const nodes = await openapiTS({ ...document, paths, components: { schemas } } as OpenAPI3, {
    alphabetize: true,
    // What has a default may be left out of what is sent.
    defaultNonNullable: false,
  });
  return HEAD + astToString(nodes);
}

/** The schemas that `from` names, and those that they name. */
function reached(from: object, schemas: Record<string, unknown>): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  visit(from, (node) => {
    const name = REFERENCE.exec(String(node.$ref ?? ''))?.[1];
    if (name === undefined || name in found || schemas[name] === undefined) return;
    found[name] = schemas[name];
    Object.assign(found, reached(schemas[name] as object, without(schemas, Object.keys(found))));
  });
  return found;
}

function without(schemas: Record<string, unknown>, names: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => !names.includes(name)));
}

function visit(node: unknown, see: (node: Record<string, unknown>) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) see(node as Record<string, unknown>);
  for (const inner of Object.values(node)) visit(inner, see);
}
