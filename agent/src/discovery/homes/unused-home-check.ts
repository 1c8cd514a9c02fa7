// Homes in which nobody ever worked: accounts of services and of people who never came. They are not worth a process each.
import { listFolder } from '../scoped-fs/safe-reader.ts';

/** Names that a system or a shell puts into every home. No source reads any of them. */
const OF_EVERY_HOME = new Set([
  '.bash_logout',
  '.bash_profile',
  '.bashrc',
  '.bash_history',
  '.profile',
  '.zshrc',
  '.zprofile',
  '.zsh_history',
  '.cshrc',
  '.tcshrc',
  '.kshrc',
  '.login',
  '.lesshst',
  '.viminfo',
  '.hushlogin',
  '.selected_editor',
  '.sudo_as_admin_successful',
  '.wget-hsts',
  '.python_history',
  '.node_repl_history',
  '.Xauthority',
  '.ICEauthority',
  '.ssh',
  '.gnupg',
  '.npm',
]);

/** Returns whether the home contains nothing that a source could read. Lists its names and opens nothing. */
export function isUnusedHome(path: string): boolean {
  try {
    return listFolder(path)?.every(({ name }) => OF_EVERY_HOME.has(name)) ?? false;
  } catch {
    // Closed to us: its owner may see more.
    return false;
  }
}
