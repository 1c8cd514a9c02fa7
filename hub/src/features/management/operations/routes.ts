// R/operations: the outcome of a configuration write, and its repetition.
import { isUuid, OneOf, Uuid } from '@gatewarden/shared/wire/common.ts';
import { AppWire, Warnings } from '@gatewarden/shared/wire/management/apps.ts';
import { RequestId, Strict, UnixSeconds } from '@gatewarden/shared/wire/management/common.ts';
import { Type } from 'typebox';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { type RouteSpec, route } from '../auth/index.ts';
import { type Apply, recoverOperation, type WriteTools } from './configuration-write.ts';
import { selectOperation } from './store.ts';

const STATES = ['pending', 'completed', 'failed', 'superseded'] as const;

const OperationAnswer = Type.Object({
  operation_id: Uuid,
  state: OneOf(STATES),
  created_at: UnixSeconds,
  ...RequestId,
});
const RecoverAnswer = Type.Object({
  operation_id: Uuid,
  state: OneOf(STATES),
  app: Type.Optional(AppWire),
  warnings: Type.Optional(Warnings),
  ...RequestId,
});

/** `writes`: the kinds of configuration writes; the result of a write is part of a recovery's response. */
export function operationRoutes(
  tools: WriteTools,
  writes: Readonly<Record<string, Apply<unknown>>>,
): RouteSpec[] {
  return [
    route({
      method: 'GET',
      path: '/operations/:operation_id',
      summary: 'Get the outcome of an operation',
      scopes: ['read'],
      answers: { 200: OperationAnswer },
      async handle({ principal, params }) {
        const id = operationId(params);
        const found = await selectOperation(tools.db, principal.tenantId, principal.id, id);
        if (found === null) throw new HubError('not_found');
        return {
          body: {
            operation_id: found.operation_id,
            state: found.state,
            created_at: found.created_at.getTime() / 1000,
          },
        };
      },
    }),
    route({
      method: 'POST',
      path: '/operations/:operation_id/recover',
      summary: 'Repeat a configuration write with an unknown outcome',
      scopes: ['config:write'],
      emptyBody: true,
      body: Strict({}),
      answers: { 200: RecoverAnswer },
      async handle(call) {
        const recovered = await recoverOperation(tools, writes, call, operationId(call.params));
        const { operation_id, state, result } = recovered;
        const { app, warnings } = (result ?? {}) as { app?: object; warnings?: unknown[] };
        const appResult = app === undefined ? {} : { app, warnings: warnings ?? [] };
        return { body: { ...appResult, operation_id, state } };
      },
    }),
  ];
}

function operationId(params: Record<string, string>): string {
  const id = params.operation_id ?? '';
  // A value that is no id was never issued.
  if (!isUuid(id)) throw new HubError('not_found');
  return id.toLowerCase();
}
