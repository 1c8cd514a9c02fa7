// Locates the agent's own programs: source files in a checkout, a single bundled file each in a package.
import { join } from 'node:path';

/** True in an installed package, whose code was bundled. */
export const IS_PACKAGED = import.meta.filename.endsWith('.js');

/** A bundle puts every program into the folder of this module. */
const PROGRAMS = IS_PACKAGED ? import.meta.dirname : join(import.meta.dirname, '..');

const programPath = (bundled: string, source: string): string =>
  join(PROGRAMS, IS_PACKAGED ? bundled : source);

/** Worker process that discovers software. */
export const SCAN_WORKER = programPath('scan-worker.js', 'discovery/scan/worker/scan-worker.ts');

/** Worker process that lists homes where a mount may hang. */
export const HOMES_WORKER = programPath('homes-worker.js', 'discovery/scan/worker/homes-worker.ts');

/** Worker process that edits a configuration file as its owner. */
export const EDIT_WORKER = programPath('edit-worker.js', 'enforcement/quarantine/edit-worker.ts');

/** Folder of this installation: its Node, its libraries, and in a checkout its database. */
export const INSTALL_FOLDER = join(PROGRAMS, IS_PACKAGED ? '..' : '../../node_modules');
