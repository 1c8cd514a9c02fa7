// The address of a user as a link to their page. Who did something may also be a job or a token: only an e-mail address links.
import { Link } from '@tanstack/react-router';
import { useTenant } from '../api/tenant.ts';
import { Name } from '../ui/Name.tsx';

interface UserLinkProps {
  value: string | null;
  /** The value is an identity, however it is written. */
  isIdentity?: boolean;
  clamp?: boolean;
}

export function UserLink({ value, isIdentity = false, clamp = true }: UserLinkProps) {
  const { tenantId, role } = useTenant();
  const name = <Name value={value} clamp={clamp} />;
  const isLinked = value !== null && value !== '' && (isIdentity || value.includes('@'));
  if (!isLinked || role === 'Member') return name;
  return (
    <Link
      to="/t/$tenantId/users/$email"
      params={{ tenantId, email: value }}
      className="gw-link gw-user-link"
    >
      {name}
    </Link>
  );
}
