// The connection to the hub validates certificates, pins a key, and uses proxies.

import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { hasOpenssl, startTlsHub } from '../../test/tls-hub.ts';
import { openConnector, type TlsTrust } from './hub-connector.ts';
import { openTunnelledAgent } from './proxy-tunnel.ts';

const NOBODY: TlsTrust = { caFile: null, pin: null, proxy: null };

async function ask(url: string, trust: TlsTrust, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const connector = openConnector(new URL(url), trust, env);
  try {
    return await new Promise((resolve, reject) => {
      const request = connector.request(new URL(url), { method: 'GET' });
      request.on('error', reject);
      request.on('response', (response) => {
        response.setEncoding('utf8');
        let text = '';
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve(text));
      });
      request.end();
    });
  } finally {
    connector.close();
  }
}

test.runIf(hasOpenssl)(
  'trusts a certificate of a configured authority for its own name only',
  async () => {
    const hub = await startTlsHub({ is: 'hub' });
    await expect(ask(hub.url, NOBODY)).rejects.toThrow(/self-signed/);
    expect(await ask(hub.url, { ...NOBODY, caFile: hub.caFile })).toBe('{"is":"hub"}');
    const other = await startTlsHub({}, 'other.example');
    await expect(ask(other.url, { ...NOBODY, caFile: other.caFile })).rejects.toThrow(
      /other\.example/,
    );
    await expect(ask(hub.url, { ...NOBODY, caFile: '/nowhere' })).rejects.toThrow(
      'backend.ca_file',
    );
  },
);

test.runIf(hasOpenssl)('reloads a replaced authority file once', async () => {
  const [former, hub] = [await startTlsHub({}), await startTlsHub({})];
  const caFile = join(dirname(hub.caFile), 'authorities.pem');
  writeFileSync(caFile, readFileSync(former.caFile));
  const connector = openConnector(new URL(hub.url), { ...NOBODY, caFile }, {});
  const answered = () => {
    const request = connector.request(new URL(hub.url), { method: 'GET' });
    request.end();
    return once(request, 'response').then(([response]) => (response as IncomingMessage).resume());
  };
  await expect(answered()).rejects.toThrow(/self-signed/);
  expect([connector.widen(), connector.widen()]).toEqual([true, false]);
  await expect(answered()).rejects.toThrow(/self-signed/);
  writeFileSync(caFile, readFileSync(hub.caFile, 'utf8') + readFileSync(former.caFile, 'utf8'));
  expect([connector.widen(), connector.widen()]).toEqual([true, false]);
  await answered();
  connector.close();
});

test.runIf(hasOpenssl)('requires the pinned key before it sends anything', async () => {
  const hub = await startTlsHub({ is: 'hub' });
  const { caFile, pin } = hub;
  expect(await ask(hub.url, { ...NOBODY, caFile, pin })).toBe('{"is":"hub"}');
  const wrong = pin.replace(/./, (digit) => (digit === '0' ? '1' : '0'));
  await expect(ask(hub.url, { ...NOBODY, caFile, pin: wrong })).rejects.toThrow(
    'shows another key',
  );
  // Several keys may be pinned and any of them is accepted: the next key is known before the hub uses it.
  expect(await ask(hub.url, { ...NOBODY, caFile, pin: `${wrong},${pin}` })).toBe('{"is":"hub"}');
  // The pin takes nothing from the certificate's own checks.
  await expect(ask(hub.url, { ...NOBODY, pin })).rejects.toThrow(/self-signed/);
});

test.runIf(hasOpenssl)('uses a proxy of the environment unless the hub is exempt', async () => {
  const asked: string[] = [];
  const proxy = http.createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('by proxy');
  });
  proxy.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.close();
  });
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const env = { HTTPS_PROXY: address, HTTP_PROXY: address };
  // Without its scheme, as many write it; what is no proxy of ours is refused without being shown.
  const bare = { https_proxy: address.replace('http://', '') };
  await expect(ask('https://hub.invalid/x', NOBODY, bare)).rejects.toThrow(/tunnel.* 403/);
  for (const wrong of ['socks5://u:planted@127.0.0.1:9', 'http://u:planted@:::', 'a b']) {
    const line = /^https_proxy (is no address of a proxy|names a proxy that is neither)/;
    await expect(ask('https://hub.invalid/x', NOBODY, { https_proxy: wrong })).rejects.toThrow(
      line,
    );
  }
  expect(asked.splice(0)).toEqual(['hub.invalid:443']);
  await expect(ask('https://hub.invalid/x', NOBODY, env)).rejects.toThrow();
  expect(asked).toEqual(['hub.invalid:443']);
  for (const NO_PROXY of ['hub.invalid', 'invalid', 'other, .invalid:443']) {
    await expect(ask('https://hub.invalid/x', NOBODY, { ...env, NO_PROXY })).rejects.toThrow(
      /ENOTFOUND|EAI_AGAIN/,
    );
  }
  const hub = await startTlsHub({ is: 'hub' });
  expect(await ask(hub.url, { ...NOBODY, caFile: hub.caFile }, env)).toBe('{"is":"hub"}');
  expect(asked).toHaveLength(1);
  // The configuration's proxy counts whatever the environment of the caller contains.
  const elsewhere = { HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '*' };
  await expect(
    ask('https://hub.invalid/x', { ...NOBODY, proxy: address }, elsewhere),
  ).rejects.toThrow(/tunnel.* 403/);
});

test.runIf(hasOpenssl)("trusts a TLS proxy by the hub's authorities, without the pin", async () => {
  const hub = await startTlsHub({ is: 'hub' }, 'hub.invalid');
  const shown = await startTlsHub({});
  const proxy = https.createServer({
    key: readFileSync(join(dirname(shown.caFile), 'key.pem')),
    cert: readFileSync(shown.caFile),
  });
  proxy.on('connect', (_request, socket) => {
    const onward = connect(Number(new URL(hub.url).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  const address = `https://localhost:${(proxy.address() as AddressInfo).port}`;
  const both = join(dirname(hub.caFile), 'both.pem');
  writeFileSync(both, readFileSync(hub.caFile, 'utf8') + readFileSync(shown.caFile, 'utf8'));
  const trust = { caFile: both, pin: hub.pin, proxy: address };
  expect(await ask('https://hub.invalid/x', trust)).toBe('{"is":"hub"}');
  const wrong = { ...trust, pin: shown.pin };
  await expect(ask('https://hub.invalid/x', wrong)).rejects.toThrow('shows another key');
});

test.runIf(hasOpenssl)(
  'handles a proxy that answers in a hundred pieces, requires authentication, or never answers or ends',
  async () => {
    const hub = await startTlsHub({ is: 'hub' }, 'hub.invalid');
    const trustBy = (address: string) => ({ caFile: hub.caFile, pin: null, proxy: address });
    const proxyThat = async (answers: (socket: Socket, asked: IncomingMessage) => void) => {
      const proxy = http.createServer();
      proxy.on('connect', (asked, socket) => {
        socket.on('error', () => undefined);
        onTestFinished(() => {
          socket.destroy();
        });
        answers(socket as Socket, asked);
      });
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => {
        proxy.close();
      });
      return `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    };
    const onward = (socket: Socket) => {
      const there = connect(Number(new URL(hub.url).port), '127.0.0.1');
      there.on('error', () => undefined);
      there.pipe(socket).pipe(there);
    };
    const inPieces = await proxyThat(async (socket) => {
      socket.setNoDelay(true);
      socket.write('HTTP/1.1 200 OK\r\n');
      for (let piece = 0; piece < 100; piece++) {
        socket.write(`x-${piece}: y\r\n`);
        await wait(2);
      }
      socket.write('\r\n');
      onward(socket);
    });
    const url = 'https://hub.invalid/x';
    expect(await ask(url, trustBy(`http://${inPieces}`))).toBe('{"is":"hub"}');
    const named = await proxyThat((socket, asked) => {
      const wanted = `Basic ${Buffer.from('bob:p@ss w/rd').toString('base64')}`;
      if (asked.headers['proxy-authorization'] !== wanted) {
        socket.end('HTTP/1.1 407 Who\r\ncontent-length: 0\r\n\r\n');
        return;
      }
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward(socket);
    });
    expect(await ask(url, trustBy(`http://bob:p%40ss%20w%2Frd@${named}`))).toBe('{"is":"hub"}');
    await expect(ask(url, trustBy(`http://bob:planted@${named}`))).rejects.toThrow(
      `tunnel to hub.invalid:443 via http://${named}: HTTP/1.1 407 Who`,
    );
    const silent = await proxyThat(() => undefined);
    const endless = await proxyThat((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x: y\r\n'), 5);
      socket.on('close', () => clearInterval(timer));
    });
    for (const address of [silent, endless]) {
      const agent = openTunnelledAgent(new URL(`http://${address}`), {}, 700);
      const request = https.request(url, { agent });
      const asked = once(request, 'response');
      request.end();
      await expect(asked).rejects.toThrow('no whole answer within 1 s');
      // The stopping service does not wait for the connection.
      const another = https.request(url, { agent });
      const given = once(another, 'response');
      another.end();
      await wait(50);
      agent.destroy();
      await expect(given).rejects.toThrow('given up');
    }
  },
);
