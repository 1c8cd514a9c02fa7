// Rules of a tenant's values.
import { hasVisibleText } from '@gatewarden/shared/wire/common.ts';
import { UsageError } from '../../../platform/config/config.ts';

const NAME_MAX = 200;

/** Returns the name without surrounding space. Throws UsageError for a name that is invisible or too long. */
export function tenantName(name: string): string {
  const trimmed = name.trim();
  if (hasVisibleText(trimmed) && trimmed.length <= NAME_MAX) return trimmed;
  throw new UsageError(`--name must be 1-${NAME_MAX} characters, not only invisible ones`);
}
