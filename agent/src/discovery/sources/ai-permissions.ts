// How much assistants may do without asking, where settings lift a confirmation or a sandbox: widening it is drift.
import { findLocations } from '../clients/client-locations.ts';
import { placesOf } from '../clients/path-tokens.ts';
import { PERMISSION_FILES, type PermissionFiles } from '../clients/permissions.ts';
import { isFields } from '../mcp/servers.ts';
import { redactText } from '../redaction/argument-redaction.ts';
import type { ScopedFs, Source } from '../source-contract.ts';
import { readDocument, readJson5 } from './lib/document-formats.ts';
import { claudeStates } from './lib/project-finder.ts';
import { settingsAt } from './lib/setting-paths.ts';

const MAX_MEMBERS = 500;
const MAX_PERMISSIONS = 100;

export const aiPermissions: Source = {
  name: 'ai_permissions',
  platforms: ['linux', 'darwin', 'win32'],
  scopes: ['machine', 'home'],
  watches: (platform) => ({
    machine: PERMISSION_FILES.flatMap((row) => row.system?.[platform] ?? []).filter(isPlain),
    home: PERMISSION_FILES.flatMap((row) => row.user ?? [])
      .filter((path) => !path.startsWith('{ED}'))
      .flatMap((path) => placesOf(platform, path))
      .filter(isPlain),
    filesRead: true,
  }),
  async *discover(fs) {
    const documents = new Map<string, unknown>();
    for await (const { row, client, scope, path } of findLocations(fs, PERMISSION_FILES)) {
      if (fs.kindOf(path) === 'folder') continue;
      if (!documents.has(path)) documents.set(path, await readSettings(fs, path));
      const permissions = liftedBy(row, documents.get(path));
      if (permissions.length === 0) continue;
      yield {
        kind: 'ai_tool',
        key: client === 'claude-code' ? 'claude-code-permission-mode' : `${client}-permissions`,
        name: client === 'claude-code' ? 'Claude Code permission mode' : `${client} permissions`,
        path: fs.toMachinePath(path),
        permissions,
        details: { client, scope: [scope], modes: permissions },
      };
    }
  },
};

const isPlain = (path: string): boolean => !path.includes('*');

async function readSettings(fs: ScopedFs, path: string): Promise<unknown> {
  const state = path.endsWith('.claude.json')
    ? (await claudeStates(fs)).find((claudeState) => claudeState.path === path)
    : undefined;
  if (state !== undefined) return state.document;
  return path.endsWith('openclaw.json') ? readJson5(fs, path) : readDocument(fs, path);
}

/** `name=value` for each setting of the row that lifts something. */
function liftedBy(row: PermissionFiles, document: unknown): string[] {
  const lifted = row.settings.flatMap(({ path, lifts }) =>
    settingsAt(document, path).flatMap(({ name, value }) =>
      valuesOf(value)
        .filter((setting) => lifts.test(setting))
        .map((setting) => `${redactText(name)}=${redactText(setting)}`.slice(0, 256)),
    ),
  );
  return [...new Set(lifted)].slice(0, MAX_PERMISSIONS);
}

/** Returns the values to compare with a setting; for a map of rules to answers, the rules that allow. */
function valuesOf(value: unknown): string[] {
  if (isFields(value)) {
    return Object.entries(value)
      .slice(0, MAX_MEMBERS)
      .flatMap(([rule, answer]) => (isAllowed(answer) ? [rule] : []));
  }
  const all = Array.isArray(value) ? value.slice(0, MAX_MEMBERS) : [value];
  return all.flatMap((document) =>
    typeof document === 'string' || typeof document === 'boolean' ? [String(document)] : [],
  );
}

const isAllowed = (answer: unknown): boolean =>
  answer === true ||
  answer === 'allow' ||
  answer === 'always' ||
  (isFields(answer) && (answer.approve === true || answer.allow === true));
