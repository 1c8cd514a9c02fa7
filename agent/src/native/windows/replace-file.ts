// Replaces a file on Windows without the loss of its access list.
import { win32 } from 'node:path';
import { kernel32 } from './libraries.ts';

const REPLACEFILE_IGNORE_MERGE_ERRORS = 0x2;

/**
 * Replaces the content of `file` by that of `replacement`, which is removed: attributes, access list and the streams of
 * the file stay. Returns false where Windows refuses, and nothing has changed.
 */
export function replaceKeepingAccess(file: string, replacement: string): boolean {
  const { ReplaceFileW } = kernel32();
  // In this form Windows accepts more than 260 characters.
  const paths = [file, replacement].map(win32.toNamespacedPath);
  return ReplaceFileW(...paths, null, REPLACEFILE_IGNORE_MERGE_ERRORS, null, null) !== 0;
}
