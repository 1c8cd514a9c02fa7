// The version of the hub, from its package.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const HUB_VERSION: string = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    version: string;
  }
).version;
