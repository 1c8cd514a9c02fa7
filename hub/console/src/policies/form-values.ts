// Values of the policy form and the request bodies made from them. Pure: the clock is an argument.
import type {
  Override,
  OverrideInput,
  OverridePatch,
  OverridePreviewInput,
  OverrideScope,
} from '@gatewarden/shared/wire/console/overrides.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import type {
  ApprovalStatus,
  ExecutionPolicy,
  ScopeKind,
  Severity,
} from '@gatewarden/shared/wire/vocabulary.ts';
import { texts } from '../texts.ts';
import { fromLocalInput, toLocalInput } from '../ui/time-text.ts';

export interface DecisionValues {
  /** Empty until the user chooses, so that no policy is set by accident. */
  approval: ApprovalStatus | '';
  policy: ExecutionPolicy | '';
  /** Empty: the hub's default. */
  severity: Severity | '';
  reason: string;
  scope: ScopeKind;
  deviceId: string;
  subscriberId: string;
  groupId: string;
  /** Text of a datetime-local input, in the viewer's time zone. */
  expires: string;
  /** For a new policy only: it is stored as a draft of a staged rollout. */
  staged: boolean;
}

export const EMPTY_DECISION: DecisionValues = {
  approval: '',
  policy: '',
  severity: '',
  reason: '',
  scope: 'tenant',
  deviceId: '',
  subscriberId: '',
  groupId: '',
  expires: '',
  staged: false,
};

/** Returns the enforcement that belongs to a review status; the user can choose another. */
export const USUAL_POLICY: Record<ApprovalStatus, ExecutionPolicy> = {
  pending: 'monitor',
  approved: 'allow',
  restricted: 'warn',
  blocked: 'block',
};

/** Choices that were made before the form of a new policy opens. */
export interface PolicyPreset {
  approval?: ApprovalStatus | undefined;
  /** The user that the policy applies to; everyone where left out. */
  subscriberId?: string;
}

/** Returns the values with which the form of a new policy opens. */
export function newPolicyValues({ approval, subscriberId }: PolicyPreset = {}): DecisionValues {
  return {
    ...EMPTY_DECISION,
    ...(approval === undefined ? {} : { approval, policy: USUAL_POLICY[approval] }),
    ...(subscriberId === undefined ? {} : { scope: 'subscriber', subscriberId }),
  };
}

/** The fields of a stored policy that the form shows. */
type FormFields = Pick<
  Override,
  'scope' | 'approval_status' | 'execution_policy' | 'severity' | 'reason' | 'expires_at'
>;

export function valuesOf(override: FormFields): DecisionValues {
  const { scope } = override;
  return {
    approval: override.approval_status,
    policy: override.execution_policy,
    severity: override.severity,
    reason: override.reason ?? '',
    scope: scope.kind,
    deviceId: scope.kind === 'device' ? scope.device_id : '',
    subscriberId: scope.kind === 'subscriber' ? scope.subscriber_id : '',
    groupId: scope.kind === 'group' ? scope.group_id : '',
    expires: toLocalInput(override.expires_at),
    staged: false,
  };
}

const PRINTABLE = /^[\x20-\x7e]{1,128}$/;

export type DecisionErrors = Partial<Record<keyof DecisionValues, string>>;

/** Returns the errors of the form by field; `original` is the policy that is changed, if any. */
export function decisionErrors(
  values: DecisionValues,
  nowMs: number,
  original: Override | null,
): DecisionErrors {
  const errors: DecisionErrors = {};
  if (values.scope === 'device' && values.deviceId === '') {
    errors.deviceId = texts.decide.needDevice;
  }
  if (values.scope === 'group' && values.groupId === '') {
    errors.groupId = texts.groups.needed;
  }
  if (values.scope === 'subscriber') {
    const person = values.subscriberId;
    if (person === '') errors.subscriberId = texts.decide.needPerson;
    else if (!PRINTABLE.test(person)) errors.subscriberId = texts.decide.badPerson;
  }
  const ends = expiryOf(values, original);
  if (values.expires !== '' && ends === null) errors.expires = texts.decide.badExpiry;
  if (ends !== null && ends !== original?.expires_at && Date.parse(ends) <= nowMs) {
    errors.expires = texts.decide.pastExpiry;
  }
  return errors;
}

/** Returns the body that creates a policy; null while the form is incomplete. */
export function inputOf(
  values: DecisionValues,
  match: OverrideMatch,
  nowMs: number,
  original: Override | null = null,
): OverrideInput | null {
  if (values.approval === '' || values.policy === '') return null;
  if (Object.keys(decisionErrors(values, nowMs, original)).length > 0) return null;
  return {
    match,
    approval_status: values.approval,
    execution_policy: values.policy,
    ...(values.severity === '' ? {} : { severity: values.severity }),
    reason: reasonOf(values),
    scope: scopeOf(values),
    expires_at: expiryOf(values, original),
    ...(original === null
      ? {}
      : { effective_at: original.effective_at, rollout_percent: original.rollout_percent }),
  };
}

/** Returns the body of a change: all fields that the form shows. Other fields stay. */
export function patchOf(
  values: DecisionValues,
  original: Override,
  nowMs: number,
): OverridePatch | null {
  const input = inputOf(values, original.match, nowMs, original);
  if (input === null) return null;
  const { match: _match, effective_at: _at, rollout_percent: _percent, ...patch } = input;
  return patch;
}

/**
 * Returns the change of an existing policy over which a policy is set: the step, and the fields that differ from the values with
 * which the form opened. Reason, severity and end of the existing policy stay where the person left them alone.
 */
export function changedFields(
  input: OverrideInput,
  values: DecisionValues,
  initial: DecisionValues,
): Pick<OverrideInput, 'approval_status' | 'execution_policy'> &
  Pick<OverridePatch, 'severity' | 'reason' | 'expires_at'> {
  const { approval_status, execution_policy, severity, reason = null, expires_at = null } = input;
  return {
    approval_status,
    execution_policy,
    ...(severity === undefined || values.severity === initial.severity ? {} : { severity }),
    ...(values.reason.trim() === initial.reason.trim() ? {} : { reason }),
    ...(values.expires === initial.expires ? {} : { expires_at }),
  };
}

/** Returns whether the stored policy equals the form. */
export function says(stored: Override, change: OverridePatch): boolean {
  const { as_of_revision: _seen, ...fields } = change;
  const known: OverridePatch = stored;
  return (Object.keys(fields) as (keyof typeof fields)[]).every(
    (field) => JSON.stringify(known[field]) === JSON.stringify(fields[field]),
  );
}

/** Returns the input without fields that do not change the impact, so that typing a reason requests no new preview. */
export function previewOf(input: OverrideInput, original: Override | null): OverridePreviewInput {
  const replaces = original === null ? {} : { replaces: original.override_id };
  return { ...input, ...replaces, reason: null };
}

function reasonOf(values: DecisionValues): string | null {
  const reason = values.reason.trim();
  return reason === '' ? null : reason;
}

function scopeOf(values: DecisionValues): OverrideScope {
  switch (values.scope) {
    case 'tenant':
      return { kind: 'tenant' };
    case 'group':
      return { kind: 'group', group_id: values.groupId };
    case 'subscriber':
      return { kind: 'subscriber', subscriber_id: values.subscriberId };
    case 'device':
      return { kind: 'device', device_id: values.deviceId };
  }
}

/** An unchanged expiry keeps its seconds, which the input cannot show. */
function expiryOf(values: DecisionValues, original: Override | null): string | null {
  if (original !== null && values.expires === toLocalInput(original.expires_at)) {
    return original.expires_at;
  }
  return fromLocalInput(values.expires);
}
