import { readFileSync } from 'node:fs';

/** True for root over the complete machine; root of a user namespace alone may not mount or change owners. */
export const isRoot =
  process.getuid?.() === 0 && readFileSync('/proc/self/uid_map', 'utf8').includes('4294967295');
