// The MCP protocol, without state: JSON-RPC messages, the supported revisions, server-sent events, paging and names.
// Main types: `RpcMessage`, `RpcError`, `ProtocolRevision`.
// Invariant: a message is parsed once, with all digits of its numbers; a stream or a body never exceeds its size cap.
// Depends on the platform only, never on the database or on another room.
// Start reading at `parseMessage` in messages.ts and `detectRevision` in revisions.ts.
export { prefixUri, renameItem, splitUri } from './aggregated-names.ts';
export { BodyTooLarge, readText, startIdleTimer, withIdleTimer } from './bounded-body.ts';
export {
  type InputRequest,
  missingCapability,
  supportsInputRequest,
  unsupportedInputError,
} from './client-capabilities.ts';
export {
  BlockedError,
  errorMessage,
  isNotification,
  isRequest,
  isRpcMessage,
  parseMessage,
  parseMessageJson,
  RPC,
  RpcError,
  type RpcMessage,
  toRpcError,
} from './messages.ts';
export { paginate } from './paging.ts';
export {
  adaptResult,
  addRequestMeta,
  detectRevision,
  httpStatusOf,
  LEGACY,
  LEGACY_VERSIONS,
  MODERN,
  negotiateVersion,
  type ProtocolRevision,
  paramHeaderNames,
  readClientMeta,
  rejectLongCapabilities,
  rejectRemovedMethod,
  rejectUnknownParamHeaders,
  SUPPORTED,
  selectParamHeaders,
  splitMeta,
  stripRequestMeta,
  upstreamHeaders,
  withoutTaskCapability,
} from './revisions.ts';
export { discoverResult, initializeResult } from './server-info.ts';
export {
  changedListKind,
  type ListKind,
  listChangedMessage,
  matchesFilter,
  parseListenFilter,
  toClientMessage,
  toServerMessage,
  withoutSubscriptionId,
  withSubscriptionId,
} from './server-messages.ts';
export { raceAbort, runWithTimeout } from './shared-work.ts';
export { formatEvent, formatPrimingEvent, type ResumePoint, readEvents } from './sse.ts';
export { nullOnRpcError, withTimeout } from './timeouts.ts';
export { exposedName, isMappedName, mayBelongTo, prefixName, splitName } from './tool-names.ts';
