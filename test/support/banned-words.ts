// Words that users must not read in the console, errors or notifications: private terms, wire values, British spelling.

/** Each banned word with the reason, or the word to use instead. */
export const BANNED: readonly (readonly [words: RegExp, instead: string])[] = [
  [/\bdecisions?\b|\bdecid(e|es|ed|ing)\b/i, 'policy, set policy, review'],
  [/\boverrides?\b/i, 'policy'],
  [/\bwithdr(aw|ew)\w*/i, 'remove, cancel'],
  [/\btold\b/i, 'notified, reported'],
  [/\bholds?\b/i, 'keep, apply, contain'],
  [/\bstands?\b|\bstood\b/i, 'is, applies'],
  [/\bmeanwhile\b/i, 'in the meantime, or nothing'],
  [/\b(some|any|every)body\b|\bnobody\b/i, 'someone, anyone, everyone, no user'],
  [/\(JSON\)/, 'a label without the format'],
  [/vendor[A-L]\b/, 'the name in gateway/vendors.ts'],
  [/\benrol(s|ment|ments)?\b/i, 'enroll, enrollment'],
  [/organis|\blicence\b|\bbehaviour\b|\bcolour\b|\bcancelled\b/i, 'American spelling'],
  [/\bpeople\b/i, 'users'],
  [/\bperson\b/i, 'user'],
  [/\balert routes?\b/i, 'notification channel'],
  [/\bexceptions?\b/i, 'access request'],
];
