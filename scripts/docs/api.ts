// docs/reference/api.md: an index of all operations by tag, from the OpenAPI document.
import { anchor, code, type Derived, referencePage, table } from './markdown.ts';
import { type ApiDocument, type ApiOperation, operationsOf } from './openapi-document.ts';

const CONSOLE_API = '/console/api/v1';

const SCHEMES: Readonly<Record<string, string>> = {
  agentToken: 'agent or device token',
  adminToken: "administrator's token",
  managementKey: 'management key',
  nodeToken: 'node token',
  logExportKey: 'log-export key',
  scimToken: 'SCIM token',
  session: 'session',
};

/** Returns docs/reference/api.md. */
export function apiPage(document: ApiDocument): Derived {
  const tags = Map.groupBy(
    operationsOf(document),
    ({ operation }) => operation.tags?.[0] ?? 'other',
  );
  return referencePage('api', {
    title: 'API',
    source: 'hub/openapi.json',
    body: [
      'The hub serves these HTTP APIs. Requests and answers are JSON unless stated otherwise; errors are [described here](errors.md).',
      table(
        ['Address of a running hub', 'Content'],
        [
          ['`/openapi.json`', 'OpenAPI 3.1 document of all operations, with schemas and examples'],
          ['`/console/api/openapi.json`', 'the operations of the console API only'],
          ['`/errors.json`', 'all error codes'],
        ],
      ),
      'An operation of the console API links to its page in the console, with schemas and an example.',
      ...[...tags]
        .sort(([a], [b]) => a.localeCompare(b))
        .flatMap(([tag, operations]) => [
          `## ${tag}`,
          table(
            ['Operation', 'Request', 'Requires', 'What it does'],
            operations.map(({ method, path, operation }) => [
              `${anchor(operation.operationId.toLowerCase())}${operationLink(path, operation)}`,
              code(`${method} ${path}`),
              requirementOf(operation),
              operation.summary,
            ]),
          ),
        ]),
    ],
  });
}

function operationLink(path: string, { operationId }: ApiOperation): string {
  if (!path.startsWith(CONSOLE_API)) return code(operationId);
  return `[${code(operationId)}](/console/api-reference/${operationId})`;
}

function requirementOf({ security = [], ...operation }: ApiOperation): string {
  const role = operation['x-least-role'];
  if (role !== undefined) return role;
  const schemes = security.flatMap((requirement) =>
    Object.entries(requirement).map(([scheme, scopes]) =>
      [SCHEMES[scheme] ?? scheme, ...scopes.map((scope) => code(scope))].join(' '),
    ),
  );
  return schemes.length === 0 ? 'nothing' : schemes.join(' or ');
}
