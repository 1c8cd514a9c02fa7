// `oidc-provider`, certified, on the same PostgreSQL, with as many codes and tokens as it is asked for: what our exchange of codes
// and our check of tokens are measured against.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import pg from 'pg';

const [, , count = '1000', verifier = '', redirectUri = '', connection = '{}'] = process.argv;
const pool = new pg.Pool({ ...JSON.parse(connection), max: 32 });
await pool.query(
  'CREATE TABLE bench_oidc (name text, id text, payload jsonb, PRIMARY KEY (name, id))',
);
const server = createServer();
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
class Stored {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
  async upsert(id: string, payload: object) {
    await pool.query(
      `INSERT INTO bench_oidc VALUES ($1, $2, $3)
       ON CONFLICT (name, id) DO UPDATE SET payload = excluded.payload`,
      [this.name, id, JSON.stringify(payload)],
    );
  }
  async find(id: string) {
    const { rows } = await pool.query<{ payload: object }>(
      'SELECT payload FROM bench_oidc WHERE name = $1 AND id = $2',
      [this.name, id],
    );
    return rows[0]?.payload;
  }
  async consume(id: string) {
    await pool.query(
      `UPDATE bench_oidc SET payload = payload || jsonb_build_object('consumed', 1)
       WHERE name = $1 AND id = $2`,
      [this.name, id],
    );
  }
  async destroy(id: string) {
    await pool.query('DELETE FROM bench_oidc WHERE name = $1 AND id = $2', [this.name, id]);
  }
  async findByUid() {
    return undefined;
  }
  async findByUserCode() {
    return undefined;
  }
  async revokeByGrantId() {
    return undefined;
  }
}
const provider = new Provider(origin, {
  adapter: Stored as never,
  clients: [
    {
      client_id: 'public',
      token_endpoint_auth_method: 'none',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
    {
      client_id: 'resource',
      client_secret: 'of-the-resource',
      token_endpoint_auth_method: 'client_secret_post',
      redirect_uris: [],
      grant_types: [],
      response_types: [],
    },
  ],
  features: { devInteractions: { enabled: false }, introspection: { enabled: true } },
  findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
  ttl: { AccessToken: 3_600, AuthorizationCode: 600, Grant: 3_600 },
});
const client = await provider.Client.find('public');
const codeChallenge = createHash('sha256').update(verifier).digest('base64url');
const codes: string[] = [];
let token = '';
async function make(i: number) {
  const grant = new provider.Grant({ accountId: 'somebody', clientId: 'public' });
  grant.addOIDCScope('email');
  const grantId = await grant.save();
  const about = {
    accountId: 'somebody',
    client: client as never,
    grantId,
    gty: 'authorization_code',
    scope: 'email',
    expiresWithSession: false,
  };
  const code = new provider.AuthorizationCode({
    ...about,
    redirectUri,
    codeChallenge,
    codeChallengeMethod: 'S256',
    authTime: Math.floor(Date.now() / 1000),
  } as never);
  codes.push(await code.save());
  if (i === 0) token = await new provider.AccessToken(about as never).save();
}
for (let i = 0; i < Number(count); i += 100) {
  await Promise.all(
    Array.from({ length: Math.min(100, Number(count) - i) }, (_, n) => make(i + n)),
  );
}
const handle = provider.callback();
server.on('request', (request, response) => void handle(request, response));
process.stdout.write(`${JSON.stringify({ origin, codes, token })}\n`);
