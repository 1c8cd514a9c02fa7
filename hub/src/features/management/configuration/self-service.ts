// Normalizes self-service roles: below `roles`, which is stored and read, or in `access_control` itself. Pure.
import { SELF_SERVICE_ROLES } from '@gatewarden/shared/wire/management/app-config.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';

/** Returns the `self_service` section with all roles below `roles`. Throws 400 for a role that is given in both shapes. */
export function nestRoles(section: unknown): unknown {
  const inner = isObject(section) ? section.self_service : undefined;
  const control = isObject(inner) ? inner.access_control : undefined;
  if (!isObject(section) || !isObject(inner) || !isObject(control)) return section;
  const flat = SELF_SERVICE_ROLES.filter((name) => Object.hasOwn(control, name));
  if (flat.length === 0) return section;
  const roles: Record<string, unknown> = isObject(control.roles) ? { ...control.roles } : {};
  const { roles: _roles, ...rest } = control;
  for (const name of flat) {
    if (Object.hasOwn(roles, name)) {
      const pointer = `/self_service/self_service/access_control/${name}`;
      throw new HubError('invalid_request', `${pointer} must not be set under roles as well`);
    }
    roles[name] = control[name];
    delete rest[name];
  }
  return { ...section, self_service: { ...inner, access_control: { ...rest, roles } } };
}
