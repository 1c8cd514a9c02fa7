// A launch identifies its product: the package behind a runner, the image, the URL, or the program itself.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writtenWords } from './command-line.ts';
import { identifyProduct, launchHash } from './identity.ts';
import { unwrap } from './wrappers.ts';

const key = (line: string) => {
  const [command = '', ...args] = line.split(' ');
  return identifyProduct({ command, args, url: null })?.key;
};

test.each([
  ['npx -y @scope/pkg@1.2.3 --x', 'npm:@scope/pkg'],
  ['npx --yes --package=@scope/pkg tool', 'npm:@scope/pkg'],
  ['npx -p pkg -c tool', 'npm:pkg'],
  ['/usr/bin/npx pkg@latest', 'npm:pkg'],
  ['npx.cmd pkg', 'npm:pkg'],
  ['bunx pkg', 'npm:pkg'],
  ['pnpx pkg', 'npm:pkg'],
  ['pnpm dlx pkg', 'npm:pkg'],
  ['yarn dlx pkg', 'npm:pkg'],
  ['npm exec -- pkg', 'npm:pkg'],
  ['bun x pkg', 'npm:pkg'],
  ['cmd /c npx -y pkg', 'npm:pkg'],
  ['env A=b C=d npx pkg', 'npm:pkg'],
  ['deno run -A npm:@scope/pkg@1', 'npm:@scope/pkg'],
  ['uvx Mcp_Server.Git', 'pypi:mcp-server-git'],
  ['uvx --from mcp-proxy[x]==1.0 tool', 'pypi:mcp-proxy'],
  ['uvx --python 3.12 pkg@latest', 'pypi:pkg'],
  ['uv tool run pkg', 'pypi:pkg'],
  ['pipx run --spec pkg>=2 tool', 'pypi:pkg'],
  [
    'uvx --from git+https://x:secret@github.com/Acme/Tool.git@main tool',
    'git:github.com/Acme/Tool',
  ],
  ['docker run -i --rm -e TOKEN=x -v /a:/b --network host mcp/fetch:1.0 arg', 'mcp/fetch'],
  [`docker run --rm -i ghcr.io:443/a/b@sha256:${'a'.repeat(64)}`, 'ghcr.io:443/a/b'],
  // An image of the library's is no program of the same name.
  ['podman run -it -p 80:80 image', 'library/image'],
  ['docker run -i --rm -eGITHUB_TOKEN ghcr.io/acme/tool stdio', 'ghcr.io/acme/tool'],
  ['docker run -itp8080:80 -v/a:/b -w/work -u1000 image stdio', 'library/image'],
  ['docker run -itv /a:/b image stdio', 'library/image'],
  ['npx -y mcp-remote https://mcp.example.org/sse --header X:y', 'mcp.example.org/sse'],
  ['node /home/x/weather/build/index.js', 'node:weather/index.js'],
  ['node ~/tools/notes.mjs', 'node:notes.mjs'],
  ['python3 -m acme.server', 'python:acme.server'],
  ['python3.12 -m acme.server', 'python:acme.server'],
  ['py -3 -m acme.server', 'python:acme.server'],
  ['uv run --directory /srv/acme server.py', 'python:server.py'],
  // The Python SDKs write a server so: packages that are installed beside it are not the server.
  ['uv run --with mcp[cli] mcp run /srv/notes/server.py', 'python:notes/server.py'],
  ['uv run --with fastmcp fastmcp run /srv/notes/server.py', 'python:notes/server.py'],
  ['node /usr/lib/node_modules/@acme/mcp/dist/index.js', 'npm:@acme/mcp'],
  ['node C:\\npm\\node_modules\\@acme\\mcp\\dist\\index.js', 'npm:@acme/mcp'],
  ['node /a/node_modules/b/node_modules/acme/x.js', 'npm:acme'],
  ['cmd /d /s /c npx pkg', 'npm:pkg'],
  ['npx -y --loglevel silent pkg', 'npm:pkg'],
  ['npx -y --prefix /srv/x pkg', 'npm:pkg'],
  ['npx -y acme/tool', 'git:github.com/acme/tool'],
  ['npx -y file:///srv/tool', 'npx:tool'],
  ['uvx -q --prerelease allow pkg', 'pypi:pkg'],
  ['pipx run --pip-args=-q pkg', 'pypi:pkg'],
  ['docker run -i --rm -e KEY image:word', 'library/image'],
  ['docker run -i --rm -e KEY hunter2:word', 'library/hunter2'],
  ['docker compose run --rm notes', 'docker compose:notes'],
  ['powershell -ExecutionPolicy Bypass -File C:\\srv\\notes.ps1', 'powershell:notes.ps1'],
  ['nix run nixpkgs#notes-mcp', 'nix:nixpkgs#notes-mcp'],
  ['go run github.com/acme/tool@v1.2.3', 'go:github.com/acme/tool'],
  ['dnx Acme.Mcp@1.0.0 --yes', 'nuget:acme.mcp'],
  ['dnx --token swordfish Acme.Mcp', 'nuget:acme.mcp'],
  ['npx /srv/9f86d081884c7d659a2feaa0c55ad015', 'npx:9f86d081884c7d659a2feaa0c55ad015'],
  ['/opt/x/github-mcp-server stdio', 'github-mcp-server'],
  ['claude mcp serve', 'claude'],
  ['C:\\Tools\\Acme.exe --stdio', 'acme'],
  ['pnpm --silent dlx pkg', 'npm:pkg'],
  ['npx -y tsx /srv/weather/src/server.ts', 'tsx:weather/server.ts'],
  ['env -u X A=b npx pkg', 'npm:pkg'],
  ['A=b npx pkg', 'npm:pkg'],
  ['volta run npx pkg', 'npm:pkg'],
  ['mise exec -- npx pkg', 'npm:pkg'],
  ['wsl npx pkg', 'npm:pkg'],
  ['npx --token swordfish pkg', 'npm:pkg'],
  // Account, time limit and priority are not part of the identity.
  ['sudo -u ada npx pkg -- --flag', 'npm:pkg'],
  ['sudo -nu ada nohup timeout -k 5 60 node /opt/notes/server.js', 'node:notes/server.js'],
  ['doas -u ada uvx pkg', 'pypi:pkg'],
  ['runuser -u ada -- npx pkg', 'npm:pkg'],
  ['sudo -uroot npx -y pkg', 'npm:pkg'],
  ['sudo -nuroot uvx pkg', 'pypi:pkg'],
  ['runuser -p -u ada -- npx pkg', 'npm:pkg'],
  ['runuser -u ada -- npx pkg -c /etc/pkg.json', 'npm:pkg'],
  ['flock /tmp/lock npx pkg', 'npm:pkg'],
  ['dotenv -c npx pkg', 'npm:pkg'],
  ['timeout 60 npx pkg', 'npm:pkg'],
  ['nice -n 10 ionice -c 3 npx pkg', 'npm:pkg'],
  ['taskset -c 0-3 chrt -b 0 npx pkg', 'npm:pkg'],
  ['stdbuf -o L npx pkg', 'npm:pkg'],
  ['wsl -d Ubuntu -u ada npx pkg', 'npm:pkg'],
  ['xvfb-run -s screen npx pkg', 'npm:pkg'],
  ['volta run --node 22 npx pkg', 'npm:pkg'],
  ['mise exec node@22 -- npx pkg', 'npm:pkg'],
  ['direnv exec . npx pkg', 'npm:pkg'],
  ['conda run -n work uvx pkg', 'pypi:pkg'],
  ['docker run -i --rm mcp/context7', 'mcp/context7'],
  ['docker run -i ghcr.io/acme/context7-mcp:1.2 stdio', 'ghcr.io/acme/context7-mcp'],
  ['docker run -i hunter2', 'library/hunter2'],
  // A secret is not part of the identity.
  ['acme --token swordfish', 'acme'],
  ['acme --api-key hunter2-Correct notes', 'acme:notes'],
  ['node /srv/acme/index.js -t swordfish', 'node:acme/index.js'],
  ['acme token swordfish', 'acme:token'],
  ['acme https://swordfish:x@h.example/', 'acme:h.example'],
])('identifies %s as %s', (line, expected) => {
  expect(key(line)).toBe(expected);
});

test('unwraps a shell with a single command, and keeps a shell with several', () => {
  const shell = (script: string) =>
    identifyProduct({ command: 'bash', args: ['-c', script], url: null });
  const scripts = [
    'curl x | sh',
    'curl y | sh',
    'curl x && npx -y pkg',
    'cd $(curl x) && npx -y pkg',
  ];
  expect(shell('npx -y pkg')?.key).toBe('npm:pkg');
  expect(scripts.map((script) => shell(script)?.name)).toEqual(['bash', 'bash', 'bash', 'bash']);
  expect(new Set(scripts.map((script) => shell(script)?.key)).size).toBe(scripts.length);
  // A command that only prepares the launch is not part of the identity.
  expect(shell('source ~/.nvm/nvm.sh && npx -y pkg')?.key).toBe('npm:pkg');
  expect(shell('cd /srv/x; export A=b; exec node /srv/x/notes.js')?.key).toBe('node:notes.js');
  const su = { command: 'su', args: ['ada', '-c', 'npx -y pkg'], url: null };
  expect(identifyProduct(su)?.key).toBe('npm:pkg');
  const whole = (command: string) => identifyProduct({ command, args: [], url: null })?.key;
  expect(whole('npx -y pkg')).toBe('npm:pkg');
  expect(whole('A="b c" npx -y @scope/pkg --token swordfish')).toBe('npm:@scope/pkg');
  expect(whole('/usr/local/bin/acme --token swordfish')).toBe('acme');
  expect(whole('/opt/my tools/acme --token swordfish')).toBe('acme');
  expect(whole('C:\\Program Files\\Acme\\acme.exe --token swordfish')).toBe('acme');
  const powershell = identifyProduct({
    command: 'powershell',
    args: ['-Command', 'npx pkg'],
    url: null,
  });
  expect(powershell?.key).toBe('npm:pkg');
});

test('identifies a URL by host and path without secrets', () => {
  const of = (url: string) => identifyProduct({ command: null, args: [], url })?.name;
  expect(of('https://user:pw@Mcp.Example.org/v1/?key=x#y')).toBe('mcp.example.org/v1');
  expect(of('https://mcp.example.org/s/dGhpcyBpcyBhIHZlcnkgc2VjcmV0/mcp')).toBe(
    'mcp.example.org/s/[cut]/mcp',
  );
  // A request to a host under another name must not inherit that name's decisions.
  for (const url of [
    'https://evil.example:/x@good.example/mcp',
    'https://evil.example\\@good.example/mcp',
  ]) {
    expect(of(url)).toMatch(/^evil\.example/);
  }
  expect(of('https://mcp.example.org:443/v1/mcp')).toBe('mcp.example.org/v1/mcp');
  expect(of('https://mcp.example.org.:/v1/mcp')).toBe('mcp.example.org/v1/mcp');
});

test('includes a pinned version', () => {
  const version = (spec: string) => identifyProduct({ command: 'npx', args: [spec], url: null });
  expect(version('pkg@1.2.3')).toMatchObject({ version: '1.2.3', unpinned: false });
  for (const spec of ['pkg', 'pkg@latest', 'pkg@^1.2.0', '@scope/pkg@next']) {
    expect(version(spec)).toMatchObject({ version: null, unpinned: true });
  }
});

test('never throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.array(fc.string()), (command, args) => {
      identifyProduct({ command, args, url: null });
      identifyProduct({ command: 'npx', args, url: null });
      identifyProduct({ command: 'docker', args: ['run', ...args], url: null });
      identifyProduct({ command: null, args, url: command });
      expect(launchHash({ command, args, url: null }, null)).toHaveLength(64);
    }),
  );
});

test.each([
  [['runuser', '-l', 'ada', '-c', 'npx pkg']],
  [['su', '-', 'ada', '-c', 'npx pkg']],
  [['flock', '/tmp/lock', '-c', 'npx pkg']],
])('detects that %j passes a line to a shell', (words) => {
  expect(unwrap(words).words).toEqual(['npx', 'pkg']);
});

test('reports a command line in separate words', () => {
  const line = 'npx --registry=https://evil.example/npx';
  expect(writtenWords(line, ['-y', 'files'])).toEqual({
    program: 'npx',
    args: ['--registry=https://evil.example/npx', '-y', 'files'],
  });
  expect(writtenWords('/opt/my tools/npx', ['x']).args).toEqual(['x']);
});
