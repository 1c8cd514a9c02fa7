// C/access-requests: what people ask for, and what reviewers answer. A grant is an override for the one device that ends
// by itself; it is stored with the answer, or neither is.
import { isDeepStrictEqual } from 'node:util';
import { Uuid } from '@gatewarden/shared/wire/common.ts';
import {
  AccessDeclineInput,
  AccessGrantInput,
  AccessRequestAnswer,
  AccessRequestsListAnswer,
  AccessRequestsQuery,
} from '@gatewarden/shared/wire/console/access-requests.ts';
import { Type } from 'typebox';
import { recordAudit } from '../../../platform/audit.ts';
import { actorOf, type Person, personOf } from '../../../platform/auth/person.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { advanceFeed, notify } from '../../../platform/feed/feed.ts';
import type { App } from '../../../platform/http/app.ts';
import { answerList, boundBy, filterOf } from '../../../platform/http/console.ts';
import type { CursorSealer } from '../../../platform/http/cursors.ts';
import { HubError } from '../../../platform/http/errors.ts';
import { etagOf, IfMatch, requireMatch } from '../../../platform/http/etag.ts';
import { type Snapshots, storeDecision } from '../governance/index.ts';
import { exceptionsFor } from './exceptions.ts';
import { requestRow } from './rows.ts';
import { answerRequest, type RequestRecord, selectRequest, selectRequests } from './store.ts';

const Params = Type.Object({ tenant_id: Type.String(), access_request_id: Uuid });
const LONGEST_MS = 366 * 86_400_000;

export interface RequestPagesDeps {
  db: Db;
  cursors: CursorSealer;
  snapshots: Snapshots;
}

export function registerRequestPages(app: App, deps: RequestPagesDeps): void {
  const { db, cursors, snapshots } = deps;

  app.get(
    '/access-requests',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['access-requests'],
        querystring: AccessRequestsQuery,
        response: { 200: AccessRequestsListAnswer },
      },
    },
    async (request) => {
      const filter = filterOf(request.query);
      const page = await answerList(request, {
        cursors,
        list: 'access-requests',
        by: boundBy(filter),
        fetch: (tenantId, after, limit) => selectRequests(db, tenantId, filter, after, limit),
        keyOf: (one) => [one.sort_key, one.access_request_id],
        item: (one) => one,
      });
      const exceptions = await exceptionsFor(deps, personOf(request).tenantId, page.items);
      return {
        ...page,
        items: page.items.map((one) =>
          requestRow(one, exceptions.get(one.access_request_id) ?? null),
        ),
      };
    },
  );

  app.post(
    '/access-requests/:access_request_id/grant',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: ['access-requests'],
        summary: 'Lets it run on this one device until then',
        params: Params,
        headers: IfMatch,
        body: AccessGrantInput,
        response: { 200: AccessRequestAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const { tenantId } = person;
      const { match, expires_at: expiresAt, reason } = request.body;
      const asked = await waiting(db, tenantId, request.params.access_request_id);
      requireMatch(request.headers['if-match'], asked.version);
      const now = new Date();
      const endsAt = new Date(expiresAt);
      if (endsAt.getTime() > now.getTime() + LONGEST_MS) {
        throw new HubError('invalid_request', '/expires_at must be within a year');
      }
      const exception = (await exceptionsFor(deps, tenantId, [asked])).get(asked.access_request_id);
      if (!isDeepStrictEqual(exception?.match, match)) {
        throw new HubError(
          'precondition_failed',
          'What an exception has to match changed meanwhile: read the request again.',
        );
      }
      await transact(db, async (tx) => {
        // The feed's lock comes first everywhere.
        const revision = await advanceFeed(tx, tenantId, 'governance');
        const override = await storeDecision(tx, person, {
          revision,
          requestId: request.id,
          now,
          input: {
            match,
            approval_status: 'approved',
            execution_policy: 'allow',
            reason: reason ?? null,
            scope: { kind: 'device', device_id: asked.device_id },
            expires_at: expiresAt,
          },
        });
        await answer(tx, person, asked, request.id, {
          state: 'granted',
          text: reason ?? null,
          overrideId: override.override_id,
          endsAt,
        });
        await notify(tx, { kind: 'page', tenant: tenantId, topic: 'overrides' });
      });
      snapshots.touch(tenantId);
      return answered(db, tenantId, asked.access_request_id, request.id, reply);
    },
  );

  app.post(
    '/access-requests/:access_request_id/decline',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: ['access-requests'],
        params: Params,
        headers: IfMatch,
        body: AccessDeclineInput,
        response: { 200: AccessRequestAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const { tenantId } = person;
      const asked = await waiting(db, tenantId, request.params.access_request_id);
      requireMatch(request.headers['if-match'], asked.version);
      await transact(db, (tx) =>
        answer(tx, person, asked, request.id, {
          state: 'declined',
          text: request.body.reason.trim(),
          overrideId: null,
          endsAt: null,
        }),
      );
      return answered(db, tenantId, asked.access_request_id, request.id, reply);
    },
  );
}

/** The request, as long as nobody answered it. */
async function waiting(db: Db, tenantId: string, requestId: string): Promise<RequestRecord> {
  const found = await selectRequest(db, tenantId, requestId);
  if (found === null) throw new HubError('not_found');
  if (found.state !== 'open') {
    throw new HubError('precondition_failed', `It is ${found.state} already.`);
  }
  return found;
}

async function answer(
  tx: Tx,
  person: Person,
  asked: RequestRecord,
  requestId: string,
  how: {
    state: 'granted' | 'declined';
    text: string | null;
    overrideId: string | null;
    endsAt: Date | null;
  },
): Promise<void> {
  const { tenantId } = person;
  const at = new Date();
  const stored = await answerRequest(tx, tenantId, asked, { ...how, by: person.email, at });
  if (!stored) throw new HubError('precondition_failed');
  await recordAudit(tx, {
    tenantId,
    actor: actorOf(person),
    operation: how.state === 'granted' ? 'access_request.grant' : 'access_request.decline',
    resource: { kind: 'access_request', id: asked.access_request_id },
    requestId,
    detail: {
      device_id: asked.device_id,
      subscriber_id: asked.subscriber_id,
      override_id: how.overrideId,
      expires_at: how.endsAt?.toISOString() ?? null,
      reason: how.text,
    },
  });
  await notify(tx, { kind: 'page', tenant: tenantId, topic: 'access-requests' });
}

async function answered(
  db: Db,
  tenantId: string,
  id: string,
  requestId: string,
  reply: { header(name: string, value: string): unknown },
) {
  const found = await selectRequest(db, tenantId, id);
  if (found === null) throw new HubError('not_found');
  reply.header('etag', etagOf(found.version));
  return { access_request: requestRow(found, null), request_id: requestId };
}
