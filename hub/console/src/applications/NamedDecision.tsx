// The notice that an app is approved by a policy for its name, with a link to the policy.
import type { ApplicationRow } from '@gatewarden/shared/wire/console/applications.ts';
import { Link } from '@tanstack/react-router';
import { useTenant } from '../api/tenant.ts';
import { reviewTexts as words } from './review-texts.ts';

export function NamedDecision({ application }: { application: ApplicationRow }) {
  const { tenantId } = useTenant();
  const { named_decision_id: overrideId, name } = application;
  // A hub of the previous release does not return the field.
  if (!overrideId) return null;
  return (
    <div className="gw-small">
      <Link
        to="/t/$tenantId/policies"
        params={{ tenantId }}
        search={{ override_id: overrideId }}
        className="gw-link"
        aria-label={words.decidedByNameOf(name)}
      >
        {words.decidedByName}
      </Link>
    </div>
  );
}
