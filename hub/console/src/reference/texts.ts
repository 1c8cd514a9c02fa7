// Texts of the API reference. Descriptions of operations, members and error codes come from the hub's documents.
import { counted } from '../ui/counted.ts';
import { visibleText } from '../ui/visible.ts';

const joined = (parts: readonly string[], last: string): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} ${last} ${parts.at(-1)}`;

/** Returns bounds in words, such as `2 to 5 items`. */
type Unit = (count: string, most: number) => string;

export const treeTexts = {
  anything: 'anything',
  listOf: (type: string) => `list of ${type}`,
  or: (types: readonly string[]) => joined([...new Set(types)], 'or'),
  orNull: (type: string) => `${type} or null`,
  oneOf: 'one of these',
  option: (number: number) => `option ${number}`,
  anyName: 'any name',
  each: 'each',
  asAbove: 'same as above',
  values: ((count) => count) satisfies Unit,
  characters: ((count, most) =>
    `${count} ${most === 1 ? 'character' : 'characters'}`) satisfies Unit,
  items: ((count, most) => `${count} ${most === 1 ? 'item' : 'items'}`) satisfies Unit,
  members: ((count, most) => `${count} ${most === 1 ? 'member' : 'members'}`) satisfies Unit,
  between: (unit: Unit, least?: number, most?: number, isAbove = false): string => {
    if (least === undefined && most === undefined) return '';
    if (most === undefined)
      return unit(`${isAbove ? 'more than' : 'at least'} ${least}`, least ?? 0);
    if (least === undefined || (least === 0 && unit !== treeTexts.values)) {
      return unit(`at most ${most}`, most);
    }
    return unit(least === most ? `exactly ${most}` : `${least} to ${most}`, most);
  },
  unique: 'no duplicates',
  pattern: (pattern: string) => visibleText`matches ${pattern}`,
  byDefault: (value: string) => visibleText`default: ${value}`,
  writeOnly: 'write-only',
};

export const referenceTexts = {
  title: 'API reference',
  lead: 'REST API reference for this server, with ready-to-run examples.',
  whole: 'OpenAPI document',
  codes: 'Error codes',
  query: 'Search operations',
  queryHint: 'Name, path or method',
  tag: 'Category',
  untagged: 'Other',
  tags: {
    'access-requests': 'Access requests',
    activity: 'Enforcement',
    alerts: 'Alerts',
    applications: 'Apps',
    audit: 'Audit log',
    console: 'Search and user pages',
    device: 'Agent sync',
    'device-groups': 'Device groups',
    devices: 'Devices',
    events: 'Change streams',
    gateway: 'AI gateway',
    logs: 'Logs and usage',
    management: 'Management API',
    'management-admin': 'Management keys and settings',
    mcp: 'MCP gateway',
    nodes: 'Gateway nodes',
    'notification-channels': 'Notifications',
    operator: 'Server status',
    own: 'My workspace',
    people: 'Users and groups',
    policies: 'Policies',
    processes: 'Unidentified processes',
    products: 'Products',
    reference: 'API reference',
    scim: 'SCIM provisioning',
    session: 'Session',
    why: 'Explanations',
  } as Readonly<Record<string, string>>,
  none: 'No matching operations',
  noneText: 'Try fewer words, or another category.',
  found: (count: number) => counted(count, 'operation', 'operations'),
  unknown: 'Operation not found',
  unknownText:
    'The link may be from another server version. The list shows all operations of this version.',
  who: {
    title: 'Authorization',
    anybody: 'Public: no token required.',
    /** The separator of alternatives. */
    or: 'or',
    bearer: 'in the Authorization header, as a bearer token',
    header: (name: string) => visibleText`in the ${name} header`,
    cookie: 'in the session cookie',
    scopes: (scopes: readonly string[]) =>
      `Requires the ${scopes.length === 1 ? 'scope' : 'scopes'} ${joined(scopes, 'and')}.`,
    leastRole: (role: string) => visibleText`Requires the ${role} role or higher.`,
  },
  parameters: 'Parameters',
  places: { path: 'path', query: 'query', header: 'header', cookie: 'cookie' },
  body: 'Body',
  bodyType: (type: string) => visibleText`Content type: ${type}.`,
  bodyOptional: 'Optional.',
  answers: 'Responses',
  answerType: (type: string) => visibleText`Content type: ${type}.`,
  noBody: 'No body.',
  statuses: {
    '200': 'Success.',
    '201': 'Created.',
    '202': 'Accepted. Processing continues in the background.',
    '204': 'Success, without content.',
    '206': 'Partial content.',
    '304': 'Not modified since the given version.',
  } as Readonly<Record<string, string>>,
  /** The OpenAPI generator's text for a missing description. */
  unsaid: 'Default Response',
  refusals: 'Errors',
  status: 'Status',
  meaning: 'Meaning',
  codesOf: (status: string) => visibleText`Codes with status ${status}`,
  refusalForm: 'Error format',
  required: 'required',
  mayBe: 'optional',
  example: 'Example',
  exampleLead: 'Required fields only. Replace the words in capitals.',
  languages: { curl: 'curl', typescript: 'TypeScript', python: 'Python' },
  exampleIn: (language: string) => `Example in ${language}`,
  tokenIs: (what: string) => `GATEWARDEN_TOKEN: ${what}`,
};

export const errorCodeTexts = {
  title: 'Error codes',
  lead: 'Errors this server returns. Handle errors by code: a code never changes its meaning.',
  code: 'Code',
  status: 'Status',
  cause: 'Cause',
  cure: 'Fix',
  withStatus: 'Status',
  none: 'No codes with this status',
  noneText: 'Choose another status, or all.',
  unknown: 'Unknown error code',
  unknownText:
    'It may come from another version, or from a proxy between this browser and the server.',
  about: (code: string) => visibleText`Details for ${code}`,
};
