// Rows as gateways send them, about 2 kB each, over the last day; and texts that are hard on careless patterns.

const WORDS =
  'the meeting notes state that our customer wants a summary of the invoice before Friday and asks whether the new price stays'.split(
    ' ',
  );

function prose(seed: number, words: number): string {
  let text = '';
  for (let i = 0; i < words; i++) text += `${WORDS[(seed * 7 + i * 13) % WORDS.length]} `;
  return text;
}

const id = (i: number) =>
  `${(i * 2_654_435_761).toString(16).padStart(12, '0').slice(-12)}-${String(i).padStart(9, '0')}`;

/** Row `i` of `count`, spread over the day before the export's lag. */
export function ordinaryLine(i: number, count: number) {
  const share = (i % count) / count;
  const at = Date.now() - 24 * 3_600_000 + share * 23 * 3_600_000;
  return {
    app: { name: `app ${i % 7}` },
    request: {
      id: id(i),
      timestamp: new Date(at).toISOString(),
      endpoint: '/v1/chat/completions',
      model: `model-${i % 5}`,
      provider: 'vendor',
      stream: i % 2 === 0,
      status_code: i % 50 === 0 ? 502 : 200,
    },
    tokens: { request: 400 + (i % 300), response: 200, cache_read: i % 100 },
    latency_ms: {
      upstream: 800.5,
      gw_processing: 3.2,
      guardrails: 12,
      first_response: 230,
      total: 830,
    },
    guardrails: {
      outcome: i % 20 === 0 ? 'blocked' : 'normal',
      is_blocked: i % 20 === 0,
      actions_and_categories: i % 10 === 0 ? { block: { pii: ['email'] } } : {},
      request_predictions: [],
    },
    payload: {
      request_text: {
        messages: [
          { role: 'system', content: 'You are a helpful assistant.' },
          { role: 'user', content: prose(i, 90) },
        ],
      },
      response_text: { choices: [{ message: { role: 'assistant', content: prose(i + 3, 80) } }] },
    },
    metadata: {
      conversation_id: `c-${i % 10_000}`,
      client_ip: '10.1.2.3',
      extra_data: { user_email: `person${i % 500}@example.com`, trace: id(i + 1) },
      sdk: { name: 'sdk', version: '1.2.3' },
    },
  };
}

const SEEDS = [
  'Password:    ',
  'password=a.b(',
  'password:self.x-',
  'nmcli password a',
  'curl -E aa:b ',
  '--cert a.pem:b ',
  'vault operator unseal a1',
  ...['password="', '"pass":', '<password>a</', 'name="password" value="', 'password is '],
  ...[
    'sk-',
    'sk-a',
    'gwk_',
    'eyJ',
    'eyJa.',
    '-eyJaaaaa',
    'Bearer ',
    'Bearer A1',
    'Basic aaaa',
    '://a:',
  ],
  ...[
    '://:b@',
    'password',
    'password=',
    'password":"',
    'api_key: a',
    '-----BEGIN PRIVATE KEY-----',
  ],
  ...['-----BEGIN ', 'xoxb-', 'SG.aaaaaaaaaaaaaaaa.', '{"a":', '[', '"', '\\', 'key"   ', 'AKIA'],
  ...['://a1', '--a-', '--password a', '-u a:', 'login a password ', 'Authorization: a', '?key=a1'],
  ...[
    'Authorization: Digest ',
    '123456789:AA',
    'eyJaaaaa..',
    'secret:',
    'pwd=',
    'Private-Lines: 1\n',
  ],
  ...['0123456789abcdef', '8Q~', 'discord.com/api/webhooks/', 'dp.pt.'],
  ...['password - a1', 'password|', 'password (a1A', 'api key a1b2', 'secret == "', 'password:\n'],
  ...[
    'password: |\n  ',
    'password: **',
    'password:</b>',
    "password', '",
    'password" {',
    'password" {default=',
  ],
  ...[
    'pass: ',
    'pass:a1',
    'senha: a',
    '\u30d1\u30b9\u30ef\u30fc\u30c9\uff1aa1',
    'pw:',
    ':pw: a1b2c3',
  ],
  ...[
    'docker login ',
    'docker login -p a',
    'zip -P ',
    'zip a a a a a a ',
    '7z a -p',
    ' -U u%aaaaaa',
    '_auth=aaaaaaaa',
  ],
  ...[
    'snmpget ',
    'snmpget a -c a',
    'enable secret 5 a',
    'username a password 7 a1',
    'login a / a1b2',
    'bindpw a',
  ],
  ...[
    'a:5432:',
    'a:5432:a:a:a1aaaaa ',
    'jdbc:oracle:thin:a/a',
    'vault login -a ',
    '-passin pass:a',
    'sqlplus a/a',
  ],
  ...[
    '$2b$12$',
    '$6$a$',
    '$1$',
    '$argon2id$v=19$',
    '$y$a$',
    '{SSHA}aaaaaaaaaaaaaaaaaaaa',
    'pbkdf2_sha256$1$',
  ],
  ...[
    `${'eyJ'.padEnd(28, 'a')} `,
    `${btoa('{"key":"a","b":"ccccc"}')} `,
    `${btoa('{"password":"a1b2"}')} `,
  ],
  ...[
    'eyJ'.padEnd(4200, 'a'),
    'pass\u200bword: a1b2c3',
    'a\u200b',
    '\uff50\uff41\uff53\uff53',
    'a\u200b\u200b',
  ],
  ...['token: Zq8vT3nLw0PxR7mK2bYc ', 'token=', 'token: aB1', 'key: aB1cD2eF3', 'setx API_KEY a;'],
  ...['setx key', 'openssl enc -a ', 'openssl a -k a ', '[REDACTED_API_KEY],aB1', 'ENV A_KEY a\n'],
  ...[
    `AKIAABCDEFGH12345678 ${'aB1'.repeat(13)}c `,
    'config set api_key aaaa;',
    'password"] = "a" ',
  ],
  ...['net user a a ', 'vault kv put a a=', 'token ', 'keytool -storepass a ', 'token | '],
  ...['kind: Secret\ndata:\n a: b\n', 'kind: Secret\ndata: {', '{"kind":"Secret","data":{'],
  ...['kind: Secret\\ndata:\\n', '> kind: Secret\n> data:\n', 'jwt.sign({{}', 'BASIC_AUTH("a", "'],
  ...[
    'password: swordfish\n',
    'x-api-key: a',
    'OTP: 4829 ',
    'recovery codes: a1b2c3-',
    'Cookie: "a=1',
  ],
  ...['password,b\n', 'a,b,c,password\n', 'Credential("a", "', 'mysqli(a,', 'a:b@tcp(', '-b a=1'],
  ...[
    '-- --\n',
    "insert into a (password) values ('abcde'",
    '{"a": "x\\n',
    '_AUTH=a',
    '-u a -p a1',
  ],
  ...['Unseal Key 1: ', 'password] => a', 'WIFI:A:a;', 'Password:a ', '"a: b c d e f g h",'],
  `| user | password |\n|${'-'.repeat(9_000)}x\n`,
  ...[
    '--password "a b',
    '-u "a:b c" ',
    'echo "a b" | sudo -S ',
    'X-Signature: a1aaaaaa\n',
    'x-a-token: a1',
  ],
  ...[
    '[["X-Api-Key","a"],',
    '"authorization","',
    'password is aaaa ',
    'password is "a',
    'Kennwort: a1 ',
  ],
  ...[
    'login | a / Aa1aaaaaa |',
    'root:Aa1!aaaa\n',
    '00aB',
    'token abcdef.',
    'a1b2c3.a1b2c3a1b2c3a1b2 ',
  ],
  ...[
    '=',
    '==',
    '0a1b2c3d-',
    'client-key-data: ',
    'user = a\npassword = a\n',
    '?session_id=aaaaaaaa',
  ],
  ...[
    'password changed from a1a to a1a ',
    'with password a1',
    'secret is aB1',
    '<password>a a',
    '| a / Aa1aaaaaa |',
  ],
  ...['echo a | sudo -', 'ssh-keygen -N a ', 'PAT: aB1', 'sqlcmd -P a ', ' -token a1'],
];

/** Data of secrets, nested in each other, before what is asked for each of them. */
const NESTED = Array.from({ length: 400 }, (_, i) => {
  const indent = ' '.repeat(i);
  return `${indent}kind: Secret\n${indent}data:\n`;
}).join('');

export function hostileTexts(): { seed: string; of(length: number): string }[] {
  const repeated = (seed: string, length: number) =>
    seed.repeat(Math.ceil(length / seed.length)).slice(0, length);
  return [
    ...SEEDS.map((seed) => ({ seed, of: (length: number) => repeated(seed, length) })),
    { seed: 'nested data:', of: (length) => (NESTED + repeated('\n', length)).slice(0, length) },
  ];
}
