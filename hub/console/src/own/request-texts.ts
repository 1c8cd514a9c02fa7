export const ownRequestTexts = {
  title: 'My LLM requests',
  lead: 'Your requests through the LLM gateway. If you don’t recognize one, tell an admin.',
  empty: 'No requests in the retention period',
  emptyText: 'Requests appear here when an app calls a model on your behalf.',
  when: 'When',
  app: 'App',
  model: 'Model',
  outcome: 'Outcome',
  only: { true: 'Blocked only', false: 'Not blocked' },
} as const;
