// Texts of calls that wait for an approval.
export const approvalTexts = {
  title: 'Tool approvals',
  lead: 'Tool calls waiting for approval. Each approval covers one call.',
  empty: 'No calls waiting for approval',
  emptyText:
    'Calls appear here when a rule requires approval. After approval, repeat the call in your client.',
  tool: 'Tool',
  arguments: 'Arguments',
  state: 'State',
  asked: 'requested',
  states: {
    pending: 'Pending',
    granted: 'Approved',
    denied: 'Denied',
    used: 'Used',
    expired: 'Expired',
  },
  grant: 'Approve',
  deny: 'Deny',
  granted: 'Call approved. You can repeat it now.',
  denied: 'Call denied.',
  reviewerWanted: 'Needs a reviewer',
} as const;
