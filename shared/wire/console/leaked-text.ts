// The maximum length of a leaked text in characters. Pages import it without the schema library.
export const LEAKED_TEXT_MAX = 500_000;
