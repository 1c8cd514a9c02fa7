// Files that tell assistants what to do, and skills that people gave them: their hashes, and characters nobody sees.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { findProjects } from '../projects.ts';
import type { Look, Source } from '../source.ts';

const OF_PERSON = [
  '.claude/CLAUDE.md',
  '.codex/AGENTS.md',
  '.gemini/GEMINI.md',
  '.config/opencode/AGENTS.md',
];
const OF_PROJECT = [
  'CLAUDE.md',
  'CLAUDE.local.md',
  'AGENTS.md',
  'GEMINI.md',
  '.cursorrules',
  '.windsurfrules',
  '.clinerules',
  '.roorules',
  '.github/copilot-instructions.md',
  '.cursor/rules/*.mdc',
];
const SKILLS = ['.claude', '.agents', '.cursor', '.github', '.codex', '.kiro'];
const SKILLS_OF_PERSON = [...SKILLS, '.copilot', '.gemini', '.codeium/windsurf', '.openclaw'];
const MAX_BYTES = 1024 * 1024;
const AT_ONCE = 20;
/** Zero-width characters and tags: read by models, seen by nobody. */
const HIDDEN = /[\u200b-\u200d\u2060\ufeff\u{e0000}-\u{e007f}]/gu;

export const instructionFiles: Source = {
  name: 'instruction_file',
  platforms: ['linux', 'darwin', 'win32'],
  looksAt: ['home'],
  async *discover(look) {
    let done = 0;
    const paths = OF_PERSON.filter((path) => look.has(path));
    for (const project of await findProjects(look)) {
      const there = OF_PROJECT.filter((path) => project.names.has(path.split('/', 1)[0] ?? ''));
      paths.push(...there.flatMap((path) => look.expand(join(project.path, path))));
    }
    for (const path of paths) {
      if (++done % AT_ONCE === 0) await look.turn();
      // Some editors take a folder of that name.
      const text = look.kindOf(path) === 'folder' ? null : look.text(path, MAX_BYTES);
      if (text === null) continue;
      const name = path.endsWith('.mdc') ? 'Cursor rules' : (path.split('/').at(-1) ?? path);
      yield {
        kind: 'ai_tool',
        // What kind of file it is: each one is an instance. Their texts change all the time, which is no drift.
        key: name,
        name,
        path: look.shown(path),
        details: { files: [{ path: `~/${path}`, ...describeText(text) }] },
      };
    }
  },
};

export const skills: Source = {
  name: 'skill',
  platforms: ['linux', 'darwin', 'win32'],
  looksAt: ['home'],
  async *discover(look) {
    let done = 0;
    const paths = SKILLS_OF_PERSON.flatMap((folder) => look.expand(`${folder}/skills/*/SKILL.md`));
    for (const project of await findProjects(look)) {
      for (const folder of SKILLS.filter((one) => project.names.has(one))) {
        paths.push(...look.expand(join(project.path, folder, 'skills/*/SKILL.md')));
      }
    }
    for (const path of paths) {
      if (++done % AT_ONCE === 0) await look.turn();
      const text = look.text(path, MAX_BYTES);
      if (text === null) continue;
      const name = nameOf(text) ?? path.split('/').at(-2) ?? path;
      const { sha256, ...rest } = describeText(text);
      yield {
        kind: 'ai_tool',
        key: name,
        name,
        path: folderOf(look, path),
        // A skill is a program for an assistant: one that changed is to be looked at again.
        launchHash: sha256,
        details: { files: [{ path: `~/${path}`, sha256, ...rest }] },
      };
    }
  },
};

function folderOf(look: Look, path: string): string {
  return look.shown(path.slice(0, path.lastIndexOf('/')));
}

function describeText(text: string): { sha256: string; size: number; hidden_characters?: number } {
  const hidden = (text.replace(/^\ufeff/, '').match(HIDDEN) ?? []).length;
  return {
    sha256: createHash('sha256').update(text).digest('hex'),
    size: Buffer.byteLength(text),
    ...(hidden > 0 ? { hidden_characters: hidden } : {}),
  };
}

/** The `name:` of the front matter. */
function nameOf(text: string): string | null {
  const matter = /^\ufeff?---\r?\n([\s\S]{0,4096}?)\r?\n---/.exec(text)?.[1] ?? '';
  return /^name:[ \t]*["']?([\w .:-]{1,64}?)["']?[ \t]*$/m.exec(matter)?.[1] ?? null;
}
