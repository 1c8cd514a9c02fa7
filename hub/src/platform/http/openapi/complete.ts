// Completes the OpenAPI document: every named schema written once with a description, descriptions of parameters, and an example
// for each request and each answer of a success.
import { exampleOf } from './examples.ts';
import { type DescribedParameter, describeParameter } from './parameter-texts.ts';
import { SCHEMA_TEXTS, TAG_TEXTS } from './schema-texts.ts';

type Node = Record<string, unknown>;
type Paths = Record<string, Record<string, Node>>;

const DESCRIPTION =
  'All HTTP APIs of a hub: devices, gateway nodes, console, management, SCIM and log export. Errors have the body of the schema Error; `/errors.json` explains each code.';

/** Returns the completed document. The input is not changed. */
export function completeDocument(document: object): Node {
  const { document: hoisted, schemas } = hoistSchemas(document as Node);
  const paths = hoisted.paths as Paths;
  const tags = new Set<string>();
  const completed = mapOperations(paths, (operation) => {
    for (const tag of (operation.tags ?? []) as string[]) tags.add(tag);
    return completeOperation(operation, schemas);
  });
  return {
    ...hoisted,
    info: { description: DESCRIPTION, ...(hoisted.info as Node) },
    tags: [...tags].sort().map((name) => ({ name, description: TAG_TEXTS[name] ?? name })),
    paths: completed,
    components: { ...(hoisted.components as Node), schemas },
  };
}

/** Moves every schema with a title below `components`, and describes it. */
function hoistSchemas(document: Node): { document: Node; schemas: Node } {
  const schemas: Node = {};
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    const node: Node = Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, walk(inner)]),
    );
    const { title, type } = node;
    if (typeof title !== 'string' || typeof type !== 'string') return node;
    // A description at the place of use is about that place, such as the error of a status.
    const { description: _place, ...schema } = node;
    schemas[title] = describeSchema(title, schema);
    return { $ref: `#/components/schemas/${title}` };
  };
  const paths = walk(document.paths);
  const components = document.components as { schemas?: Node } | undefined;
  const all = { ...components?.schemas, ...schemas };
  return { document: { ...document, paths, components }, schemas: all };
}

function describeSchema(title: string, schema: Node): Node {
  const description = SCHEMA_TEXTS[title];
  return description === undefined ? schema : { ...schema, description };
}

function mapOperations(paths: Paths, change: (operation: Node) => Node): Paths {
  return Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => [method, change(operation)]),
      ),
    ]),
  );
}

function completeOperation(operation: Node, schemas: Node): Node {
  const parameters = (operation.parameters as DescribedParameter[] | undefined)?.map(
    (parameter) => {
      const description = describeParameter(parameter);
      return description === undefined ? parameter : { ...parameter, description };
    },
  );
  const body = operation.requestBody as Node | undefined;
  const responses = operation.responses as Record<string, Node>;
  return {
    ...operation,
    ...(parameters === undefined ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: withExamples(body, schemas, false) }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        status.startsWith('2') ? completeSuccess(status, response, schemas) : response,
      ]),
    ),
  };
}

const SUCCESSES: Readonly<Record<string, string>> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted and stored.',
  204: 'Success, without content.',
  206: 'A part of the content.',
};

function completeSuccess(status: string, response: Node, schemas: Node): Node {
  const isDefault = response.description === 'Default Response' || response.description === '';
  const description = isDefault ? SUCCESSES[status] : response.description;
  return { ...withExamples(response, schemas, true), description };
}

function withExamples(holder: Node, schemas: Node, isAnswer: boolean): Node {
  const content = holder.content as Record<string, Node> | undefined;
  if (content === undefined) return holder;
  return {
    ...holder,
    content: Object.fromEntries(
      Object.entries(content).map(([type, media]) => [
        type,
        withExample(type, media, content, { schemas, isAnswer }),
      ]),
    ),
  };
}

function withExample(
  type: string,
  media: Node,
  siblings: Record<string, Node>,
  options: { schemas: Node; isAnswer: boolean },
): Node {
  if (media.example !== undefined || media.schema === undefined) return media;
  const make = (schema: unknown) => exampleOf(schema as object, '', options);
  if (type.endsWith('json')) return { ...media, example: make(media.schema) };
  const [text] = ((media.schema as Node).examples ?? []) as unknown[];
  if (text !== undefined) return { ...media, example: text };
  if (type === 'text/csv') {
    return { ...media, example: csvExample(make(siblings['application/json']?.schema ?? {})) };
  }
  return media;
}

/** Returns a header and a line with the columns of a JSON example: the first list in it. */
function csvExample(json: unknown): string {
  const lists = Array.isArray(json) ? [json] : Object.values(json ?? {}).filter(Array.isArray);
  const [row] = (lists[0] ?? []) as Node[];
  if (row === undefined || typeof row !== 'object') return 'name\r\nExample App\r\n';
  const cell = (value: unknown) =>
    `"${String(typeof value === 'object' ? JSON.stringify(value) : value).replaceAll('"', '""')}"`;
  return `${Object.keys(row).join(',')}\r\n${Object.values(row).map(cell).join(',')}\r\n`;
}
