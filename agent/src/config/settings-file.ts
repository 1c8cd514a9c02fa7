// Files that whoever looks after the device names: the configuration, a company's authorities.
import { readFileSync, statSync } from 'node:fs';
import { PlainError } from '../runtime/errors.ts';

/** Its text. Links are followed; what is no file would be waited for without an end, as a FIFO is. */
export function readSettingsFile(path: string): string {
  if (!statSync(path).isFile()) throw new PlainError(`${path} is no regular file`);
  return readFileSync(path, 'utf8');
}
