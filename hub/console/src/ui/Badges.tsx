// Badges for the closed value lists: each word has one tone everywhere.
import type { DeviceRow } from '@gatewarden/shared/wire/console/devices.ts';
import type { Rollout } from '@gatewarden/shared/wire/console/rollouts.ts';
import type {
  ApprovalStatus,
  ExecutionPolicy,
  Severity,
} from '@gatewarden/shared/wire/vocabulary.ts';
import type { ReactNode } from 'react';
import { texts } from '../texts.ts';

export type Tone = 'plain' | 'good' | 'info' | 'warn' | 'bad' | 'worst';

interface BadgeProps {
  tone: Tone;
  dot?: boolean;
  children: ReactNode;
}

export function Badge({ tone, dot = false, children }: BadgeProps) {
  return (
    <span className="gw-badge" data-tone={tone} data-dot={dot ? '' : undefined}>
      {children}
    </span>
  );
}

const APPROVAL_TONES: Record<ApprovalStatus, Tone> = {
  pending: 'plain',
  approved: 'good',
  restricted: 'warn',
  blocked: 'bad',
};
const POLICY_TONES: Record<ExecutionPolicy, Tone> = {
  allow: 'good',
  monitor: 'info',
  warn: 'warn',
  block: 'bad',
  quarantine: 'worst',
};
const SEVERITY_TONES: Record<Severity, Tone> = {
  critical: 'worst',
  high: 'bad',
  medium: 'warn',
  low: 'plain',
};
export const GOVERNANCE_TONES: Record<DeviceRow['governance']['state'], Tone> = {
  applied: 'good',
  applying: 'info',
  diverged: 'warn',
  unknown: 'plain',
};

export function ApprovalBadge({ status }: { status: ApprovalStatus }) {
  return (
    <Badge tone={APPROVAL_TONES[status]} dot>
      {texts.approvals[status]}
    </Badge>
  );
}

export function PolicyBadge({ policy }: { policy: ExecutionPolicy }) {
  return <Badge tone={POLICY_TONES[policy]}>{texts.policies[policy]}</Badge>;
}

export function SeverityBadge({ severity }: { severity: Severity }) {
  return <Badge tone={SEVERITY_TONES[severity]}>{texts.severities[severity]}</Badge>;
}

export function GovernanceBadge({ state }: { state: DeviceRow['governance']['state'] }) {
  return (
    <Badge tone={GOVERNANCE_TONES[state]} dot>
      {texts.governance[state]}
    </Badge>
  );
}

const ROLLOUT_TONES: Record<Rollout['state'], Tone> = {
  running: 'info',
  paused: 'warn',
  stopped: 'bad',
  done: 'good',
  reverted: 'plain',
};

interface RolloutBadgeProps {
  state: Rollout['state'];
  /** The share of devices, shown while it is not all of them. */
  percent?: number;
}

export function RolloutBadge({ state, percent = 100 }: RolloutBadgeProps) {
  return (
    <Badge tone={ROLLOUT_TONES[state]} dot>
      {percent === 100 ? (
        texts.rollout.states[state]
      ) : (
        <>
          <span className={state === 'running' ? 'gw-vh' : undefined}>
            {texts.rollout.states[state]}{' '}
          </span>
          {`${percent}%`}
        </>
      )}
    </Badge>
  );
}
