// Validates an operator's import file completely before anything is stored.

import { OneOf } from '@gatewarden/shared/wire/common.ts';
import {
  ACTIONS,
  AppPatch,
  DETECTION_SCOPES,
} from '@gatewarden/shared/wire/management/app-config.ts';
import { Strict } from '@gatewarden/shared/wire/management/common.ts';
import { PROVIDER_SETTINGS, PROVIDER_TYPES } from '@gatewarden/shared/wire/management/providers.ts';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { ConfigError } from '../../../platform/config/config.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { rejectDuplicateKeys } from '../../../platform/http/json/duplicate-keys.ts';
import { escapePointer } from '../../../platform/http/json/json-pointer.ts';
import { checkText } from '../../../platform/http/json/parse-json.ts';
import { patternProblem } from '../../../platform/linear-patterns.ts';
import { checkAlone, webhooksOf, webhookUrls } from '../configuration/index.ts';

const Name = Type.String({ minLength: 1, maxLength: 200 });
const Text = Type.Optional(Type.Union([Type.String({ maxLength: 2000 }), Type.Null()]));
const { provider_labels: _labels, ...sections } = AppPatch.properties;

const LegacyApp = Strict({
  ...sections,
  name: Name,
  import_id: Type.Optional(Name),
  providers: Type.Array(
    Strict({
      provider_name: OneOf(PROVIDER_TYPES),
      provider_settings: Strict(
        Object.fromEntries(
          Object.entries(PROVIDER_SETTINGS).map(([name, schema]) => [name, Type.Optional(schema)]),
        ),
      ),
    }),
    { minItems: 1, maxItems: 100 },
  ),
});
export interface LegacyApp extends Record<string, unknown> {
  name: string;
  import_id?: string;
  enabled?: boolean;
  tags?: string[];
  providers: { provider_name: string; provider_settings: Record<string, unknown> }[];
}

const ImportFile = Strict({
  categories: Type.Optional(
    Type.Array(
      Strict({
        id: Name,
        name: Name,
        subcategories: Type.Array(Name),
        actions: Type.Array(OneOf(ACTIONS), { minItems: 1, uniqueItems: true }),
        scopes: Type.Array(OneOf(DETECTION_SCOPES), { minItems: 1, uniqueItems: true }),
      }),
    ),
  ),
  smart_groups: Type.Optional(
    Type.Array(
      Strict({
        group_name: Name,
        description: Text,
        members: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 320 }))),
        rules: Type.Optional(Type.Unsafe<unknown>({})),
      }),
    ),
  ),
  custom_definitions: Type.Optional(
    Type.Array(
      Strict({
        edm_id: Name,
        name: Name,
        description: Text,
        kind: Text,
        patterns: Type.Optional(
          Type.Array(
            Strict({
              pattern: Type.String({ minLength: 1, maxLength: 4096 }),
              sensitivity: Type.Optional(OneOf(['low', 'medium', 'high'])),
            }),
            { maxItems: 100 },
          ),
        ),
        values: Type.Optional(Type.Array(Name, { maxItems: 1000 })),
      }),
    ),
  ),
  legacy_apps: Type.Optional(Type.Array(Type.Unsafe<LegacyApp>(LegacyApp))),
  policy_authority: Type.Optional(
    Strict({
      enabled: Type.Boolean(),
      active_revision: Text,
      active_checksum: Text,
    }),
  ),
});
export type ImportFile = Static<typeof ImportFile>;

/** Parses the file. Throws ConfigError with the first invalid position; secrets of the file are never quoted. */
export function parseImport(text: string): ImportFile {
  // Some editors begin a file with a byte order mark.
  const json = text.replace(/^\ufeff/, '');
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new ConfigError('the file is not JSON');
  }
  inFile('', () => rejectDuplicateKeys(json));
  refuseOddText(value, '');
  const found = Value.Errors(ImportFile, value)[0];
  if (found !== undefined) {
    const words = found.message === 'schema is false' ? 'is no field of this file' : found.message;
    throw new ConfigError(`the file at ${found.instancePath || '/'}: ${words}`);
  }
  const file = value as ImportFile;
  refuseTwice(file.categories ?? [], 'categories', ({ id }) => id);
  refuseTwice(file.smart_groups ?? [], 'smart_groups', (group) => group.group_name);
  refuseTwice(
    file.custom_definitions ?? [],
    'custom_definitions',
    (definition) => definition.edm_id,
  );
  refuseDots(file.smart_groups ?? [], 'smart_groups', (group) => group.group_name);
  refuseDots(
    file.custom_definitions ?? [],
    'custom_definitions',
    (definition) => definition.edm_id,
  );
  refusePatterns(file.custom_definitions ?? []);
  const apps = file.legacy_apps ?? [];
  refuseTwice(identified(apps), 'legacy_apps', (app) => app.import_id);
  // A name with outer blanks is unreachable: names are trimmed for a search.
  const blank = apps.findIndex((app) => app.name.trim() === '');
  if (blank !== -1)
    throw new ConfigError(`the file at /legacy_apps/${blank}/name: must not be blank`);
  for (const [i, app] of apps.entries()) {
    inFile(`/legacy_apps/${i}`, () => {
      checkAlone(app);
      webhookUrls(webhooksOf(app), {});
    });
  }
  return file;
}

/** Converts an error of the API's checks, with the position in the file. Throws ConfigError. */
function inFile(place: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    throw new ConfigError(`the file at ${place}${error.message}`);
  }
}

/** Rejects text that no database stores: NUL and lone surrogates. */
function refuseOddText(value: unknown, pointer: string): void {
  if (typeof value === 'string') checkPlain(value, pointer);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    checkPlain(name, pointer);
    refuseOddText(inner, `${pointer}/${escapePointer(name)}`);
  }
}

function checkPlain(text: string, pointer: string): void {
  inFile('', () => checkText(text, () => pointer));
}

function refuseTwice<T>(items: readonly T[], list: string, idOf: (item: T) => string): void {
  const seen = new Set<string>();
  for (const [i, item] of items.entries()) {
    if (seen.has(idOf(item))) throw new ConfigError(`the file at /${list}/${i}: occurs twice`);
    seen.add(idOf(item));
  }
}

/** Rejects dots: each entry has an address that ends in its name, and clients normalize such a path. */
function refuseDots<T>(items: readonly T[], list: string, nameOf: (item: T) => string): void {
  const found = items.findIndex((item) => nameOf(item) === '.' || nameOf(item) === '..');
  if (found === -1) return;
  throw new ConfigError(`the file at /${list}/${found}: must not be named . or ..`);
}

/** Rejects patterns that gateway nodes could not run in linear time. */
function refusePatterns(definitions: NonNullable<ImportFile['custom_definitions']>): void {
  for (const [i, { patterns = [] }] of definitions.entries()) {
    for (const [j, { pattern }] of patterns.entries()) {
      const problem = patternProblem(pattern);
      if (problem === null) continue;
      throw new ConfigError(
        `the file at /custom_definitions/${i}/patterns/${j}/pattern: ${problem}`,
      );
    }
  }
}

/** Returns legacy apps with the id that identifies them in a second import: apps of one name by their order. */
export function identified(apps: readonly LegacyApp[]): (LegacyApp & { import_id: string })[] {
  const counts = new Map<string, number>();
  return apps.map((app) => {
    const nth = (counts.get(app.name) ?? 0) + 1;
    counts.set(app.name, nth);
    return { ...app, import_id: app.import_id ?? `${app.name}#${nth}` };
  });
}
