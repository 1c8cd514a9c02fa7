// Lists of tools, prompts and resources, and instructions: cached per server, filtered, and merged at the aggregated URL.
// Main types: `ServerLists`, `ListRequest`, `ListSpec`.
// Invariant: a list of a user's connection is never served to another user; a slow server delays no merged list above 2.5 s.
// Depends on upstream, tool-pinning, guardrails, backends and protocol.
// Start reading at `mergeLists` in merge-lists.ts and `createLists` in lists.ts.
export { mergeInstructions } from './instructions.ts';
export { fetchCurrentInstructions, fetchCurrentTools, listRequest } from './list-requests.ts';
export { createLists, type ServerLists, withSharedCredentials } from './lists.ts';
export { isListMethod, mergeLists } from './merge-lists.ts';
export { restoreOriginalName } from './original-names.ts';
export { explainTaskError, mayBeTaskError } from './task-only.ts';
