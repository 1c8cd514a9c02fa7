// Identifiers: entity ids and process ids as digests of their parts.
import { createHash } from 'node:crypto';
import type { EntityKind, Platform } from './wire/vocabulary.ts';

/**
 * Returns the SHA-256 of `platform \0 kind \0 source \0 key`. `key` is the stable identity of the product in its
 * source, never a version, path or user.
 */
export function entityId(
  platform: Platform,
  kind: EntityKind,
  source: string,
  key: string,
): string {
  return sha256Hex(`${platform}\0${kind}\0${source}\0${key}`);
}

/**
 * Returns the SHA-256 of `platform \0 lower(name) \0 executable_path`: the id of an unmapped program, not of an
 * operating system process.
 */
export function processId(platform: Platform, name: string, executablePath: string): string {
  return sha256Hex(`${platform}\0${name.toLowerCase()}\0${executablePath}`);
}

export function sha256Hex(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}
