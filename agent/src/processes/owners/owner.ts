// A package that a source describes, as the owner of a file.
import { entityId } from '@gatewarden/shared/identity.ts';
import type { Discovered } from '../../discovery/source-contract.ts';
import type { PackageOwner } from './package-index.ts';
import { VITAL_PACKAGES } from './vital.ts';

/** The same entity that the source of this name reports. */
export function toPackageOwner(
  source: keyof typeof VITAL_PACKAGES,
  found: Pick<Discovered, 'key' | 'name' | 'version' | 'publisher'>,
): PackageOwner {
  const { key, name, version = null, publisher = null } = found;
  return {
    entity: {
      entity_id: entityId('linux', 'package', source, key),
      ...{ kind: 'package', name, version, publisher },
    },
    vital: VITAL_PACKAGES[source].has(key),
    // Only dpkg supports a diversion of a file.
    listed: null,
  };
}
