// POST R/apps: creates an app and its first key, once for an Idempotency-Key.
import { randomUUID } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import type { AppMode } from '@gatewarden/shared/wire/management/app-config.ts';
import type { Warning } from '@gatewarden/shared/wire/management/apps.ts';
import { recordAudit } from '../../../platform/audit.ts';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { touchCollection } from '../../../platform/db/collection-versions.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { announceConfiguration } from '../../../platform/feed/configuration-feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { etagOf } from '../../../platform/http/server/etag.ts';
import { parseFutureTime } from '../../../platform/http/server/expiry.ts';
import { checkedKeyName, issueAppKey } from '../app-keys/index.ts';
import type { Answered, Call } from '../auth/index.ts';
import { selectPolicyAuthority } from '../catalogs/index.ts';
import {
  inactiveOf,
  newApp,
  policyBaseline,
  type SectionPatch,
  sectionsOf,
  snapshotOf,
  wireApp,
} from './rules.ts';
import { insertApp, selectAppsNamed } from './store.ts';
import { COLLECTION, labelsNeeded, loadReferences, sealUrls } from './write.ts';

const NAME_MAX = 200;
const FIRST_KEY = 'Default';

type AppInput = SectionPatch & {
  name: string;
  mode?: AppMode;
  initial_key?: { name?: string; expires_at?: string | null };
};

/**
 * Creates both in this transaction. Throws 400 with a pointer, 409 for a name that is taken and for a disabled
 * provider.
 */
export async function createApp(
  tx: Tx,
  sealer: Sealer,
  call: Pick<Call, 'principal' | 'requestId' | 'body'>,
  operationId: string,
): Promise<Answered> {
  const { tenantId, actor } = call.principal;
  const { name: text, mode = 'gateway', initial_key: first, ...input } = call.body as AppInput;
  const name = checkedName(text);
  const key = {
    name: checkedKeyName(first?.name ?? FIRST_KEY, '/initial_key/name'),
    expiresAt: parseFutureTime(first?.expires_at ?? null, '/initial_key/expires_at', new Date()),
  };
  const sections = sectionsOf(input);
  const references = await loadReferences(tx, tenantId, sections, labelsNeeded(input, []));
  const draft = newApp(mode, input, references);
  const policy = await selectPolicyAuthority(tx, tenantId);
  const folded = foldName(name);
  const appId = randomUUID();
  // A legacy app also occupies its name, although no index enforces that.
  const isTaken = (await selectAppsNamed(tx, tenantId, folded)).length > 0;
  const stored = isTaken
    ? null
    : await insertApp(tx, tenantId, {
        app_id: appId,
        name,
        name_folded: folded,
        mode,
        enabled: draft.enabled,
        provider_labels: draft.provider_labels,
        tags: draft.tags,
        config: draft.config,
        sealed_urls: sealUrls(sealer, tenantId, appId, draft.urls),
        policy_baseline: policyBaseline(draft, references, policy),
      });
  if (stored === null)
    throw new HubError('already_exists', 'An app with this name already exists.');
  await touchCollection(tx, tenantId, COLLECTION);
  await recordAudit(tx, {
    tenantId,
    actor,
    operation: 'app.create',
    resource: { kind: 'app', id: appId },
    requestId: call.requestId,
    detail: { name, mode, after: snapshotOf(draft) },
    management: true,
  });
  const issued = await issueAppKey(tx, sealer, call, appId, key);
  await announceConfiguration(tx, tenantId, [
    { kind: 'app', id: appId },
    { kind: 'key', id: issued.key_id },
  ]);
  const inactive = inactiveOf(sections, policy);
  const warnings: Warning[] =
    inactive === undefined
      ? []
      : [
          {
            code: 'inactive_under_gwql',
            message: `Policy authority is enabled: ${inactive.fields.join(', ')} are saved, but have no effect.`,
          },
        ];
  return {
    status: 201,
    etag: etagOf(stored.version),
    body: {
      app: wireApp(stored, policy),
      key: issued,
      warnings,
      ...(inactive === undefined ? {} : { inactive_under_gwql: inactive }),
      operation_id: operationId,
    },
  };
}

function checkedName(text: string): string {
  const name = text.trim();
  if (name === '' || [...name].length > NAME_MAX) {
    throw new HubError(
      'invalid_request',
      `/name must have 1-${NAME_MAX} characters, without spaces at the ends`,
    );
  }
  return name;
}
