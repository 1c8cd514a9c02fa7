// The pages' files under the shell's own scheme, each with the policy that keeps everything else out.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../src/runtime/errors.ts';

export const SCHEME = 'gatewarden';
export const ORIGIN = `${SCHEME}://app`;
export const PAGE_URL = `${ORIGIN}/index.html`;

const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

export interface PageFile {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer> | null;
}

/**
 * Returns a file of the folder by the path of a URL: plain names of a single level, so that no path leaves the
 * folder.
 */
export function pageFile(folder: string, pathname: string): PageFile {
  const name = /^\/((?:assets\/)?[\w-]+\.(html|js|css|svg))$/.exec(pathname);
  const type = TYPES[name?.[2] ?? ''];
  if (name?.[1] === undefined || type === undefined) return NOT_FOUND;
  try {
    return {
      status: 200,
      headers: { ...HEADERS, 'content-type': type },
      body: Uint8Array.from(readFileSync(join(folder, name[1]))),
    };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return NOT_FOUND;
    throw error;
  }
}

const HEADERS = {
  'content-security-policy': CSP,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

const NOT_FOUND: PageFile = { status: 404, headers: HEADERS, body: null };
