// C/tray-setting: whether people may pause the agent of their device, and whom they are told to ask. It rides on the
// governance feed, so every device has it with its next poll.
import {
  TraySettingAnswer,
  TraySettingInput,
} from '@gatewarden/shared/wire/console/tray-setting.ts';
import { actorOf, personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { App } from '../../../platform/http/app.ts';
import { HubError } from '../../../platform/http/errors.ts';
import { etagOf, IfMatch } from '../../../platform/http/etag.ts';
import { versionedWrite } from '../../../platform/versioned-write.ts';
import type { Snapshots } from './snapshots.ts';
import { type StoredTraySetting, selectTraySetting, updateTraySetting } from './tray-store.ts';

export function registerTraySetting(app: App, deps: { db: Db; snapshots: Snapshots }): void {
  const { db } = deps;
  app.get(
    '/tray-setting',
    {
      config: { access: 'Viewer' },
      schema: { tags: ['devices'], response: { 200: TraySettingAnswer } },
    },
    async (request, reply) => {
      const setting = await selectTraySetting(db, personOf(request).tenantId);
      if (setting === null) throw new HubError('not_found');
      reply.header('etag', etagOf(setting.version));
      return answered(setting, request.id);
    },
  );
  app.put(
    '/tray-setting',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['devices'],
        headers: IfMatch,
        body: TraySettingInput,
        response: { 200: TraySettingAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const { tenantId } = person;
      const wanted = request.body;
      const stored = await versionedWrite(db, {
        tenantId,
        feed: 'governance',
        page: 'devices',
        ifMatch: request.headers['if-match'],
        load: (tx) => selectTraySetting(tx, tenantId),
        change: (before) =>
          before.pause_minutes === wanted.pause_minutes && before.contact === wanted.contact
            ? null
            : wanted,
        store: (tx, before, change) => updateTraySetting(tx, tenantId, before.version, change),
        audit: (before, after) => ({
          tenantId,
          actor: actorOf(person),
          operation: 'tray_setting.set',
          resource: { kind: 'tenant', id: tenantId },
          requestId: request.id,
          detail: { before: settingOf(before), after: settingOf(after) },
        }),
      });
      deps.snapshots.touch(tenantId);
      reply.header('etag', etagOf(stored.version));
      return answered(stored, request.id);
    },
  );
}

const settingOf = ({ pause_minutes, contact }: StoredTraySetting) => ({ pause_minutes, contact });

const answered = (setting: StoredTraySetting, requestId: string): TraySettingAnswer => ({
  ...settingOf(setting),
  version: etagOf(setting.version),
  request_id: requestId,
});
