// `npm run bench:mcp-oauth`: codes for tokens through the gateway's OAuth server beside `oidc-provider`, both durable in
// the same PostgreSQL; and the check of a token at an MCP URL beside the introspection of `oidc-provider`.
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openEmbedded } from '@gatewarden/hub/src/platform/db/embedded/server.ts';
import { foldName } from '@gatewarden/shared/names.ts';
import { hashSecret, makeSecret } from '@gatewarden/shared/secrets.ts';
import pg from 'pg';
import { HUB_MAIN, jsonCommand } from '../test/support/programs.ts';
import { openBenchHub } from './bench-hub.ts';
import { load, type Shot } from './load.ts';
import { median } from './median.ts';

const ROUNDS = 5;
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 2_000);
const EMAIL = 'bench@example.com';
const REDIRECT = 'http://127.0.0.1:9999/callback';
const verifier = randomBytes(48).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

const hub = await openBenchHub();
const tenantId = hub.headers['x-tenant-id'] ?? '';
await jsonCommand(
  HUB_MAIN,
  ['user', 'create', '--tenant', tenantId, '--email', EMAIL, '--password-stdin'],
  { HUB_DATA_DIR: hub.folder },
  'bench password',
);
const total = REQUESTS * (ROUNDS + 1);
const embedded = await openEmbedded(hub.folder);
const client = new pg.Client(embedded.connection);
await client.connect();
const theirs = spawn(
  process.execPath,
  [
    join(import.meta.dirname, 'oauth-baseline.ts'),
    String(total),
    verifier,
    REDIRECT,
    JSON.stringify(embedded.connection),
  ],
  { stdio: ['ignore', 'pipe', 'ignore'] },
);
const [line] = (await once(createInterface({ input: theirs.stdout }), 'line')) as [string];
const baseline = JSON.parse(line) as { origin: string; codes: string[]; token: string };

const codes = Array.from({ length: total }, () => randomBytes(32).toString('base64url'));
const asked = {
  redirectUri: REDIRECT,
  state: null,
  challenge,
  resource: null,
  clientName: 'Bench',
  issuer: `${hub.url}/gwone`,
};
await client.query(
  `INSERT INTO mcp_codes (code_hash, namespace, asked, tenant_id, user_id, email, expires_at)
   SELECT h, 'gwone', $2, tenant_id, user_id, email, now() + interval '1 hour'
   FROM members, unnest($1::bytea[]) AS h WHERE email = $3`,
  [codes.map(hashSecret), JSON.stringify(asked), EMAIL],
);
const token = makeSecret('gatewayOAuth');
await client.query(
  `INSERT INTO mcp_tokens (token_hash, token_id, namespace, tenant_id, user_id, email, email_folded, redirect_host)
   SELECT $1, gen_random_uuid(), 'gwone', tenant_id, user_id, email, $2, 'bench' FROM members WHERE email = $3`,
  [hashSecret(token), foldName(EMAIL), EMAIL],
);

const form = (path: string, fields: Record<string, string>): Shot => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: Buffer.from(new URLSearchParams(fields).toString()),
});
const exchange = (path: string, clientId: string) => (code: string) =>
  form(path, {
    grant_type: 'authorization_code',
    code,
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_verifier: verifier,
  });
const ping: Shot = {
  method: 'POST',
  path: '/gwone/mcp',
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body: Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}'),
};
const introspect = form('/token/introspection', {
  token: baseline.token,
  client_id: 'resource',
  client_secret: 'of-the-resource',
});
const many = (shot: Shot) => Array.from({ length: REQUESTS }, () => shot);

const rate = async (origin: string, shots: Shot[]) => {
  const measured = await load(origin, shots, { expect: 200, connections: 32 });
  if (measured.failed > 0) throw new Error(`${measured.failed} of ${shots.length} failed`);
  return measured.perSecond;
};
const rates: [number[], number[], number[], number[]] = [[], [], [], []];
for (let round = 0; round <= ROUNDS; round++) {
  const [from, to] = [round * REQUESTS, (round + 1) * REQUESTS];
  const measured = [
    await rate(
      hub.url,
      codes.slice(from, to).map(exchange('/gwone/oauth/token', 'gateway-onemcp')),
    ),
    await rate(baseline.origin, baseline.codes.slice(from, to).map(exchange('/token', 'public'))),
    await rate(hub.url, many(ping)),
    await rate(baseline.origin, many(introspect)),
  ];
  if (round > 0) for (const [i, rate] of measured.entries()) rates[i]?.push(rate);
}
const [a, b, c, d] = rates.map(median) as [number, number, number, number];
console.log(
  `code for token: gateway ${a.toFixed(0)}/s, oidc-provider ${b.toFixed(0)}/s, ratio ${(a / b).toFixed(2)} (wanted 2)`,
);
console.log(
  `token check: gateway ${c.toFixed(0)}/s, introspection ${d.toFixed(0)}/s, ratio ${(c / d).toFixed(2)} (wanted 3)`,
);
theirs.kill();
await client.end();
await embedded.release();
await hub.close();
