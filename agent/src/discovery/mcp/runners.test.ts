// Launches by every runner and wrapper identify the same package as the same product, and different code as different
// products.
import { describe, expect, test } from 'vitest';
import { showArguments } from '../redaction/argument-allowlist.ts';
import { splitWords } from './command-line.ts';
import { identifyProduct, launchHash } from './identity.ts';
import { parseLaunch, plainDefinition } from './launch.ts';
import { classifyWords } from './names.ts';

function read(line: string) {
  const [command = '', ...args] = splitWords(line);
  const server = plainDefinition({ command, args, url: null }, ['/home/alice']);
  const launch = parseLaunch(server);
  const product = identifyProduct(server);
  if (launch === null || product === null) throw new Error(`no launch: ${line}`);
  const shown = showArguments(server.args, classifyWords(launch)).join(' ');
  return { ...product, shown, hash: launchHash(server, product) };
}

const variable = (name: string) => `$\{${name}}`;

/** The ways in which people start a package of npm. */
const NPM = (pkg: string) => [
  `npx -y ${pkg}`,
  `npx ${pkg}`,
  `npx --yes --package=${pkg} tool`,
  `bunx ${pkg}`,
  `bun x ${pkg}`,
  `pnpx ${pkg}`,
  `pnpm dlx ${pkg}`,
  `pnpm --silent dlx ${pkg}`,
  `yarn dlx -q ${pkg}`,
  `npm exec -y -- ${pkg}`,
  `npm x ${pkg}`,
  `deno run -A npm:${pkg}`,
  `deno run -A npm:${pkg}/dist/cli.js`,
  `npx -y bun x ${pkg}`,
  `corepack pnpm dlx ${pkg}`,
  `cmd /c npx -y ${pkg}`,
  `env A=b npx -y ${pkg}`,
  `cross-env A=b npx -y ${pkg}`,
  `npx cross-env A=b npx -y ${pkg}`,
  `pnpm dlx cross-env A=b npx -y ${pkg}`,
  `bunx cross-env A=b bunx ${pkg}`,
  `npx -p cross-env cross-env A=b npx ${pkg}`,
  `npx -y dotenv-cli -e .env -- npx -y ${pkg}`,
  `bunx dotenv-cli -e .env -- npx -y ${pkg}`,
  `dotenv -e .env -- npx -y ${pkg}`,
  `npx @dotenvx/dotenvx run -f .env -- npx -y ${pkg}`,
  `npx env-cmd -f .env npx -y ${pkg}`,
  `uvx --from python-dotenv[cli] dotenv run -- npx -y ${pkg}`,
  `op run --env-file .env -- npx -y ${pkg}`,
  `doppler run -- npx -y ${pkg}`,
  `nix-shell -p nodejs --run "npx -y ${pkg}"`,
  `nix shell nixpkgs#nodejs -c npx -y ${pkg}`,
  `nix develop --command npx -y ${pkg}`,
  `bash -c "npx -y ${pkg}"`,
  `bash -lc "exec npx -y ${pkg}"`,
  `sh -c "A=b npx -y ${pkg} --token $TOKEN"`,
  `zsh -ic "cd /srv/x && npx -y ${pkg} 2>/dev/null"`,
  `bash -euo pipefail -c "source ~/.nvm/nvm.sh; npx -y ${pkg}"`,
  `powershell -NoProfile -Command npx -y ${pkg}`,
  `npx -y supergateway --stdio "npx -y ${pkg}" --port 8000`,
  `supergateway --port 8000 --stdio "npx -y ${pkg}"`,
  `pnpm dlx supergateway --stdio "npx -y ${pkg}"`,
  `uvx mcp-proxy --port 8080 -- npx -y ${pkg}`,
  `npx -y mcp-proxy --port 8080 npx -y ${pkg}`,
  `uvx mcpo --port 8000 --api-key swordfish -- npx -y ${pkg}`,
  `docker run -i --rm node:22-alpine npx -y ${pkg}`,
  `docker run -i --rm -e TOKEN --entrypoint npx node:22 -y ${pkg}`,
  `podman run -i node:22 sh -c "npx -y ${pkg}"`,
  `node /usr/lib/node_modules/${pkg}/dist/index.js`,
  `sudo -u ada npx -y ${pkg}`,
  `mise exec node@22 -- npx -y ${pkg}`,
  `volta run npx -y ${pkg}`,
];
const PYPI = (pkg: string) => [
  `uvx ${pkg}`,
  `uvx --from ${pkg} tool`,
  `uvx --python 3.12 --with extra ${pkg}`,
  `uv tool run ${pkg}`,
  `pipx run ${pkg}`,
  `python -m pipx run ${pkg}`,
  `py -m uv tool run ${pkg}`,
  `pipx run --spec ${pkg} tool`,
  `uv run --with ${pkg} ${pkg}`,
  `uv run --with ${pkg} tool`,
  `uv run --no-project --with ${pkg} python -m ${pkg.replaceAll('-', '_')}`,
  `uv run --with ${pkg} -m ${pkg.replaceAll('-', '_')}`,
  `bash -c "uvx ${pkg}"`,
  `npx cross-env A=b uvx ${pkg}`,
  `supergateway --stdio "uvx ${pkg}"`,
  `docker run -i ghcr.io/astral-sh/uv:latest uvx ${pkg}`,
];
const ADDRESS = (url: string) => [
  `npx -y mcp-remote ${url}`,
  `npx mcp-remote@latest ${url} 3334 --header "Authorization: Bearer x"`,
  `bunx mcp-remote --header X:y ${url}`,
  `pnpm dlx mcp-remote ${url} --allow-http`,
  `mcp-remote ${url}`,
  `npx -y supergateway --sse ${url}`,
  `npx -y supergateway --streamableHttp ${url}`,
  `uvx mcp-proxy ${url}`,
  `mcp-proxy --transport streamablehttp ${url}`,
  `bash -c "npx -y mcp-remote ${url}"`,
];
const SMITHERY = (name: string) => [
  `npx -y @smithery/cli run ${name}`,
  `npx -y @smithery/cli@latest run ${name} --key 0f0e0d0c-1111-2222-3333-444455556666`,
  `bunx @smithery/cli run ${name} --config {}`,
  `cmd /c npx -y @smithery/cli@latest run ${name}`,
  `smithery run ${name}`,
];
const IMAGE = (image: string) => [
  `docker run -i --rm ${image}:1.2`,
  `docker run -i --rm -e TOKEN=x -v /a:/b --network host ${image}`,
  `docker run --pull always -i ${image}:latest stdio --verbose`,
  `podman run -i ${image}:2`,
  `nerdctl run -i ${image}`,
  `bash -c "docker run -i ${image}"`,
  `npx cross-env A=b docker run -i ${image}`,
];

describe('product with different launches', () => {
  test.each([
    ...['task-master-ai', '@acme/tool2026', 'key-value-store-mcp'].map(
      (pkg) => [pkg, NPM(pkg)] as const,
    ),
    ...['pypi-query-mcp-server', 'acme-disk-mcp'].map((pkg) => [pkg, PYPI(pkg)] as const),
    ...['https://mcp.example.com/network_api/mcp'].map(
      (url) => [url.slice(8), ADDRESS(url)] as const,
    ),
    ...['@acme/search', 'acme-calendar'].map((name) => [name, SMITHERY(name)] as const),
    ...[
      'mcp/fetch',
      'ghcr.io/example7/notes-mcp',
      'registry.example.com:5000/team2026/search-mcp',
    ].map((image) => [image, IMAGE(image)] as const),
  ])('identifies every launch of %s alike', (name, lines) => {
    const [first = ''] = lines;
    for (const line of lines) {
      expect(read(line).name, line).toBe(name);
      expect(read(line).key, line).toBe(read(first).key);
    }
  });
});

describe('different code', () => {
  const PAIRS: [string, string][] = [
    ...NPM('task-master-a').map((line, at): [string, string] => [
      line,
      NPM('task-master-b')[at] ?? '',
    ]),
    ...PYPI('network-a').map((line, at): [string, string] => [line, PYPI('network-b')[at] ?? '']),
    ...ADDRESS('https://h.example/a').map((line, at): [string, string] => [
      line,
      ADDRESS('https://h.example/b')[at] ?? '',
    ]),
    ...SMITHERY('@acme/a').map((line, at): [string, string] => [
      line,
      SMITHERY('@acme/b')[at] ?? '',
    ]),
    ...IMAGE('acme/a').map((line, at): [string, string] => [line, IMAGE('acme/b')[at] ?? '']),
    // A package, an image and a program of the same name.
    ['npx acme-mcp', 'uvx acme-mcp'],
    ['docker run acme-mcp', 'acme-mcp'],
    ['npx -y @smithery/cli run @acme/x', 'npx -y @acme/x'],
    // An inner command that cannot be read.
    ['bash -c "a | b"', 'bash -c "a | c"'],
    ['bash -c "eval a && npx acme"', 'npx acme'],
    ['supergateway --stdio "a | b"', 'supergateway --stdio "a | c"'],
    ['npx -y supergateway --stdio "a | b"', 'npx -y supergateway --stdio "a | c"'],
    ['nix-shell --run "a; b"', 'nix-shell --run "a; c"'],
    ['acme-wrap -- npx -y a', 'acme-wrap -- npx -y b'],
    ['acme-wrap "npx -y a"', 'acme-wrap "npx -y b"'],
    ['npx acme-wrap -- npx -y a', 'npx acme-wrap -- npx -y b'],
    ['npx acme-wrap node /srv/a.js', 'npx acme-wrap node /srv/b.js'],
    ['ssh host "npx -y a"', 'ssh host "npx -y b"'],
    ['node -e "a()"', 'node -e "b()"'],
    ['node -e "x = 1"', 'node -e "x = 2"'],
    ['acme-wrap -- node -e "f(1)"', 'acme-wrap -- node -e "f(2)"'],
    ['python -c "a()"', 'python -c "b()"'],
    ['powershell -EncodedCommand SQBFAFgA', 'powershell -EncodedCommand SQBFAFgB'],
    ['docker exec -i notes node a.js', 'docker exec -i notes node b.js'],
    ['docker compose exec app php artisan a:b', 'docker compose exec app php artisan a:c'],
    ['docker run node:22 node /app/a.js', 'docker run node:22 node /app/b.js'],
    ['docker run node:22 node /app/a.js', 'docker run node:20x node /app/b.js'],
    ['npx k4m7p-t2w9x', 'npx c6v3b-n8r5d'],
    // Tasks, modules and scripts.
    ['php artisan acme:serve', 'php artisan acme:mcp'],
    ['bin/rails acme:serve', 'bin/rails acme:mcp'],
    ['rails runner A.run', 'rails runner B.run'],
    ['php bin/console acme:serve', 'php bin/console acme:mcp'],
    ['python manage.py acme_serve', 'python manage.py acme_mcp'],
    ['npm run mcp:a', 'npm run mcp:b'],
    ['npm run mcp -w a', 'npm run mcp -w b'],
    ['node --run mcp:a', 'node --run mcp:b'],
    ['make mcp -f a.mk', 'make mcp -f b.mk'],
    ['make A=b mcp-a', 'make A=b mcp-b'],
    ['dart run acme:a', 'dart run acme:b'],
    ['gradle :a:run', 'gradle :b:run'],
    ['acme-wrap -- node -p a', 'acme-wrap -- node -p b'],
    ['npx -p acme -p a-tool tool', 'npx -p acme -p b-tool tool'],
    ['python -m mcp run a.py', 'python -m mcp run b.py'],
    ['node .', 'node ./src'],
    ['yarn workspace a run mcp', 'yarn workspace b run mcp'],
    ['pnpm --filter a mcp', 'pnpm --filter b mcp'],
    ['make -f a.mk mcp', 'make -f b.mk mcp'],
    ['cargo run --bin a', 'cargo run --bin b'],
    ['dotnet run --project a', 'dotnet run --project b'],
    ['go run ./cmd/a', 'go run ./cmd/b'],
    ['java -cp a.jar com.acme.Main', 'java -cp b.jar com.acme.Main'],
    ['python -m network_server', 'python -m network_client'],
    ['uvicorn acme.a:app', 'uvicorn acme.b:app'],
    ['uv --directory /srv/x run a.py', 'uv --directory /srv/x run b.py'],
    ['python disk_usage_server.py', 'python disk_usage_client.py'],
    ['julia a.jl', 'julia b.jl'],
    [`node ${variable('env:A')}/x.js`, `node ${variable('env:B')}/x.js`],
    [`node ${variable('workspaceFolder')}/a.js`, `node ${variable('workspaceFolder')}/b.js`],
    ['node %A_DIR%/x.js', 'node %B_DIR%/x.js'],
    ['node {env:A}/x.js', 'node {env:B}/x.js'],
    ['$A_DIR/acme', '$B_DIR/acme'],
    [`docker run ${variable('A_IMAGE')}`, `docker run ${variable('B_IMAGE')}`],
    [`npx mcp-remote ${variable('input:a')}/mcp`, `npx mcp-remote ${variable('input:b')}/mcp`],
    [
      `npx mcp-remote https://${variable('H:-a.example')}/mcp`,
      `npx mcp-remote https://${variable('H:-b.example')}/mcp`,
    ],
    [
      'uvx --from git+https://h.example/m#subdirectory=a x',
      'uvx --from git+https://h.example/m#subdirectory=b x',
    ],
  ];
  test.each(PAIRS)('distinguishes %s and %s by product and hash', (first, other) => {
    expect(read(first).key).not.toBe(read(other).key);
    expect(read(first).hash).not.toBe(read(other).hash);
  });
});

test.each([
  ['npx -y @acme/x@1.0.0', 'npx -y @acme/x@1.0.1'],
  ['docker run acme/x:1', 'docker run acme/x:2'],
  ['npx --registry https://a.example acme', 'npx --registry https://b.example acme'],
  ['npx -p acme-a tool', 'npx -p acme-b tool'],
  [
    'uvx --from git+https://h.example/m@0123456789abcdef0123456789abcdef01234567 x',
    'uvx --from git+https://h.example/m@1123456789abcdef0123456789abcdef01234567 x',
  ],
  [
    'node /opt/0123456789abcdef0123456789abcdef/x.js',
    'node /opt/1123456789abcdef0123456789abcdef/x.js',
  ],
  ['acme --profile k8s2x', 'acme --profile k9s3y'],
])('distinguishes %s and %s by hash', (first, other) => {
  expect(read(first).hash).not.toBe(read(other).hash);
});

test.each([
  ['npx -y acme --token swordfish', 'npx -y acme --token tunafish'],
  ['npx -y acme --api-key=a', 'npx -y acme --api-key=b'],
  ['docker run -e TOKEN=a acme/x', 'docker run -e TOKEN=b acme/x'],
  [
    'npx mcp-remote https://h.example/mcp --header "Authorization: Bearer a"',
    'npx mcp-remote https://h.example/mcp --header "Authorization: Bearer b"',
  ],
  [
    'npx mcp-remote https://u:a@h.example/mcp?key=x',
    'npx mcp-remote https://u:b@h.example/mcp?key=y',
  ],
  ['acme auth login a1', 'acme auth login b1'],
])('treats %s and %s with different secrets as the same product and hash', (first, other) => {
  expect(read(first).key).toBe(read(other).key);
  expect(read(first).hash).toBe(read(other).hash);
});

test.each([
  ['node $HOME/tools/alpha.js', 'node alpha.js', '~/tools/alpha.js'],
  [`node ${variable('userHome')}/tools/alpha.js`, 'node alpha.js', '~/tools/alpha.js'],
  ['node /home/alice/tools/alpha.js', 'node alpha.js', '~/tools/alpha.js'],
  [`node ${variable('env:TOOLS')}/alpha.js`, 'node alpha.js', `${variable('env:TOOLS')}/alpha.js`],
  ['node {env:TOOLS}/index.js', 'node {env:TOOLS}/index.js', '{env:TOOLS}/index.js'],
  ['python %APPDATA%/acme/gamma.py', 'python gamma.py', '%APPDATA%/acme/gamma.py'],
  [`node ${variable('TOOLS:-/opt/swordfish')}/a.js`, 'node a.js', `${variable('TOOLS')}/a.js`],
  ['php /srv/app/artisan acme:serve', 'php artisan acme:serve', '/srv/app/artisan acme:serve'],
  ['uvx acme-mcp[cli]>=1.2,<2', 'acme-mcp', 'acme-mcp[cli]>=1.2,<2'],
  ['npx acme@1.x', 'acme', 'acme@1.x'],
  ['npx acme@latest', 'acme', 'acme@latest'],
  ['docker run example:blauerhund7x', 'example', 'run example:[cut]'],
  ['docker run -i redis:7.2-alpine', 'redis', 'run -i redis:7.2-alpine'],
  ['docker run root:123456', 'root', 'run root:[cut]'],
  [
    'docker compose exec app php artisan a:b',
    'docker compose app php artisan a:b',
    'compose exec app php artisan a:b',
  ],
  [
    'docker exec -i notes node /srv/alpha.js',
    'docker exec notes node alpha.js',
    'exec -i notes node /srv/alpha.js',
  ],
  [
    'npx -y @smithery/cli run --key swordfish @acme/x',
    '@acme/x',
    '-y @smithery/cli run --key [cut] @acme/x',
  ],
  ['bazel run //tools:mcp', 'bazel //tools:mcp', 'run //tools:mcp'],
  ['nix run github:acme/tool2026', 'github:acme/tool2026', 'run github:acme/tool2026'],
  ['acme-srv auth login kiwi', 'acme-srv auth', 'auth login [cut]'],
  ['/opt/acme/x9k2a-b7d3e --flag', '[cut]', '--flag'],
  ['node /srv/x9k2a-b7d3e/index.js', 'node [cut]/index.js', '/srv/[cut]/index.js'],
])('identifies %s as %s and shows it as %s', (line, name, shown) => {
  expect(read(line)).toMatchObject({ name, shown });
});

describe('texts of any length', () => {
  const long = 'a/'.repeat(5000);
  const product = (command: string, ...args: string[]) =>
    identifyProduct({ command, args, url: null });

  test.each<[string, string[], string[]]>([
    [
      'a script of a shell',
      ['bash', '-c', `npx acme${' '.repeat(9000)};a`],
      ['bash', '-c', `npx acme${' '.repeat(9000)};b`],
    ],
    ['its beginning', ['bash', '-c', `npx acme${' '.repeat(9000)};a`], ['npx', 'acme']],
    ['a path', ['node', `./${long}x.js`], ['node', `./${long}y.js`]],
    [
      'an address',
      ['mcp-remote', `https://h.example/${long}x`],
      ['mcp-remote', `https://h.example/${long}y`],
    ],
  ])(
    'distinguishes long texts by their end: %s',
    (_, [command = '', ...args], [other = '', ...others]) => {
      expect(product(command, ...args)?.key).not.toBe(product(other, ...others)?.key);
    },
  );

  test('reports long texts within the limit', () => {
    const found = product('node', `src/${'a'.repeat(50_000)}.js`);
    for (const text of [found?.name, found?.key, found?.entryKey]) {
      expect(text?.length).toBeLessThan(1200);
    }
    expect(found?.launch?.token).toBeNull();
  });
});

test('finds an entry by its own text in any project', () => {
  const project = { key: 'package.json:acme', name: 'acme', folder: null };
  const at = (cwd: string | null) => ({ command: 'node', args: ['index.js'], url: null, cwd });
  const keys = [null, 'alpha', 'beta'].map((cwd) => identifyProduct(at(cwd), project)?.entryKey);
  expect(new Set(keys).size).toBe(3);
  expect(identifyProduct(at('alpha'), null)?.entryKey).toBe(keys[1]);
});
