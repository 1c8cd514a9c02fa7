// Texts that assistants load by themselves, and skills: their hashes, and the characters that nobody sees.
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { type FoundLocation, findLocations } from '../clients/client-locations.ts';
import { INSTRUCTION_FILES, type InstructionFiles } from '../clients/instructions.ts';
import { SKILL_FOLDERS } from '../clients/skills.ts';
import type { Discovered, ScopedFs, Source } from '../source-contract.ts';

const MAX_BYTES = 1024 * 1024;
const AT_ONCE = 20;
/** Skills may be in groups, and groups in groups. */
const SKILL_DEPTH = 3;
/** Bound of folders of a location of skills. */
const MAX_SKILL_FOLDERS = 2000;
const IGNORED_FOLDERS = new Set(['node_modules', '.git', '__pycache__', '.venv', 'venv']);
/** Zero-width characters and tags: read by models, seen by nobody. */
const HIDDEN = /[\u200b-\u200d\u2060\ufeff\u{e0000}-\u{e007f}]/gu;

export const instructionFiles: Source = {
  name: 'instruction_file',
  platforms: ['linux', 'darwin', 'win32'],
  scopes: ['machine', 'home'],
  async *discover(fs) {
    const seen = new Set<string>();
    for await (const found of findLocations(fs, INSTRUCTION_FILES)) {
      if (seen.has(found.path)) continue;
      seen.add(found.path);
      // Some editors take a folder of that name.
      const text = fs.kindOf(found.path) === 'folder' ? null : fs.text(found.path, MAX_BYTES);
      if (text !== null) yield describeInstructions(fs, found, text);
    }
  },
};

/** Each file is an instance of its kind. Texts of instructions change all the time, which is no drift. */
function describeInstructions(
  fs: ScopedFs,
  { row, client, scope, path }: FoundLocation<InstructionFiles>,
  text: string,
): Discovered {
  const file = posix.basename(path);
  const own = nameInFrontMatter(text) ?? file.replace(/(\.(agent|chatmode|prompt))?\.\w+$/, '');
  const name = row.kind === undefined ? (row.name ?? file) : own;
  return {
    kind: 'ai_tool',
    key: row.kind === undefined ? name : `${row.kind}:${own}`,
    name,
    path: fs.toMachinePath(path),
    details: {
      ...(row.kind === undefined ? {} : { type: row.kind }),
      files: [{ client, scope, path: shownInDetails(fs, path), ...describeText(text) }],
    },
  };
}

export const skills: Source = {
  name: 'skill',
  platforms: ['linux', 'darwin', 'win32'],
  scopes: ['machine', 'home'],
  async *discover(fs) {
    let done = 0;
    const seen = new Set<string>();
    for await (const { row, client, scope, path: base } of findLocations(fs, SKILL_FOLDERS)) {
      for (const path of findSkillFiles(fs, base)) {
        if (seen.has(path)) continue;
        seen.add(path);
        if (++done % AT_ONCE === 0) await fs.yieldToEventLoop();
        const text = fs.text(path, MAX_BYTES);
        if (text === null) continue;
        const name = nameInFrontMatter(text) ?? posix.basename(posix.dirname(path));
        const { sha256, ...rest } = describeText(text);
        yield {
          kind: 'ai_tool',
          key: name,
          name,
          path: fs.toMachinePath(posix.dirname(path)),
          // A skill is a program for an assistant: a changed skill needs a new review.
          launchHash: sha256,
          details: {
            ...(row.builtIn === true ? { built_in: true } : {}),
            files: [{ client, scope, path: shownInDetails(fs, path), sha256, ...rest }],
          },
        };
      }
    }
  },
};

/** The skills at or below a location. A skill's own folder is not searched for others. */
function findSkillFiles(fs: ScopedFs, base: string): string[] {
  if (fs.kindOf(base) === 'file') return [base];
  const files: string[] = [];
  const waiting = [{ folder: base, depth: 0 }];
  let looked = 0;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (++looked > MAX_SKILL_FOLDERS) {
      fs.reportNotice(base, `more than ${MAX_SKILL_FOLDERS} folders`);
      break;
    }
    const { folder, depth } = next;
    const file = fs.names(folder).find((name) => name.toLowerCase() === 'skill.md');
    if (file !== undefined) files.push(`${folder}/${file}`);
    if (file !== undefined || depth === SKILL_DEPTH) continue;
    for (const name of fs.folders(folder)) {
      if (!IGNORED_FOLDERS.has(name))
        waiting.push({ folder: `${folder}/${name}`, depth: depth + 1 });
    }
  }
  return files;
}

const shownInDetails = (fs: ScopedFs, path: string): string =>
  fs.owner === null ? fs.toMachinePath(path) : `~/${path}`;

function describeText(text: string): { sha256: string; size: number; hidden_characters?: number } {
  const hidden = (text.replace(/^\ufeff/, '').match(HIDDEN) ?? []).length;
  return {
    sha256: createHash('sha256').update(text).digest('hex'),
    size: Buffer.byteLength(text),
    ...(hidden > 0 ? { hidden_characters: hidden } : {}),
  };
}

/** The `name:` of the front matter. */
function nameInFrontMatter(text: string): string | null {
  const matter = /^\ufeff?---\r?\n([\s\S]{0,4096}?)\r?\n---/.exec(text)?.[1] ?? '';
  return /^name:[ \t]*["']?([\w .:-]{1,64}?)["']?[ \t]*$/m.exec(matter)?.[1] ?? null;
}
