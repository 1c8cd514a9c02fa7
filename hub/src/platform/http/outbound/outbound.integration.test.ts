// Users of a tenant may trigger outbound requests: no connection to a private address is made, whatever the URL looks
// like.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOutbound, findRefusal, OutboundRefused, type OutboundRules } from './outbound.ts';

let sink: Server;
let port: number;
let connections = 0;
let requests = 0;
let redirectTo: string | null = null;

beforeAll(async () => {
  sink = createServer((request, response) => {
    requests++;
    if (redirectTo === null || request.url === '/end') response.end('ok');
    else response.writeHead(302, { location: redirectTo }).end();
  });
  sink.on('connection', () => connections++);
  await new Promise<void>((resolve) => sink.listen(0, '::', resolve));
  port = (sink.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => sink.close(resolve)));
beforeEach(() => {
  connections = 0;
  requests = 0;
  redirectTo = null;
});

const CLOSED: OutboundRules = { allowed: [], own: { port: 1, origin: 'https://hub.example.com' } };
const LOOPBACK: OutboundRules = {
  ...CLOSED,
  allowed: [ipaddr.parseCIDR('127.0.0.0/8'), ipaddr.parseCIDR('::1/128')],
};
const send = () => ({ headers: {}, body: '{}', signal: AbortSignal.timeout(5_000) });

/** The refusal, also where undici wraps it. */
async function refusal(outbound: ReturnType<typeof createOutbound>, url: string): Promise<string> {
  try {
    await outbound.post(url, send());
    return 'sent';
  } catch (error) {
    if (error instanceof OutboundRefused) return error.refusal;
    const cause = (error as Error).cause;
    return cause instanceof OutboundRefused ? cause.refusal : String(error);
  }
}

const HOSTS = [
  '127.0.0.1',
  '127.9.9.9',
  '127.1',
  '0x7f.0.0.1',
  '0x7f000001',
  '0177.0.0.1',
  '017700000001',
  '2130706433',
  '①②⑦.0.0.1',
  '127.0.0.1.',
  '0.0.0.0',
  '0',
  '[::]',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::127.0.0.1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '169.254.169.254',
  '[::ffff:169.254.169.254]',
  '[64:ff9b::169.254.169.254]',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[fc00::1]',
  '[fd12::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[2001:db8::1]',
];

describe('private address', () => {
  it.each(HOSTS)('rejects %s by https and http', async (host) => {
    const outbound = createOutbound(CLOSED);
    for (const scheme of ['https', 'http']) {
      const url = `${scheme}://${host}:${port}/`;
      expect(() => outbound.check(url)).toThrow(OutboundRefused);
      expect(await refusal(outbound, url)).toBe('not_public');
    }
    await outbound.close();
    expect(connections).toBe(0);
  });

  it.each([
    ['the machine itself', [{ address: '127.0.0.1', family: 4 }]],
    ['the machine itself, by IPv6', [{ address: '::1', family: 6 }]],
    ['cloud metadata', [{ address: '169.254.169.254', family: 4 }]],
    ['IPv4 inside IPv6', [{ address: '::ffff:127.0.0.1', family: 6 }]],
    ['a translated address', [{ address: '64:ff9b::7f00:1', family: 6 }]],
    [
      'a public and a private address',
      [
        { address: '93.184.215.14', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
    ],
  ])('rejects a name that resolves to %s', async (_what, found) => {
    const outbound = createOutbound(CLOSED, (_host, _options, done) => done(null, found));
    const url = `https://hooks.example.com:${port}/`;
    expect(outbound.check(url).hostname).toBe('hooks.example.com');
    expect(await refusal(outbound, url)).toBe('not_public');
    await outbound.close();
    expect(connections).toBe(0);
  });

  it("rejects the system's own names for this machine", async () => {
    const outbound = createOutbound(CLOSED);
    for (const host of ['localhost', 'LOCALHOST.', 'hooks.localhost']) {
      const url = `https://${host}:${port}/`;
      expect(() => outbound.check(url)).toThrow(OutboundRefused);
      expect(await refusal(outbound, url)).toBe('not_public');
    }
    // The name resembles a local name, but is public.
    expect(() => outbound.check('https://localhost.example.com/')).not.toThrow();
    await outbound.close();
    const open = createOutbound(LOOPBACK);
    expect(open.check(`http://localhost:${port}/`).hostname).toBe('localhost');
    await open.close();
    expect(connections).toBe(0);
  });

  it('rejects a name that becomes private between check and connection', async () => {
    let lookups = 0;
    const outbound = createOutbound(CLOSED, (_host, _options, done) => {
      lookups++;
      done(null, [{ address: '127.0.0.1', family: 4 }]);
    });
    outbound.check(`https://rebind.example.com:${port}/`);
    expect(lookups).toBe(0);
    expect(await refusal(outbound, `https://rebind.example.com:${port}/`)).toBe('not_public');
    await outbound.close();
    expect(connections).toBe(0);
  });
});

it.each([
  ['ftp://example.com/', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['https://user@example.com/', 'user_info'],
  ['https://user:secret@example.com/', 'user_info'],
  ['http://example.com/', 'http_not_private'],
  ['http://93.184.215.14/', 'http_not_private'],
  ['https://hub.example.com/console/', 'own_listener'],
  ['https://HUB.example.com.:443/', 'own_listener'],
  ['not a url', 'invalid'],
])('rejects %s before any lookup: %s', async (url, why) => {
  const outbound = createOutbound(CLOSED);
  expect(await refusal(outbound, url)).toBe(why);
  await outbound.close();
});

describe('allowed private network', () => {
  it('allows plain http, and names that resolve completely into the network', async () => {
    const outbound = createOutbound(LOOPBACK);
    const answer = await outbound.post(`http://127.0.0.1:${port}/`, send());
    expect(answer).toEqual({ status: 200, retryAfter: null });
    await outbound.close();
    const mixed = createOutbound(LOOPBACK, (_host, _options, done) =>
      done(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ]),
    );
    expect(await refusal(mixed, `http://mixed.example.com:${port}/`)).toBe('not_public');
    await mixed.close();
    expect(requests).toBe(1);
  });

  it('allows no plain http to the public internet', async () => {
    const outbound = createOutbound(LOOPBACK, (_host, _options, done) =>
      done(null, [{ address: '93.184.215.14', family: 4 }]),
    );
    expect(await refusal(outbound, 'http://hooks.example.com/')).toBe('http_not_private');
    await outbound.close();
  });

  it("rejects the hub's own listener", async () => {
    const outbound = createOutbound({ ...LOOPBACK, own: { ...CLOSED.own, port } });
    for (const host of ['127.0.0.1', '127.0.0.2', '[::1]', 'localhost']) {
      expect(await refusal(outbound, `http://${host}:${port}/`)).toBe('own_listener');
    }
    await outbound.close();
    expect(connections).toBe(0);
  });

  it('follows no redirect out of the network', async () => {
    const outbound = createOutbound(LOOPBACK);
    redirectTo = `http://127.0.0.1:${port}/end`;
    const answer = await outbound.post(`http://127.0.0.1:${port}/`, send());
    expect(answer.status).toBe(302);
    expect(requests).toBe(1);
    await outbound.close();
  });
});

it('allows any address over https only where it is public, and never over http', () => {
  const any = fc.oneof(fc.ipV4(), fc.ipV6());
  fc.assert(
    fc.property(any, (address) => {
      const isUnicast = ipaddr.process(address).range() === 'unicast';
      const why = findRefusal(address, 'https:', 443, CLOSED);
      if (!isUnicast) expect(why).toBe('not_public');
      expect(findRefusal(address, 'http:', 80, CLOSED)).not.toBeNull();
    }),
  );
});

it.each([
  ' https://hooks.example.com/x',
  'https://hooks.example.com/x\n',
  'https://hooks.example.com/a b',
  'https://hooks.exa\tmple.com/x',
  'https://hooks.example.com/\u0085x',
])('rejects an ambiguous URL: %j', (url) => {
  expect(() => createOutbound(CLOSED).check(url)).toThrow(OutboundRefused);
});
