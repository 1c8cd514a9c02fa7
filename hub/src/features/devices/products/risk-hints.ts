// Hints that an application deserves a look, from what devices reported of it. Pure.
import { RISK_HINTS, type RiskHint } from '@gatewarden/shared/wire/console/products.ts';
import type { WireInstance } from '@gatewarden/shared/wire/sync/discovered-apps.ts';

/** An entity as a device reported it; `details` is any JSON. */
export interface ReportedEntity {
  details: unknown;
  instances: readonly Pick<WireInstance, 'permissions'>[];
}

type Fields = Readonly<Record<string, unknown>>;

const CREDENTIAL_NAME =
  /(?:^|[^a-z])(?:api_?key|key|token|secret|password|passwd|pwd|auth|authorization|bearer|credential|cookie|pat|dsn)s?(?:$|[^a-z])/i;
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|.*\.localhost)$/i;
/** Every page, every file or debugging of the browser; or a mode of an assistant that asks nobody. */
const WIDE_PERMISSION =
  /^(?:<all_urls>|(?:\*|https?|file):\/\/\*\/\*?|debugger|nativeMessaging|proxy|webRequestBlocking|.*(?:bypass|skip|danger|full[-_ ]?access|yolo|auto[-_ ]?approve).*)$/i;

/** Returns the hints of some devices' reports of an application, in the order of the list of hints. */
export function riskHintsOf(reports: readonly ReportedEntity[]): RiskHint[] {
  const hints = new Set(reports.flatMap(hintsOfReport));
  return RISK_HINTS.filter((hint) => hints.has(hint));
}

function hintsOfReport({ details, instances }: ReportedEntity): RiskHint[] {
  const fields: Fields = isFields(details) ? details : {};
  const configured = Array.isArray(fields.configured) ? fields.configured.filter(isFields) : [];
  const permissions = instances.flatMap((instance) => instance.permissions ?? []);
  const checks: Record<RiskHint, boolean> = {
    unpinned: configured.some((launch) => launch.unpinned === true),
    remote_url: configured.some((launch) => isRemote(launch.url)),
    environment_secrets: configured.some((launch) =>
      [...textsOf(launch.env), ...textsOf(launch.headers)].some(isCredentialName),
    ),
    wide_permissions: permissions.some((permission) => WIDE_PERMISSION.test(permission)),
    unsigned:
      fields.unpacked === true ||
      (typeof fields.signed_state === 'number' && fields.signed_state <= 0),
  };
  return RISK_HINTS.filter((hint) => checks[hint]);
}

/** Words of a camel-case name count as words of their own. */
const isCredentialName = (name: string): boolean =>
  CREDENTIAL_NAME.test(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll('-', '_'));

function isRemote(url: unknown): boolean {
  if (typeof url !== 'string' || !URL.canParse(url)) return false;
  return !LOOPBACK_HOST.test(new URL(url).hostname);
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
