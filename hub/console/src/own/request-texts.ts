export const ownRequestTexts = {
  title: 'My LLM requests',
  lead: 'What went through the LLM gateway in your name, as long as it is kept: how each request ended, and what stopped or changed it. If you do not know one, tell an administrator.',
  empty: 'No request in the time that is kept',
  emptyText: 'When an application asks a model in your name, it appears here.',
  when: 'When',
  app: 'Application',
  model: 'Model',
  outcome: 'Outcome',
  only: { true: 'Blocked only', false: 'Not blocked' },
} as const;
