// Where the agent's own programs lie: sources in a checkout, one file each in a package.
import { join } from 'node:path';

/** True in an installed package, whose code was bundled. */
export const IS_PACKAGED = import.meta.filename.endsWith('.js');

const HERE = import.meta.dirname;

/** The child that looks for software. */
export const SCAN_CHILD = join(HERE, IS_PACKAGED ? 'scan-child.js' : 'discovery/child/main.ts');

/** The child that looks for homes where one may hang. */
export const HOMES_CHILD = join(HERE, IS_PACKAGED ? 'homes-child.js' : 'discovery/child/homes.ts');

/** The child that edits a configuration as its owner. */
export const QUARANTINE_CHILD = join(
  HERE,
  IS_PACKAGED ? 'quarantine-child.js' : 'enforcement/quarantine/child.ts',
);

/** This installation: its Node, its libraries, and in a checkout its database. */
export const OWN_FOLDER = join(HERE, IS_PACKAGED ? '..' : '../../node_modules');
