// The hub's own version, as its package says.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const HUB_VERSION: string = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    version: string;
  }
).version;
