// How many characters of a text that somebody found are looked at in one go; apart from the schema, for pages know it too.
export const LEAKED_TEXT_MAX = 500_000;
