// How things are told apart: entity ids, process ids and the folding of names.
import { createHash } from 'node:crypto';
import type { EntityKind, Platform } from './wire/vocabulary.ts';

/** SHA-256 of `platform \0 kind \0 source \0 key`; `key` is the product's own stable identity, never a version, path or user. */
export function entityId(
  platform: Platform,
  kind: EntityKind,
  source: string,
  key: string,
): string {
  return sha256Hex(`${platform}\0${kind}\0${source}\0${key}`);
}

/** SHA-256 of `platform \0 lower(name) \0 executable_path`: a process that nothing maps, not a PID. */
export function processId(platform: Platform, name: string, executablePath: string): string {
  return sha256Hex(`${platform}\0${name.toLowerCase()}\0${executablePath}`);
}

export function sha256Hex(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}
