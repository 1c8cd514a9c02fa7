// C/log-settings: whether the tenant's payloads are stored, and for how many days its logs are retained.
import { LogSettingsAnswer, LogSettingsInput } from '@gatewarden/shared/wire/console/logs.ts';
import { personOf, recordByPerson } from '../../../platform/auth/person.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { etagOf, IfMatch, requireMatch } from '../../../platform/http/server/etag.ts';
import {
  LOG_DEFAULTS,
  type LogSettings,
  MICROS,
  type Micros,
  nowMicros,
  selectLogSettings,
  storeLogSettings,
} from '../events/index.ts';

type Versioned = LogSettings & { version: number };

/** Registers the log settings. */
export function registerLogSettings(app: App, { db }: { db: Db }): void {
  app.get(
    '/log-settings',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['logs'],
        summary: 'Get the log settings',
        response: { 200: LogSettingsAnswer },
      },
    },
    async (request, reply) => {
      const settings = await settingsOf(db, personOf(request).tenantId);
      reply.header('etag', etagOf(settings.version));
      return { settings: toWire(settings), request_id: request.id };
    },
  );

  app.put(
    '/log-settings',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['logs'],
        summary: 'Update the log settings',
        headers: IfMatch,
        body: LogSettingsInput,
        response: { 200: LogSettingsAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const { tenantId } = person;
      const settings = request.body;
      const after = await transact(db, async (tx) => {
        const before = await settingsOf(tx, tenantId);
        requireMatch(request.headers['if-match'], before.version);
        const isSame =
          before.store_payloads === settings.store_payloads &&
          before.retention_days === settings.retention_days;
        if (isSame) return before;
        const stored = await storeLogSettings(tx, tenantId, before.version, settings);
        if (stored === null) throw new HubError('precondition_failed');
        await recordByPerson(tx, request, {
          operation: 'log_settings.update',
          resource: { kind: 'tenant', id: tenantId },
          detail: { before: toWire(before), after: toWire(stored) },
        });
        await notify(tx, { kind: 'page', tenant: tenantId, topic: 'gateway' });
        return stored;
      });
      reply.header('etag', etagOf(after.version));
      return { settings: toWire(after), request_id: request.id };
    },
  );
}

/**
 * Returns the start of the tenant's retention. Older rows are neither shown nor counted, even before they are deleted.
 */
export async function retainedSince(db: Db, tenantId: string): Promise<Micros> {
  const [settings = LOG_DEFAULTS] = await selectLogSettings(db, [tenantId]);
  return nowMicros() - settings.retention_days * MICROS.day;
}

/** Returns the settings; without a row they are version 1 of the defaults. */
async function settingsOf(db: Db, tenantId: string): Promise<Versioned> {
  const [stored] = await selectLogSettings(db, [tenantId]);
  return stored ?? { ...LOG_DEFAULTS, version: 1 };
}

function toWire({ store_payloads, retention_days, version }: Versioned) {
  return { store_payloads, retention_days, version: etagOf(version) };
}
