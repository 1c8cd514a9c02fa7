// ETags of what people change come from a version counter, never from content; If-Match decides who wrote first.
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { Type } from 'typebox';
import { HubError } from './errors.ts';

/** The answer of a conditional GET that has nothing new: no body. */
export const NotModified = Type.Unsafe<undefined>({ type: 'null', description: 'Not modified' });

/** The header of a versioned write. Not required in the schema, or its absence would be a 400 and not a 428. */
export const IfMatch = Type.Object({ 'if-match': Type.Optional(Type.String()) });

const STRONG_TAG = /^"[\x21\x23-\x7e\x80-\xff]*"$/;
const ANY_TAG = /^(W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

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
 * The versions that If-Match allows. Absent: 428. Malformed, unquoted or `*`: 400. Weak tags never match.
 * Checked after the resource was found, compared in the UPDATE itself.
 */
export function versionsAllowed(header: string | string[] | undefined): number[] {
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

/** True where an `If-None-Match` header names this tag, weakly compared as RFC 9110 says. */
export function noneMatchHits(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return splitTags(header).some((tag) => tag.replace(/^W\//, '') === etag);
}

function splitTags(text: string): string[] {
  // A comma may stand inside a quoted tag.
  return (text.match(/(?:"[^"]*"|[^,])+/g) ?? [])
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** What was found is still what the writer read. Throws 428, 400 for a malformed header, 412. */
export function requireMatch(header: string | string[] | undefined, version: number): void {
  if (!versionsAllowed(header).includes(version)) throw new HubError('precondition_failed');
}

/** The same for writes that ask for no `If-Match`: who sends none is not held up. */
export function requireMatchIfSent(header: string | undefined, version: number): void {
  if (header !== undefined) requireMatch(header, version);
}
