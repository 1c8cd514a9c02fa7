// Ids of operations in the OpenAPI document, by rule: a verb and the nouns of the path, such as `listDevices`, `getDevice` and
// `rollbackAppVersion`. Names of methods in generated clients and addresses of the console's API reference come from them.

interface Family {
  prefix: string;
  /** Precedes the nouns. */
  word?: string;
  /** Nouns of this family for segments of its paths. */
  nouns?: Readonly<Record<string, string>>;
}

/** The first prefix that fits decides. */
const FAMILIES: readonly Family[] = [
  {
    prefix: '/console/api/v1/tenants/{tenant_id}/mcp',
    word: 'mcp',
    nouns: { own: 'own-access', rules: 'access-rules' },
  },
  {
    prefix: '/console/api/v1/tenants/{tenant_id}/gateway',
    word: 'gateway',
    nouns: { audit: 'audit-events' },
  },
  { prefix: '/console/api/v1/tenants/{tenant_id}' },
  { prefix: '/console/api/v1' },
  { prefix: '/llmgateway/management-admin/v1/tenants/{tenant_id}', word: 'management' },
  { prefix: '/llmgateway/management/v1', nouns: { audit: 'management-audit-events' } },
  { prefix: '/ea/v1/sync', nouns: { delta: 'policy-changes', 'mcp-offer': 'offered-mcp-servers' } },
  { prefix: '/ea/v1' },
  { prefix: '/node/v1', word: 'node', nouns: { logs: '', config: 'config-changes' } },
  { prefix: '/scim/v2', word: 'scim' },
];

/** Standard terms for segments that are older than the term. */
const NOUNS: Readonly<Record<string, string>> = {
  'agent-tokens': 'enrollment-tokens',
  'alert-routes': 'notification-channels',
  audit: 'audit-events',
  backends: 'servers',
  'call-rules': 'guardrails',
  decisions: 'policies',
  'device-overview': 'device-states',
  'ending-keys': 'expiring-keys',
  'errors.json': 'errors',
  healthz: 'liveness',
  'hub-health': 'system-status',
  llmgateway: 'llm',
  mcpgateway: 'mcp',
  'openapi.json': 'openapi-document',
  overrides: 'policies',
  people: 'users',
  'people-groups': 'user-groups',
  'provider-conversion': 'providers',
  readyz: 'readiness',
  similar: 'similar-apps',
  'unknown-processes': 'unidentified-processes',
};

/** Last segments that are the verb of their operation. */
const ACTIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'acknowledge admit assign decline deny download enroll erase export find grant move pause pin preview recover replay',
      'resume retry reveal revert review revoke rollback rotate scan start test',
    ]
      .join(' ')
      .split(' ')
      .map((verb) => [verb, verb]),
  ),
  why: 'explain',
};

/** Segments that qualify the noun before them. */
const ADJECTIVES: Readonly<Record<string, string>> = { bulk: 'bulk', listed: 'current' };

/** Verbs of summaries that consist of two words, or that would repeat a noun. */
const VERBS: readonly (readonly [summary: RegExp, verb: string])[] = [
  [/^Create or replace\b/, 'save'],
  [/^Request\b/, 'create'],
  [/^Sign out\b/, 'signOut'],
];

/** Verbs that are about a single resource, also without an id in the path. */
const SINGULAR = new Set(['create', 'add', 'issue', 'preview', 'save', 'start']);

/** Returns the id of an operation. `path`: with parameters in braces. `summary`: begins with a verb. */
export function operationIdOf(path: string, summary: string): string {
  const { family, segments } = splitPath(path);
  const [action, ...actionNouns] = (segments.at(-1) ?? '').split('-');
  const verb = ACTIONS[action ?? ''];
  const isAction = verb !== undefined && !isParameter(segments.at(-1) ?? '');
  const nouns = isAction ? [...segments.slice(0, -1), ...actionNouns] : segments;
  const name = verb !== undefined && isAction ? verb : verbOf(summary);
  const words = nounWords(nouns, family, SINGULAR.has(name));
  const isByQuery = segments[0] === 'app';
  const subject = words.length === 0 ? [lastWord(summary)] : words.filter((word) => word !== name);
  return [
    name,
    ...[...(family?.word === undefined ? [] : [family.word]), ...subject].map(pascalCase),
    ...(isByQuery ? ['ByQuery'] : []),
  ].join('');
}

function splitPath(path: string): { family: Family | undefined; segments: string[] } {
  const family = FAMILIES.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
  const rest = path.slice(family?.prefix.length ?? 0);
  return { family, segments: rest.split('/').filter((segment) => segment !== '') };
}

const isParameter = (segment: string) => segment.startsWith('{');

function nounWords(
  segments: readonly string[],
  family: Family | undefined,
  isSingular: boolean,
): string[] {
  const nouns = segments.flatMap((segment, i) => {
    if (isParameter(segment)) return [];
    const noun = family?.nouns?.[segment] ?? NOUNS[segment] ?? segment;
    const isLast = i === segments.length - 1;
    return noun === '' ? [] : [isLast && !isSingular ? noun : singular(noun)];
  });
  const adjective = ADJECTIVES[nouns.at(-1) ?? ''];
  if (adjective === undefined) return nouns;
  return [...nouns.slice(0, -2), adjective, plural(nouns.at(-2) ?? '')];
}

const plural = (noun: string) => noun.replace(/y$/, 'ie').concat('s');

/** Returns the singular of the plurals that paths contain. */
function singular(noun: string): string {
  if (/ies$/.test(noun)) return noun.replace(/ies$/, 'y');
  if (/(ss|ch|x)es$/.test(noun)) return noun.replace(/es$/, '');
  return /[^s]s$/.test(noun) && !/(settings|status)$/.test(noun) ? noun.slice(0, -1) : noun;
}

function verbOf(summary: string): string {
  const verb = VERBS.find(([pattern]) => pattern.test(summary))?.[1];
  return verb ?? /^[A-Za-z]+/.exec(summary)?.[0].toLowerCase() ?? 'call';
}

const lastWord = (summary: string) => /[a-z]+(?=\W*(and|$))/i.exec(summary)?.[0] ?? '';

const pascalCase = (words: string) =>
  words
    .split(/[^A-Za-z0-9]+/)
    .map((word) => `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`)
    .join('');
