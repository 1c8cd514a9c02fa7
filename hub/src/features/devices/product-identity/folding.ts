// Folding of application names and publishers to the form in which product identities are compared. Pure.
import { foldName } from '@gatewarden/shared/names.ts';

const TRADEMARKS = /[™®©℠]|\((?:tm|r|c)\)/gi;
/** `(x64)`, `(64-bit)`, `(x64 en-US)`, `(User)`: an edition of the same product. */
const EDITION =
  /\s*[([](?:x64|x86|x86[_-]64|amd64|arm64|aarch64|32[- ]?bit|64[- ]?bit|i[36]86|user|machine|remove only|universal)(?:\s[^)\]]*)?[)\]]$/;
const ARCHITECTURE =
  /[\s_-]+(?:x64|x86|x86[_-]64|amd64|arm64|aarch64|32[- ]?bit|64[- ]?bit|i[36]86)$/;
/** A dotted version, `v2` or `version 2`; a bare number such as `Office 2019` belongs to the name. */
const VERSION =
  /[\s_-]+[([]?(?:version\s+v?\d+(?:\.\d+)*|v\d+(?:\.\d+)*|\d+(?:\.\d+)+)(?:[-+.]?[a-z0-9]+)*[)\]]?$/;
const LEGAL_FORM =
  /(?:,?\s+|,)(?:inc|incorporated|llc|l\.l\.c|ltd|limited|gmbh|corp|corporation|co|company|ag|se|sa|s\.a|sas|sarl|bv|b\.v|nv|n\.v|oy|ab|a\/s|pty|plc|pbc|kg|kk|srl|s\.r\.l|spa|s\.p\.a|foundation)\.?$/;

/**
 * Returns an application's name without its case, trademark signs, trailing version, architecture and edition. The result
 * is stable: folding it again changes nothing. A name that consists of nothing else keeps its folded form.
 */
export function foldProductName(name: string): string {
  return untilStable(foldName(name.replace(TRADEMARKS, '')), (text) =>
    collapse(text)
      .replace(EDITION, '')
      .replace(ARCHITECTURE, '')
      .replace(VERSION, '')
      .replace(/[\s,_-]+$/, ''),
  );
}

/** Returns a publisher without its case, mail address and legal form: `Slack Technologies, Inc.` is `slack technologies`. */
export function foldPublisher(publisher: string | null): string {
  if (publisher === null) return '';
  return untilStable(foldName(publisher.replace(TRADEMARKS, '')), (text) =>
    collapse(text.replace(/\s*[<(][^<>()]*@[^<>()]*[>)]/g, ''))
      .replace(LEGAL_FORM, '')
      .replace(/[\s,.&]+$/, ''),
  );
}

const collapse = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Applies a step until it changes nothing. Each step only shortens, so this ends; a step that leaves nothing is not taken. */
function untilStable(start: string, step: (text: string) => string): string {
  let text = collapse(start);
  for (;;) {
    const next = step(text);
    if (next === '' || next === text) return text;
    text = next;
  }
}
