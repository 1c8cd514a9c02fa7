// Defaults and examples of the documented variables are what the hub uses and accepts.
import { HUB_VARIABLES, type Variable } from '@gatewarden/shared/environment.ts';
import { expect, test } from 'vitest';
import { checkEnvironment } from '../../cli/doctor.ts';
import { readConfig } from './config.ts';
import { ENV_NAMES, type Env } from './env.ts';

const variables: Readonly<Record<string, Variable>> = HUB_VARIABLES;

/** Variables that are valid only together with these. */
const COMPANIONS: Env = {
  DATABASE_URL: 'postgresql://db.example.com/gatewarden',
  HUB_MASTER_KEY: 'key',
  LOGIN_ISSUER: 'https://login.example.com',
  LOGIN_CLIENT_ID: 'gatewarden',
  HUB_SMTP_URL: 'smtp://mail.example.com',
  HUB_MAIL_FROM: 'hub@example.com',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318',
};

test.each([...ENV_NAMES])('accepts the documented example of %s', (name) => {
  const { example = '', description = '' } = variables[name] ?? {};
  expect(() => readConfig({ ...COMPANIONS, [name]: example })).not.toThrow();
  expect(description).toMatch(/^[^\n|]+\.$/);
});

test.each(ENV_NAMES.filter((name) => variables[name]?.default !== null))(
  'uses the documented default of %s',
  (name) => {
    const { [name]: _unset, ...env } = COMPANIONS;
    const given = readConfig({ ...env, [name]: variables[name]?.default ?? '' });
    const isSwitch = name === 'LLMGATEWAY_MANAGEMENT_API_ENABLED';
    const { managementApi, ...config } = readConfig(env);
    expect(given).toEqual({ ...config, managementApi: { ...managementApi, isSet: isSwitch } });
  },
);

test('warns of a misspelled variable without failing the check', () => {
  expect(checkEnvironment({ HUB_PROT: '1', HUB_PORT: '1' })).toEqual({
    name: 'environment',
    ok: true,
    detail: 'warning: HUB_PROT is not a variable of the hub: did you mean HUB_PORT?',
  });
  expect(checkEnvironment({}).detail).toBe('no unknown variables');
});
