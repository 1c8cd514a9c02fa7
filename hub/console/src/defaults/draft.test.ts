// Changes of the default policies, line by line.
import { expect, test } from 'vitest';
import { bodyOf, changedKinds, draftOf, mergedDraft } from './draft.ts';

const STORED = draftOf([
  { kind: 'mcp_server', execution_policy: 'block', severity: 'low', reason: 'Ask first' },
]);

test('sends stored policies back unchanged', () => {
  expect(bodyOf(STORED)).toEqual([
    { kind: 'mcp_server', execution_policy: 'block', severity: 'low', reason: 'Ask first' },
  ]);
  expect(changedKinds(STORED, STORED)).toEqual([]);
});

test('omits kinds without a policy, whatever their reason', () => {
  const draft = { ...STORED, mcp_server: { ...STORED.mcp_server, policy: '' as const } };
  expect(bodyOf(draft)).toEqual([]);
  expect(changedKinds(STORED, draft)).toEqual(['mcp_server']);
});

test('lists changed policies and reasons by kind', () => {
  const draft = {
    ...STORED,
    ai_tool: { policy: 'warn' as const, reason: ' ', severity: undefined },
    mcp_server: { ...STORED.mcp_server, reason: 'Ask me' },
  };
  expect(changedKinds(STORED, draft)).toEqual(['mcp_server', 'ai_tool']);
  expect(bodyOf(draft)).toContainEqual({
    kind: 'ai_tool',
    execution_policy: 'warn',
    reason: null,
  });
});

test('takes the severity from the administrator whose policy remains', () => {
  const line = (policy: 'warn' | 'quarantine', severity?: 'critical') => ({
    ...STORED,
    ai_tool: { policy, reason: '', severity },
  });
  const both = mergedDraft(STORED, line('warn'), line('quarantine', 'critical'));
  expect(both.draft.ai_tool).toEqual({ policy: 'warn', reason: '', severity: undefined });
  expect(both.both).toEqual([{ path: ['ai_tool', 'decided'], now: 'quarantine' }]);
  const theirs = mergedDraft(STORED, STORED, line('quarantine', 'critical'));
  expect(theirs.draft.ai_tool).toEqual({ policy: 'quarantine', reason: '', severity: 'critical' });
});
