// The default policy of each kind, read-only or editable.
import { breadthOf } from '@gatewarden/shared/policy.ts';
import {
  ENTITY_KINDS,
  type EntityKind,
  EXECUTION_POLICIES,
  type ExecutionPolicy,
} from '@gatewarden/shared/wire/vocabulary.ts';
import { NativeSelect, TextInput } from '@mantine/core';
import { oneOf } from '../api/query-string.ts';
import { texts } from '../texts.ts';
import { PolicyBadge } from '../ui/Badges.tsx';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { Name } from '../ui/Name.tsx';
import type { Draft } from './draft.ts';

interface PolicyTableProps {
  draft: Draft;
  readOnly: boolean;
  onChange: (draft: Draft) => void;
}

export function PolicyTable({ draft, readOnly, onChange }: PolicyTableProps) {
  const columns: readonly Column<EntityKind>[] = [
    { key: 'kind', header: texts.defaults.kind, render: (kind) => texts.kinds[kind] },
    {
      key: 'policy',
      weight: 1.4,
      header: texts.defaults.policy,
      render: (kind) => {
        const { policy } = draft[kind];
        if (readOnly)
          return policy === '' ? texts.defaults.noDefault : <PolicyBadge policy={policy} />;
        return (
          <NativeSelect
            aria-label={texts.defaults.policyOf(texts.kinds[kind])}
            description={kind === 'package' ? texts.defaults.packageHint : undefined}
            inputWrapperOrder={['input', 'description']}
            value={policy}
            data={[
              { value: '', label: texts.defaults.noDefault },
              ...policiesFor(kind).map((value) => ({ value, label: texts.policies[value] })),
            ]}
            onChange={(event) => {
              const chosen = oneOf(EXECUTION_POLICIES, event.currentTarget.value) ?? '';
              onChange({
                ...draft,
                [kind]: { ...draft[kind], policy: chosen, severity: undefined },
              });
            }}
          />
        );
      },
    },
    {
      key: 'reason',
      weight: 2.4,
      header: texts.defaults.reason,
      render: (kind) => {
        const { policy, reason } = draft[kind];
        if (readOnly) return reason === '' ? '–' : <Name value={reason} clamp />;
        return (
          <TextInput
            aria-label={texts.defaults.reasonOf(texts.kinds[kind])}
            maxLength={2000}
            disabled={policy === ''}
            value={reason}
            onChange={(event) => {
              onChange({ ...draft, [kind]: { ...draft[kind], reason: event.currentTarget.value } });
            }}
          />
        );
      },
    },
  ];
  return (
    <DataTable
      caption={texts.defaults.title}
      rows={ENTITY_KINDS}
      rowKey={(kind) => kind}
      rowTestId="default-policy-row"
      columns={columns}
    />
  );
}

/** Blocking is not offered for kinds that include everything, because agents do not terminate by such a kind. */
function policiesFor(kind: EntityKind): readonly ExecutionPolicy[] {
  if (breadthOf({ kind }) !== 'everything') return EXECUTION_POLICIES;
  return EXECUTION_POLICIES.filter((policy) => policy !== 'block' && policy !== 'quarantine');
}
