// HTML pages that the hub renders itself: without scripts, in the console's colors, never framed and never cached.
import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';

// The console's colors and logo (hub/console/src/app).
const STYLE = `
:root{color-scheme:light dark;--ink:#17212a;--paper:#f4f7f8;--card:#fff;--line:#dde4e8;--field:#8795a1;--accent:#0f6777;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--ink:#dbe2e8;--paper:#0e141a;--card:#151d25;--line:#27323c;--field:#66737f;--accent:#6fc3d1;--bad:#ff9b93}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif;padding:1rem}
main{width:min(24rem,100%);background:var(--card);border:1px solid var(--line);border-radius:12px;padding:2rem;overflow-wrap:anywhere}
svg{display:block;margin-bottom:1rem}h1{font-size:1.35rem;margin:0 0 1.25rem}label{display:block;font-weight:600;margin:1rem 0 .3rem}
input,select{width:100%;font:inherit;color:inherit;background:var(--card);border:1px solid var(--field);border-radius:8px;padding:.6rem .7rem}
input:focus-visible,select:focus-visible,button:focus-visible,a:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
button{width:100%;margin-top:1.5rem;font:inherit;font-weight:600;color:#fff;background:#0f6777;border:1px solid #0f6777;border-radius:8px;padding:.7rem;cursor:pointer}
label.choice{display:flex;gap:.6rem;align-items:center;font-weight:400}label.choice input{width:auto}
button.plain{background:transparent;color:var(--ink);border-color:var(--field);margin-top:.75rem}
dl{margin:0 0 1rem}dt{font-weight:600;margin-top:.75rem}dd{margin:0}.note{font-size:.9rem}
.problem{color:var(--bad);margin:0 0 .5rem}a{color:var(--accent)}`;
const LOGO = `<svg viewBox="0 0 32 32" width="36" height="36" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0f5f6e"/><g fill="none" stroke-linejoin="round" stroke-linecap="round"><path d="M16 5.5 7 8.7v7.1c0 5.4 3.7 9 9 10.9 5.3-1.9 9-5.5 9-10.9V8.7Z" stroke="#fff" stroke-width="2.2"/><path d="M12.2 21v-5.3a3.8 3.8 0 0 1 7.6 0V21M16 12v9.5" stroke="#7fdbe6" stroke-width="2"/></g></svg>`;

export interface HtmlPage {
  status: number;
  title: string;
  /** Markup. All external text in it must be escaped by `escapeHtml`. */
  body: string;
  /** Targets of the page's forms besides the hub: sources of Content-Security-Policy. */
  formTargets?: readonly string[];
}

/** Sends a page with its Content-Security-Policy. */
export function sendHtmlPage(reply: FastifyReply, page: HtmlPage): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  const targets = ["'self'", ...(page.formTargets ?? [])].join(' ');
  return reply
    .code(page.status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-frame-options', 'DENY')
    .header(
      'content-security-policy',
      `default-src 'none'; style-src 'nonce-${nonce}'; form-action ${targets}; frame-ancestors 'none'; base-uri 'none'`,
    )
    .send(`<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>${page.title}</title>
<style nonce="${nonce}">${STYLE}</style></head><body><main>${LOGO}<h1>${page.title}</h1>${page.body}</main></body></html>`);
}

/** Escapes a text for element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(
    /[&<>"']/g,
    (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char] ?? '&#39;',
  );
}

/** Returns the Content-Security-Policy source of a URL: its origin, or the scheme of an application. */
export function cspSource(url: URL): string {
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.origin : url.protocol;
}
