// An invalid environment is reported with the name of the variable, and without its value if it is secret.
import { makeSecret } from '@gatewarden/shared/secrets.ts';
import { expect, it } from 'vitest';
import { readSettings } from './settings.ts';

const env = {
  GATEWARDEN_NODE_TOKEN: makeSecret('node'),
  GATEWAY_HUB_URL: 'https://hub.example.com/',
};

it('returns defaults, and addresses without trailing slash', () => {
  expect(readSettings(env)).toMatchObject({
    ...{ hubUrl: 'https://hub.example.com', host: '127.0.0.1', port: 8090 },
    ...{ managedModelUrl: null, allowedPrivateNetworks: [], logLevel: 'info' },
  });
});

it.each([
  ['GATEWARDEN_NODE_TOKEN', 'gwn_wrong'],
  ['GATEWAY_HUB_URL', 'hub.example.com'],
  ['GATEWAY_PORT', '70000'],
  ['GATEWAY_PORT', '80a'],
  ['GATEWAY_MANAGED_MODEL_URL', 'ftp://models'],
  ['GATEWAY_ALLOWED_PRIVATE_NETWORKS', '10.0.0.0'],
  ['GATEWAY_LOG_LEVEL', 'loud'],
])('rejects %s=%s in a single line', (name, value) => {
  const read = () => readSettings({ ...env, [name]: value });
  expect(read).toThrow(new RegExp(`^${name} [^\\n]*$`));
  expect(read).not.toThrow(/gwn_wrong/);
});
