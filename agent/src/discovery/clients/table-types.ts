// How the tables of clients name their places.
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';

/** Patterns of paths; tokens such as `{XC}` and `{ED}` are explained in path-tokens.ts. */
export interface ClientLocations {
  /** Null: the editor of the folder `{ED}`, or the client of the plug-in. */
  client: string | null;
  /** Below a home. */
  user?: readonly string[];
  /** Below the root of a project. */
  project?: readonly string[];
  /** Below the root of a plug-in. */
  plugin?: readonly string[];
  /** From the root of the machine, by platform. */
  system?: Partial<Record<Platform, readonly string[]>>;
}

/** Settings of Claude Code that an administrator sets for a whole machine. */
export const CLAUDE_MANAGED_SETTINGS: NonNullable<ClientLocations['system']> = {
  linux: ['/etc/claude-code/managed-settings.json', '/etc/claude-code/managed-settings.d/*.json'],
  darwin: [
    '/Library/Application Support/ClaudeCode/managed-settings.json',
    '/Library/Application Support/ClaudeCode/managed-settings.d/*.json',
  ],
  win32: [
    '/Program Files/ClaudeCode/managed-settings.json',
    '/ProgramData/ClaudeCode/managed-settings.json',
  ],
};
