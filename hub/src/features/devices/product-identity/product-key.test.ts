// Keys of products, by table and by property.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { entityId } from '@gatewarden/shared/identity.ts';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { describe, expect, it, test } from 'vitest';
import { AliasFile, PRODUCT_ALIASES, PRODUCT_RULES_VERSION } from './aliases.ts';
import { foldProductName, foldPublisher } from './folding.ts';
import { type IdentifiedEntity, normalizeImage, normalizeUrl } from './identities.ts';
import { describeProduct, productIdOf, productKey, serverProductIds } from './product-key.ts';

function entity(
  kind: WireEntity['kind'],
  source: string,
  name: string,
  over: Partial<IdentifiedEntity> = {},
): IdentifiedEntity {
  return { entity_id: entityId('linux', kind, source, name), kind, source, name, ...over };
}

const server = (name: string, configured: object) =>
  entity('mcp_server', 'mcp_config', name, { details: { configured: [configured] } });

describe('a curated alias', () => {
  const sightings: [string, IdentifiedEntity][] = [
    ['alias:claude-code', entity('package', 'npm', '@anthropic-ai/claude-code')],
    ['alias:claude-code', entity('application', 'homebrew', 'claude-code')],
    ['alias:claude-code', entity('package', 'winget', 'Anthropic.ClaudeCode')],
    [
      'alias:claude-code',
      entity('ai_tool', 'ai_cli', 'Claude Code', { details: { binary: 'claude' } }),
    ],
    [
      'alias:claude-code',
      entity('ide_extension', 'vscode', 'Claude Code', {
        details: { extension_id: 'anthropic.claude-code' },
      }),
    ],
    [
      'alias:claude-desktop',
      entity('application', 'app_bundle', 'Claude', {
        details: { bundle_id: 'com.anthropic.claudefordesktop' },
      }),
    ],
    [
      'alias:claude-desktop',
      entity('application', 'registry_uninstall', 'Claude', { publisher: 'Anthropic, PBC' }),
    ],
    [
      'alias:github-copilot',
      entity('ide_extension', 'jetbrains', 'GitHub Copilot', {
        details: { plugin_id: 'com.github.copilot' },
      }),
    ],
    ['alias:ollama', entity('ai_tool', 'model_server', 'Ollama')],
    [
      'alias:firefox',
      entity('application', 'registry_uninstall', 'Mozilla Firefox (x64 en-US)', {
        publisher: 'Mozilla',
      }),
    ],
    [
      'alias:slack',
      entity('application', 'registry_uninstall', 'Slack', {
        publisher: 'Slack Technologies, Inc.',
      }),
    ],
    [
      'alias:slack',
      entity('application', 'snap', 'Slack for Linux', { install_path: '/snap/slack' }),
    ],
    [
      'alias:mcp-github',
      server('@modelcontextprotocol/server-github', {
        command: 'npx',
        args: ['-y', '@modelcontextprotocol/server-github'],
      }),
    ],
    [
      'alias:mcp-github',
      server('ghcr.io/github/github-mcp-server', { command: 'docker', args: ['run', '-i'] }),
    ],
    ['alias:mcp-github', server('GitHub', { url: 'https://api.githubcopilot.com/mcp/' })],
    ['alias:mcp-fetch', server('mcp-server-fetch', { command: 'uvx', args: ['mcp-server-fetch'] })],
    // A report without the configuration has the name alone.
    ['alias:mcp-github', entity('mcp_server', 'mcp_config', '@modelcontextprotocol/server-github')],
    ['alias:mcp-github', entity('mcp_server', 'mcp_config', 'ghcr.io/github/github-mcp-server')],
    ['alias:mcp-fetch', entity('mcp_server', 'mcp_config', 'mcp-server-fetch')],
    ['alias:mcp-linear', entity('mcp_server', 'mcp_config', 'mcp.linear.app/mcp')],
  ];
  it.each(sightings)('names the product %s for %o', (key, sighting) => {
    expect(productKey(sighting)).toBe(key);
  });

  it('keeps an MCP server and an application of the same name apart', () => {
    const application = productKey(entity('application', 'snap', 'Slack'));
    const local = productKey(server('@modelcontextprotocol/server-slack', { command: 'npx' }));
    expect([application, local]).toEqual(['alias:slack', 'alias:mcp-slack']);
    expect(describeProduct(application)).toMatchObject({ category: 'application' });
    expect(describeProduct(local)).toMatchObject({ category: 'mcp_server' });
  });

  it('does not let another publisher take a curated name', () => {
    const copy = entity('application', 'registry_uninstall', 'Slack', { publisher: 'Mallory' });
    expect(productKey(copy)).toBe('application:name:mallory/slack');
  });
});

describe('without an alias', () => {
  const rows: [string, IdentifiedEntity][] = [
    ['package:npm:lodash', entity('package', 'npm', 'lodash')],
    ['package:pypi:typing-extensions', entity('package', 'python', 'typing_extensions')],
    ['package:deb:curl', entity('package', 'dpkg', 'curl')],
    ['package:brew:curl', entity('package', 'homebrew', 'curl')],
    ['application:cask:vlc', entity('application', 'homebrew', 'vlc')],
    [
      'application:bundle:org.videolan.vlc',
      entity('application', 'app_bundle', 'VLC', { details: { bundle_id: 'org.videolan.vlc' } }),
    ],
    [
      'application:flatpak:org.videolan.vlc',
      entity('application', 'desktop_entry', 'VLC', { details: { flatpak: 'org.videolan.VLC' } }),
    ],
    [
      'application:name:igor pavlov/7-zip',
      entity('application', 'registry_uninstall', '7-Zip 24.08 (x64)', {
        publisher: 'Igor Pavlov',
      }),
    ],
    [
      'extension:chromium:cjpalhdlnbpafiamejdnhcphjbkeiagm',
      entity('browser_extension', 'edge', 'uBlock Origin', {
        details: { extension_id: 'cjpalhdlnbpafiamejdnhcphjbkeiagm' },
      }),
    ],
    ['mcp_server:npm:@acme/mcp', server('@acme/mcp', { command: 'cmd', args: ['/c', 'npx'] })],
    [
      'mcp_server:image:acme/mcp',
      server('docker.io/acme/mcp', { command: 'docker', args: ['run'] }),
    ],
    [
      'mcp_server:url:https://mcp.acme.dev/v1',
      server('x', { url: 'https://MCP.acme.dev/v1/?a=b' }),
    ],
    ['mcp_server:name:/acme-mcp', server('acme-mcp', { command: 'acme-mcp.exe', args: [] })],
    ['mcp_server:npm:@acme/mcp', entity('mcp_server', 'mcp_config', '@acme/mcp@1.2.0')],
    ['mcp_server:name:/acme-mcp', entity('mcp_server', 'mcp_config', 'acme-mcp')],
    ['mcp_server:name:/acme/mcp', entity('mcp_server', 'mcp_config', 'acme/mcp')],
    ['ai_tool:skill:review', entity('ai_tool', 'skill', 'Review')],
  ];
  it.each(rows)('gives the key %s for %o', (key, row) => {
    expect(productKey(row)).toBe(key);
  });

  it('keeps scripts of two projects apart', () => {
    const launch = { command: 'python', args: ['server.py'] };
    const [first, second] = [
      server('python server.py', launch),
      server('python server.py', launch),
    ];
    const other = { ...second, entity_id: entityId('linux', 'mcp_server', 'mcp_config', 'b') };
    expect(productKey(first)).not.toBe(productKey(other));
  });

  it('finds the product of a server by the key of an agent', () => {
    const idOf = (key: string) => productIdOf(key);
    expect(serverProductIds(['npm:@modelcontextprotocol/server-github'])).toEqual([
      idOf('alias:mcp-github'),
    ]);
    expect(serverProductIds(['api.githubcopilot.com/mcp'])).toContain(idOf('alias:mcp-github'));
    expect(serverProductIds(['library/acme'])).toContain(idOf('mcp_server:image:acme'));
    expect(serverProductIds(['mcp.acme.dev/v1'])).toContain(
      idOf('mcp_server:url:https://mcp.acme.dev/v1'),
    );
    expect(serverProductIds(['node server.js'])).toEqual([]);
  });

  it('takes the image without default registry, tag and digest', () => {
    expect(normalizeImage('Docker.io/library/redis:7')).toBe('redis');
    expect(normalizeImage('localhost:5000/acme/mcp:1@sha256:00')).toBe('localhost:5000/acme/mcp');
  });

  it('takes the URL without user, default port, query and fragment', () => {
    expect(normalizeUrl('HTTPS://u:p@Mcp.Example:443/a/?q=1#f')).toBe('url:https://mcp.example/a');
    expect(normalizeUrl('mcp.example/a')).toBeNull();
  });
});

describe('folding', () => {
  test.each([
    ['Visual Studio Code 1.90.0', 'visual studio code'],
    ['Mozilla Firefox (x64 en-US)', 'mozilla firefox'],
    ['Microsoft Visual Studio Code (User)', 'microsoft visual studio code'],
    ['Office 2019', 'office 2019'],
    ['Adobe® Reader™ v11', 'adobe reader'],
    ['tool-arm64', 'tool'],
    ['1.2.3', '1.2.3'],
  ])('folds the name %s to %s', (name, folded) => {
    expect(foldProductName(name)).toBe(folded);
  });
  test.each([
    ['Slack Technologies, Inc.', 'slack technologies'],
    ['Acme GmbH & Co. KG', 'acme'],
    ['Anthropic, PBC', 'anthropic'],
    ['Debian Team <team@debian.org>', 'debian team'],
    [null, ''],
  ])('folds the publisher %s to %s', (publisher, folded) => {
    expect(foldPublisher(publisher)).toBe(folded);
  });

  const text = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }));
  const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9 ._&,()-]{0,30}$/);
  const version = fc
    .array(fc.nat({ max: 999 }), { minLength: 2, maxLength: 4 })
    .map((numbers) => numbers.join('.'));

  it('changes nothing when it is repeated', () => {
    fc.assert(
      fc.property(text, (name) => {
        expect(foldProductName(foldProductName(name))).toBe(foldProductName(name));
        expect(foldPublisher(foldPublisher(name))).toBe(foldPublisher(name));
      }),
    );
  });
  it('ignores case and a trailing version', () => {
    fc.assert(
      fc.property(word, word, version, (name, publisher, number) => {
        const keyOf = (shown: string, by: string) =>
          productKey(entity('application', 'registry_uninstall', shown, { publisher: by }));
        const key = keyOf(name, publisher);
        expect(keyOf(name.toUpperCase(), publisher.toUpperCase())).toBe(key);
        expect(keyOf(`${name} ${number}`, publisher)).toBe(key);
        expect(keyOf(`${name} (x64)`, `${publisher}, Inc.`)).toBe(key);
      }),
    );
  });
  // A pattern that backtracks exponentially would not end for these names.
  it('folds names of 500 characters with repeated suffixes', () => {
    expect(foldProductName(`${' 1.1'.repeat(128)}x`)).toBe('1.1');
    expect(foldProductName(`a${' (x64'.repeat(100)}`)).toMatch(/^a/);
    expect(foldPublisher('<@'.repeat(250))).not.toBeNull();
  });
});

describe('the alias file', () => {
  it('validates, and names each identity once among servers and once among everything else', () => {
    const file = JSON.parse(readFileSync(new URL('aliases.json', import.meta.url), 'utf8'));
    expect([...Value.Errors(AliasFile, file)]).toEqual([]);
    const seen = PRODUCT_ALIASES.flatMap(({ category, identities }) =>
      identities.map((identity) => `${category === 'mcp_server'} ${identity}`),
    );
    expect(seen.filter((identity, i) => seen.indexOf(identity) !== i)).toEqual([]);
    expect(new Set(PRODUCT_ALIASES.map((alias) => alias.id)).size).toBe(PRODUCT_ALIASES.length);
  });

  it('lists identities in the folded form in which entities have them', () => {
    const unfolded = PRODUCT_ALIASES.flatMap((alias) => alias.identities).filter((identity) => {
      const [source = '', id = ''] = identity.split(/:(.*)/s);
      if (identity !== identity.toLowerCase()) return true;
      if (source === 'pypi') return /[_.]|--/.test(id);
      if (source === 'image') return normalizeImage(id) !== id;
      if (source === 'url') return normalizeUrl(id) !== identity;
      if (source !== 'name') return false;
      const [publisher = '', name = ''] = id.split('/');
      return foldPublisher(publisher) !== publisher || foldProductName(name) !== name;
    });
    expect(unfolded).toEqual([]);
  });

  it('raises its version with each change of the rules or of the data', () => {
    const sources = ['aliases.json', 'folding.ts', 'identities.ts', 'product-key.ts'];
    const hash = createHash('sha256');
    for (const name of sources) hash.update(readFileSync(new URL(name, import.meta.url)));
    // A failure means: raise `version` in aliases.json if keys change, then write the pair anew.
    expect([PRODUCT_RULES_VERSION, hash.digest('hex').slice(0, 12)]).toMatchInlineSnapshot(`
      [
        3,
        "462adfa56790",
      ]
    `);
  });
});
