// How much assistants may do without asking, where a person's settings say so: widening it is drift.
import { readJson } from '../formats.ts';
import { isFields, lookUp } from '../mcp/servers.ts';
import type { Source } from '../source.ts';

const FILES = ['.claude/settings.json', '.claude/settings.local.json'];

export const aiPermissions: Source = {
  name: 'ai_permissions',
  platforms: ['linux', 'darwin', 'win32'],
  looksAt: ['home'],
  async *discover(look) {
    for (const path of FILES) {
      const settings = await readJson(look, path);
      const mode = isFields(settings) ? lookUp(settings, 'permissions.defaultMode') : null;
      if (typeof mode !== 'string' || !/^[A-Za-z]{1,32}$/.test(mode)) continue;
      yield {
        kind: 'ai_tool',
        key: 'claude-code-permission-mode',
        name: 'Claude Code permission mode',
        path: look.shown(path),
        permissions: [`permissions.defaultMode=${mode}`],
        details: { modes: [mode] },
      };
    }
  },
};
