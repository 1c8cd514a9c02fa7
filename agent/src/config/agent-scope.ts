// The scope of an agent: it serves all users of the machine, or the user that runs it. The scope gives its folders, the
// homes that it reads, and on Windows where it reports its lifecycle.
import { INSTALL_FOLDER } from '../runtime/program-paths.ts';

export type AgentScope = 'machine' | 'user';

/** The folder of a user's own programs on Windows, whatever drive the profile is on. */
const USER_PROGRAMS = /\\AppData\\Local\\/i;

/**
 * Returns the scope of this process. Linux and macOS: root serves the machine. Windows: an agent that is installed in a
 * profile serves the user of this profile, also with the rights of an administrator.
 */
export function agentScope(
  platform: NodeJS.Platform = process.platform,
  { isRoot, program }: { isRoot: boolean; program: string } = {
    isRoot: process.getuid?.() === 0,
    program: INSTALL_FOLDER,
  },
): AgentScope {
  if (platform === 'win32') return USER_PROGRAMS.test(program) ? 'user' : 'machine';
  return isRoot ? 'machine' : 'user';
}
