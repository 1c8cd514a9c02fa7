// The texts of calls that wait for a word.
export const approvalTexts = {
  title: 'Tool approvals',
  lead: 'Calls of MCP tools that a rule lets through only with somebody’s word. A grant is for this very call, once.',
  empty: 'No call waits for a word',
  emptyText:
    'When a rule asks for approval, the call appears here; repeat it in your client after it was granted.',
  tool: 'Tool',
  arguments: 'Arguments',
  state: 'State',
  asked: 'asked',
  states: {
    pending: 'Waits',
    granted: 'Granted',
    denied: 'Denied',
    used: 'Used',
    expired: 'Expired',
  },
  grant: 'Grant',
  deny: 'Deny',
  granted: 'The call is granted: it can be repeated now.',
  denied: 'The call is denied.',
  reviewerWanted: 'A reviewer decides',
} as const;
