// The texts of the API reference. What an operation, a member or an error code means stands in the hub's documents.
import { counted } from '../ui/counted.ts';
import { said } from '../ui/visible.ts';

const joined = (parts: readonly string[], last: string): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} ${last} ${parts.at(-1)}`;

/** How bounds are said of one kind of value: `2 to 5 items`. */
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
  asAbove: 'the same as further up',
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
  unique: 'each once',
  pattern: (pattern: string) => said`matches ${pattern}`,
  byDefault: (value: string) => said`without it ${value}`,
  writeOnly: 'never given back',
};

export const referenceTexts = {
  title: 'API reference',
  lead: 'Every operation of this hub: what it takes, what it answers, and a call to begin with. Made from the document of this very hub.',
  whole: 'The document itself (OpenAPI 3.1)',
  codes: 'Error codes',
  query: 'Find an operation',
  queryHint: 'Words of its name, path or method',
  tag: 'Area',
  untagged: 'Other',
  none: 'No operation has all these words',
  noneText: 'Fewer words, or another area, find more.',
  found: (count: number) => counted(count, 'operation', 'operations'),
  unknown: 'There is no such operation',
  unknownText: 'The link may be of another version of the hub. The list has all of this one.',
  who: {
    title: 'Who may call it',
    anybody: 'Anybody: no token is needed.',
    /** Between several of which one is enough. */
    or: 'or',
    bearer: 'in the header Authorization, as Bearer',
    header: (name: string) => said`in the header ${name}`,
    cookie: 'in the cookie that signing in sets',
    scopes: (scopes: readonly string[]) =>
      `It needs the ${scopes.length === 1 ? 'scope' : 'scopes'} ${joined(scopes, 'and')}.`,
    leastRole: (role: string) => said`The person needs at least the role ${role}.`,
  },
  parameters: 'Parameters',
  places: { path: 'path', query: 'query', header: 'header', cookie: 'cookie' },
  body: 'Body',
  bodyType: (type: string) => said`Sent as ${type}.`,
  bodyOptional: 'It may be left out.',
  answers: 'Answers',
  answerType: (type: string) => said`Answered as ${type}.`,
  noBody: 'Without a body.',
  statuses: {
    '200': 'It is done.',
    '201': 'It was made.',
    '202': 'It is taken, and done later.',
    '204': 'It is done.',
    '206': 'A part of it.',
    '304': 'Nothing changed since the version that was named.',
  } as Readonly<Record<string, string>>,
  /** What the document says where nothing was written. */
  unsaid: 'Default Response',
  refusals: 'When it is refused',
  status: 'Status',
  meaning: 'Meaning',
  codesOf: (status: string) => said`Codes with ${status}`,
  refusalForm: 'What a refusal looks like',
  required: 'required',
  mayBe: 'may be',
  example: 'Example',
  exampleLead: 'With what must be there. Words in capitals are to be replaced.',
  languages: { curl: 'curl', typescript: 'TypeScript', python: 'Python' },
  exampleIn: (language: string) => `Example in ${language}`,
  tokenIs: (what: string) => `GATEWARDEN_TOKEN: ${what}`,
};

export const errorCodeTexts = {
  title: 'Error codes',
  lead: 'What the hub answers where it cannot do what was asked: programs decide by the code, which never changes its meaning.',
  code: 'Code',
  status: 'Status',
  cause: 'Cause',
  cure: 'Cure',
  withStatus: 'Status',
  none: 'No code has this status',
  noneText: 'Choose another one, or all.',
  unknown: 'This code is not one of this hub’s',
  unknownText:
    'It may be of another version, or of something between this browser and the hub, such as a proxy.',
  about: (code: string) => said`What ${code} means`,
};
