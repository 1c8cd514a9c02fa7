// Conditional requests (RFC 9110 §13). ETags of editable resources come from a version counter, never from content; If-Match
// detects lost updates.
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { Type } from 'typebox';
import { HubError } from '../errors/errors.ts';

/** The empty response of a conditional GET without changes. */
export const NotModified = Type.Unsafe<undefined>({ type: 'null', description: 'Not modified' });

/** The header of a versioned write. It is optional in the schema, because its absence is a 428 and not a 400. */
export const IfMatch = Type.Object({ 'if-match': Type.Optional(Type.String()) });

const STRONG_TAG = /^"[\x21\x23-\x7e\x80-\xff]*"$/;
const ANY_TAG = /^(W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/** Returns the strong ETag of a version. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** Returns the ETag of a record without a version, which nobody changes by this API: a digest of its content. */
export function contentEtag(record: object): string {
  return `"${createHash('sha256')
    .update(canonicalize(record) ?? '')
    .digest('hex')
    .slice(0, 32)}"`;
}

/**
 * Returns the versions that If-Match allows. Throws 428 without the header, and 400 for a malformed or unquoted tag or `*`.
 * Weak tags never match. The header is checked after the resource was loaded, and compared in the UPDATE itself.
 */
export function parseIfMatch(header: string | string[] | undefined): number[] {
  const text = Array.isArray(header) ? header.join(',') : header;
  if (text === undefined || text.trim() === '') throw new HubError('precondition_required');
  const tags = splitTags(text);
  if (tags.length === 0 || !tags.every((tag) => ANY_TAG.test(tag))) {
    throw new HubError('invalid_if_match');
  }
  return tags
    .filter((tag) => STRONG_TAG.test(tag))
    .map((tag) => tag.slice(1, -1))
    .filter((text) => /^[1-9]\d{0,14}$/.test(text))
    .map(Number);
}

/** Returns whether an `If-None-Match` header matches a tag by weak comparison (RFC 9110 §8.8.3.2). */
export function matchesIfNoneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return splitTags(header).some((tag) => tag.replace(/^W\//, '') === etag);
}

function splitTags(text: string): string[] {
  // A quoted tag may contain a comma.
  return (text.match(/(?:"[^"]*"|[^,])+/g) ?? [])
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** Requires that the current version is the version the writer has read. Throws 428, 400 for a malformed header, or 412. */
export function requireMatch(header: string | string[] | undefined, version: number): void {
  if (!parseIfMatch(header).includes(version)) throw new HubError('precondition_failed');
}

/** Requires a match only if `If-Match` was sent, for writes that do not require the header. */
export function requireMatchIfSent(header: string | undefined, version: number): void {
  if (header !== undefined) requireMatch(header, version);
}
