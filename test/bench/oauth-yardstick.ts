// `oidc-provider`, certified and in memory, with as many codes and tokens as it is asked for: what our exchange of codes
// and our check of tokens are measured against.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

const [, , count = '1000', verifier = '', redirectUri = ''] = process.argv;
const server = createServer();
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const store = new Map<string, Record<string, unknown>>();
class Memory {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
  async upsert(id: string, payload: object) {
    store.set(`${this.name} ${id}`, { ...payload });
  }
  async find(id: string) {
    return store.get(`${this.name} ${id}`);
  }
  async consume(id: string) {
    Object.assign(store.get(`${this.name} ${id}`) ?? {}, {
      consumed: Math.floor(Date.now() / 1000),
    });
  }
  async destroy(id: string) {
    store.delete(`${this.name} ${id}`);
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
  adapter: Memory as never,
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
for (let i = 0; i < Number(count); i++) {
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
const handle = provider.callback();
server.on('request', (request, response) => void handle(request, response));
process.stdout.write(`${JSON.stringify({ origin, codes, token })}\n`);
