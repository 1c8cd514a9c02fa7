// docs/reference/roles-and-scopes.md: roles with the operations that they may call, scopes and secrets.
import { SECRET_PREFIXES, type SecretKind } from '@gatewarden/shared/secrets.ts';
import {
  EXPORT_SCOPES,
  type ExportScope,
} from '@gatewarden/shared/wire/console/log-export-keys.ts';
import { SCOPES, type Scope } from '@gatewarden/shared/wire/management/common.ts';
import { ROLES, type Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { code, type Derived, referencePage, table } from './markdown.ts';
import { type ApiDocument, operationsOf } from './openapi-document.ts';

const ROLE_TEXTS: Record<Role, string> = {
  Member: 'Uses the MCP gateway, and sees what is their own: devices, calls, requests, sessions.',
  Viewer: 'Reads everything of the tenant except secrets.',
  Reviewer: 'Reviews apps, sets policies, answers access requests and handles alerts.',
  Admin: 'Administers users, devices, gateways, notification channels, keys and the audit log.',
};

const SCOPE_TEXTS: Record<Scope, string> = {
  read: 'Read apps, providers, prompts, keys and settings, without secrets.',
  'config:write': 'Change apps, prompts and their configuration.',
  'providers:write': 'Create, change and test providers.',
  'credentials:write': 'Create, change and revoke keys of apps.',
  'credentials:read': 'Reveal keys of apps.',
};

const EXPORT_TEXTS: Record<ExportScope, string> = {
  app: 'LLM requests of a single app.',
  all_apps: 'LLM requests of all apps.',
  backend: 'Tool calls of a single published MCP server.',
  all_backends: 'Tool calls of all published MCP servers.',
};

const SECRET_TEXTS: Record<SecretKind, string> = {
  management: 'Management key: management API, within its scopes.',
  gatewayApp: 'App key: an LLM app at a gateway node.',
  logExport: 'Log-export key: log export, within its scope.',
  agent:
    'Agent token: enrollment of devices, and the sync of devices without a token of their own.',
  node: 'Node token: configuration and log ingest of a gateway node.',
  gatewayOAuth: 'Access and refresh tokens of MCP clients.',
  directApi: 'Direct token: an MCP client that cannot sign a user in.',
  scim: 'SCIM token: provisioning by a directory.',
};

/** Returns docs/reference/roles-and-scopes.md. */
export function rolesPage(document: ApiDocument): Derived {
  return referencePage('roles-and-scopes', {
    title: 'Roles and scopes',
    source: 'hub/openapi.json and the lists in shared/wire',
    body: [
      '## Roles of users',
      'A role includes every role above it in this table. Users get a role by themselves or from a user group, whichever is stronger.',
      table(
        ['Role', 'May'],
        ROLES.map((role) => [`**${role}**`, ROLE_TEXTS[role]]),
      ),
      ...ROLES.flatMap((role) => [`### ${role}`, operationTable(document, role)]),
      '## Scopes of management keys',
      table(
        ['Scope', 'Allows'],
        SCOPES.map((scope) => [code(scope), SCOPE_TEXTS[scope]]),
      ),
      '## Scopes of log-export keys',
      table(
        ['Scope', 'Allows to read'],
        EXPORT_SCOPES.map((scope) => [code(scope), EXPORT_TEXTS[scope]]),
      ),
      '## Keys and tokens',
      'A secret has a prefix, 40 random characters and a checksum of 6. The hub stores a hash; sealed secrets can be revealed.',
      table(
        ['Prefix', 'Use'],
        Object.entries(SECRET_PREFIXES).map(([kind, prefix]) => [
          code(prefix),
          SECRET_TEXTS[kind as SecretKind],
        ]),
      ),
    ],
  });
}

/** Returns the operations of the console API for which this is the least role, by tag. */
function operationTable(document: ApiDocument, role: Role): string {
  const operations = operationsOf(document).filter(
    ({ operation }) => operation['x-least-role'] === role,
  );
  const tags = Map.groupBy(operations, ({ operation }) => operation.tags?.[0] ?? 'other');
  return table(
    ['Area', `Operations that require ${role}`],
    [...tags]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([tag, list]) => [
        tag,
        list
          .map(
            ({ operation }) =>
              `[${operation.operationId}](api.md#${operation.operationId.toLowerCase()})`,
          )
          .join(', '),
      ]),
  );
}
