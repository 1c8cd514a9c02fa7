// C/access-requests: what people ask for, and what reviewers answer. A grant is an override for the one device that ends
// by itself; it is stored with the answer, or neither is.
import { isDeepStrictEqual } from 'node:util';
import { foldName } from '@gatewarden/shared/names.ts';
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
import { HubError } from '../../../platform/http/errors/errors.ts';
import {
  extractFilter,
  filterBinding,
  loadPage,
} from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { etagOf, IfMatch, parseIfMatch, requireMatch } from '../../../platform/http/server/etag.ts';
import { storeDecision } from '../overrides/index.ts';
import type { Snapshots } from '../sync/index.ts';
import { exceptionsFor } from './grant-request.ts';
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
  const { db, cursors } = deps;

  app.get(
    '/access-requests',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['access-requests'],
        summary: 'List access requests',
        querystring: AccessRequestsQuery,
        response: { 200: AccessRequestsListAnswer },
      },
    },
    async (request) => {
      const { subscriber_id: user, ...others } = extractFilter(request.query);
      const filter = user === undefined ? others : { ...others, person: foldName(user) };
      const page = await loadPage(request, {
        cursors,
        list: 'access-requests',
        by: filterBinding(filter),
        fetch: (tenantId, after, limit) => selectRequests(db, tenantId, filter, after, limit),
        keyOf: (row) => [row.sort_key, row.access_request_id],
        item: (row) => row,
      });
      const exceptions = await exceptionsFor(deps, personOf(request).tenantId, page.items);
      return {
        ...page,
        items: page.items.map((i) => requestRow(i, exceptions.get(i.access_request_id) ?? null)),
      };
    },
  );
  registerGrant(app, deps);
  registerDecline(app, deps);
}

function registerGrant(app: App, deps: RequestPagesDeps): void {
  const { db, snapshots } = deps;

  app.post(
    '/access-requests/:access_request_id/grant',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: ['access-requests'],
        summary: 'Approve an access request for a limited time',
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
      const now = new Date();
      const endsAt = new Date(expiresAt);
      const decision = { state: 'granted', text: reason ?? null, endsAt } as const;
      const asked = await found(db, tenantId, request.params.access_request_id);
      if (isSameDecision(asked, person, request.headers['if-match'], decision)) {
        return answered(db, tenantId, asked.access_request_id, request.id, reply);
      }
      requireWaiting(asked);
      requireMatch(request.headers['if-match'], asked.version);
      if (endsAt.getTime() > now.getTime() + LONGEST_MS) {
        throw new HubError('invalid_request', '/expires_at must be within a year');
      }
      const exception = (await exceptionsFor(deps, tenantId, [asked])).get(asked.access_request_id);
      if (!isDeepStrictEqual(exception?.match, match)) {
        throw new HubError(
          'precondition_failed',
          'The app changed after this request. Reload the request and try again.',
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
        const { override_id: overrideId } = override;
        await answer(tx, person, asked, request.id, { ...decision, overrideId });
        await notify(tx, { kind: 'page', tenant: tenantId, topic: 'overrides' });
      });
      snapshots.invalidate(tenantId);
      return answered(db, tenantId, asked.access_request_id, request.id, reply);
    },
  );
}

function registerDecline(app: App, deps: RequestPagesDeps): void {
  const { db } = deps;

  app.post(
    '/access-requests/:access_request_id/decline',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: ['access-requests'],
        summary: 'Decline an access request',
        params: Params,
        headers: IfMatch,
        body: AccessDeclineInput,
        response: { 200: AccessRequestAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const { tenantId } = person;
      const text = request.body.reason.trim();
      const decision = { state: 'declined', text, endsAt: null } as const;
      const asked = await found(db, tenantId, request.params.access_request_id);
      if (!isSameDecision(asked, person, request.headers['if-match'], decision)) {
        requireWaiting(asked);
        requireMatch(request.headers['if-match'], asked.version);
        await transact(db, (tx) =>
          answer(tx, person, asked, request.id, { ...decision, overrideId: null }),
        );
      }
      return answered(db, tenantId, asked.access_request_id, request.id, reply);
    },
  );
}

interface RequestDecision {
  state: 'granted' | 'declined';
  text: string | null;
  endsAt: Date | null;
}

async function found(db: Db, tenantId: string, requestId: string): Promise<RequestRecord> {
  const record = await selectRequest(db, tenantId, requestId);
  if (record === null) throw new HubError('not_found');
  return record;
}

function requireWaiting({ state }: RequestRecord): void {
  if (state !== 'open')
    throw new HubError('precondition_failed', `This request is already ${state}.`);
}

/**
 * A repetition of the stored answer, by the same person, to the same version: the response to the first was
 * lost. The response is repeated and nothing is created twice. Throws like `If-Match` if the header is missing or malformed.
 */
function isSameDecision(
  asked: RequestRecord,
  person: Person,
  ifMatch: string | undefined,
  decision: RequestDecision,
): boolean {
  return (
    parseIfMatch(ifMatch).includes(asked.version - 1) &&
    asked.decided_by === person.email &&
    asked.state === decision.state &&
    asked.answer === decision.text &&
    asked.ends_at?.getTime() === decision.endsAt?.getTime()
  );
}

async function answer(
  tx: Tx,
  person: Person,
  asked: RequestRecord,
  requestId: string,
  how: RequestDecision & { overrideId: string | null },
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
  const record = await found(db, tenantId, id);
  reply.header('etag', etagOf(record.version));
  return { access_request: requestRow(record, null), request_id: requestId };
}
