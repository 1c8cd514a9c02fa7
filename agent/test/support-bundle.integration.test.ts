// The support bundle contains no secret that was planted in configuration, environment, logs and names.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileTokens } from '../src/config/token-store.ts';
import { makeFolder, runCommand, TENANT } from './agent-process.ts';

/** A request id of an older hub, which looks like an id of the agent. */
const HEX_TOKEN = '0123456789abcdef'.repeat(4);
const DEVICE = '01900000-0000-7000-8000-00000000000d';

const LOG_LINES = [
  { msg: HEX_TOKEN },
  { token_like: HEX_TOKEN, msg: `with ${HEX_TOKEN} in it` },
  { err: { message: 'the proxy heard planted/proxypw and planted%2Fproxypw' } },
  { msg: 'not taken: planted-envproxy' },
  { err: { message: 'the proxy knows no planted-lone-token, and no planted-envuser' } },
  { msg: 'lower case: planted-lowerproxy, for all: planted-allproxy' },
  { AKIAPLANTEDPLANTED12: 'as a name' },
  { at: { 'sk-planted-abcdefgh1234': 1 } },
  { msg: 'for planted.alice%40example.org, PLANTED.ALICE@EXAMPLE.ORG' },
  { password: 'planted-field' },
  { a: { b: { client_secret: 'planted-deep', api_keys: ['planted-list'] } } },
  { headers: { authorization: 'Bearer planted-bearer', cookie: 'sid=planted-cookie' } },
  { args: ['serve', '--token', 'planted-argument', '-pplantedglued'] },
  { env: ['API_KEY=planted-variable'] },
  { url: 'postgres://u:planted-pg@db/x?sslpassword=planted-query' },
  { msg: 'in /root/x, /home/plantedperson/x, C:\\Users\\plantedother\\x' },
];
const KEY = `-----BEGIN PRIVATE KEY-----\nplanted0key\nplanted1key\n-----END PRIVATE KEY-----`;

test('contains no planted secret, and the facts that support needs', async () => {
  const dataDir = makeFolder();
  writeFileSync(
    join(dataDir, 'agent.toml'),
    `[backend]
base_url = "https://hub.example"
tenant_id = "${TENANT}"
subscriber_id = "planted.alice@example.org"
auth_token = "${HEX_TOKEN}"
proxy = "http://planted-user:planted%2Fproxypw@127.0.0.1:9"
ca_file = "/home/plantedperson/ca.pem"
[discovery]
sources = ["dpkg"]
`,
  );
  await fileTokens(dataDir).write('enrolment_key', 'planted-enrolment-key');
  for (const name of ['ghp_plantedplantedplanted0123456789ab', 'key=planted-name']) {
    writeFileSync(join(dataDir, name), '');
  }
  mkdirSync(join(dataDir, 'logs'));
  const lines = [...LOG_LINES, { msg: 'the enrolment key planted-enrolment-key' }].map((line) =>
    JSON.stringify({ level: 30, device_id: DEVICE, ...line }),
  );
  writeFileSync(
    join(dataDir, 'logs/agent.log'),
    [...lines, 'Authorization: Basic cGxhbnRlZDpwbGFudGVk', KEY, '{"msg":"the end"}', ''].join(
      '\n',
    ),
  );
  const output = join(makeFolder(), 'bundle.json');
  const made = await runCommand(['support-bundle', '--output', output, '--data-dir', dataDir], '', {
    env: {
      HTTPS_PROXY: 'http://planted-envuser:planted-envproxy@127.0.0.1:9',
      https_proxy: 'http://u:planted-lowerproxy@127.0.0.1:9',
      HTTP_PROXY: 'http://planted-lone-token@127.0.0.1:9',
      ALL_PROXY: 'socks5://u:planted-allproxy@127.0.0.1:9',
      API_KEY: 'planted-environment',
    },
  });
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const text = readFileSync(output, 'utf8');
  expect(
    text.split('\n').filter((line) => /planted|cGxhbnRl|0123456789abcdef/i.test(line)),
  ).toEqual([]);
  const bundle = JSON.parse(text);
  expect(bundle.configuration.backend).toMatchObject({
    baseUrl: 'https://hub.example',
    hasProxy: true,
    hasTokenInFile: true,
  });
  // Ids stay, and so does the log's order.
  expect(bundle.log[0]).toMatchObject({ level: 30, device_id: DEVICE });
  expect(bundle.log.at(-1)).toEqual({ msg: 'the end' });
  expect(bundle.proxies).toContain('HTTPS_PROXY');
});
