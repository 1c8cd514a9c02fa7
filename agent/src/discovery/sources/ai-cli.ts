// Command-line assistants: that they stand there and who installed them, told by paths alone. Nothing is started.
import { readJson } from '../formats.ts';
import { isFields } from '../mcp/servers.ts';
import { placesOf } from '../places.ts';
import type { Discovered, Look, Source } from '../source.ts';

interface Assistant {
  binary: string;
  name: string;
  publisher: string | null;
  /** A common word: it counts only where its real path says whose it is. */
  evidence?: RegExp;
}

/** A new assistant is a new row. */
const ASSISTANTS: readonly Assistant[] = [
  { binary: 'claude', name: 'Claude Code', publisher: 'Anthropic' },
  { binary: 'gemini', name: 'Gemini CLI', publisher: 'Google' },
  { binary: 'codex', name: 'Codex CLI', publisher: 'OpenAI' },
  { binary: 'aider', name: 'aider', publisher: null },
  { binary: 'goose', name: 'Goose', publisher: 'Block' },
  { binary: 'opencode', name: 'opencode', publisher: null },
  { binary: 'cline', name: 'Cline CLI', publisher: 'Cline' },
  { binary: 'cn', name: 'Continue CLI', publisher: 'Continue', evidence: /continuedev/ },
  { binary: 'cursor-agent', name: 'Cursor CLI', publisher: 'Anysphere' },
  { binary: 'q', name: 'Amazon Q CLI', publisher: 'Amazon', evidence: /amazon|\/q\/|kiro/i },
  { binary: 'kiro', name: 'Kiro', publisher: 'Amazon' },
  { binary: 'grok', name: 'Grok CLI', publisher: null },
];
const MACHINE = ['/usr/local/bin', '/opt/homebrew/bin', '/usr/bin'];
const HOME = [
  '.local/bin',
  'bin',
  '.bun/bin',
  '.cargo/bin',
  '.deno/bin',
  '.opencode/bin',
  '.npm-global/bin',
  'go/bin',
  '.grok/bin',
  '.claude/local',
  '.volta/bin',
  '{A}/npm',
];
/** Where versions of Node keep what was installed for all projects. */
const HOME_PATTERNS = ['.nvm/versions/node/*/bin', '{XD}/mise/installs/node/*/bin'];
const ENDINGS = { linux: [''], darwin: [''], win32: ['.exe', '.cmd', '.bat'] };

export const aiCli: Source = {
  name: 'ai_cli',
  platforms: ['linux', 'darwin', 'win32'],
  looksAt: ['machine', 'home'],
  async *discover(look) {
    const folders =
      look.owner === null
        ? MACHINE
        : [...HOME, ...HOME_PATTERNS]
            .flatMap((path) => placesOf(look.platform, path))
            .flatMap((path) => look.expand(path));
    const seen = new Set<string>();
    for (const folder of folders.filter((one) => look.kindOf(one) === 'folder')) {
      await look.turn();
      for (const assistant of ASSISTANTS) {
        for (const ending of ENDINGS[look.platform]) {
          const path = `${folder}/${assistant.binary}${ending}`;
          const real = look.executable(path);
          if (real === null || seen.has(real)) continue;
          seen.add(real);
          const found = await describe(look, assistant, path, real);
          if (found !== null) yield found;
        }
      }
    }
  },
};

async function describe(
  look: Look,
  { binary, name, publisher, evidence }: Assistant,
  path: string,
  real: string,
): Promise<Discovered | null> {
  const plain = real.replaceAll('\\', '/');
  if (evidence !== undefined && !evidence.test(plain)) return null;
  const { method, version } = await howInstalled(look, plain);
  // A person's link may lead to any program: it must not make that program the assistant's.
  const own = look.owner === null || look.locate(real) !== null;
  const isScript = method === 'npm' || method === 'pipx';
  return {
    kind: 'ai_tool',
    key: `${binary}:${method}`,
    name,
    version,
    publisher,
    path: look.shown(path),
    executables: own ? [real] : [],
    installedAt: look.changedAt(path),
    launch: isScript ? { command: method === 'npm' ? 'node' : 'python', token: real } : null,
    details: { binary, installed_by: method },
  };
}

async function howInstalled(
  look: Look,
  real: string,
): Promise<{ method: string; version: string | null }> {
  const modules = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(real)?.[1];
  if (modules !== undefined) {
    const inside = look.locate(modules);
    const manifest = inside === null ? undefined : await readJson(look, `${inside}/package.json`);
    const version = isFields(manifest) ? manifest.version : null;
    return { method: 'npm', version: typeof version === 'string' ? version : null };
  }
  const cellar = /\/(?:Cellar|Caskroom)\/[^/]+\/([^/]+)\//.exec(real)?.[1];
  if (cellar !== undefined) return { method: 'homebrew', version: cellar };
  const venv = /^(.*\/(?:pipx\/venvs|uv\/tools)\/([^/]+))\//.exec(real);
  if (venv !== null) {
    const inside = look.locate(venv[1] ?? '');
    const [info] =
      inside === null
        ? []
        : look.expand(
            `${inside}/lib/python*/site-packages/${venv[2]?.replaceAll('-', '_')}-*.dist-info`,
          );
    return { method: 'pipx', version: /-([^-]+)\.dist-info$/.exec(info ?? '')?.[1] ?? null };
  }
  const versioned = /\/versions\/([^/]+)(?:\/|$)/.exec(real)?.[1];
  if (versioned !== undefined) return { method: 'native', version: versioned };
  return { method: /^\/(usr\/)?bin\//.test(real) ? 'system' : 'binary', version: null };
}
