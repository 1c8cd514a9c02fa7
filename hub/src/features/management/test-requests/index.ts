// Test requests: a short request of an app through the gateway's address, so that an administrator sees the first answer.
// Main types: `TestRequest` (wire), `TextAnswer` (answer.ts).
// Invariants: only a key of the tenant's own app is sent; the key is neither stored nor logged; the outbound rules apply.
// Depends on app-keys and providers. Start reading at `registerTestRequests`.
import { textApiOf } from '@gatewarden/shared/client-apis.ts';
import {
  GatewayAddressAnswer,
  TestRequestAnswer,
  TestRequestInput,
} from '@gatewarden/shared/wire/console/test-requests.ts';
import type { ProviderType } from '@gatewarden/shared/wire/management/providers.ts';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { Outbound } from '../../../platform/http/outbound/outbound.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { isKeyOfTenant } from '../app-keys/index.ts';
import { providersNamed } from '../providers/index.ts';
import { sendTestRequest, type TokenCounts } from './send.ts';

export interface TestRequestDeps {
  db: Db;
  outbound: Outbound;
  /** The address of the gateway nodes without a final slash, or null. */
  gatewayUrl: string | null;
  /** Returns the cost of a request in US dollars; null without a known price. */
  costOf(
    tenantId: string,
    request: { provider: string; model: string; tokens: TokenCounts },
  ): Promise<number | null>;
}

/** Registers the address of the gateway and the test request. */
export function registerTestRequests(app: App, deps: TestRequestDeps): void {
  app.get(
    '/llm/gateway',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['gateway'],
        summary: 'Get the address under which clients reach the gateway nodes',
        response: { 200: GatewayAddressAnswer },
      },
    },
    (request) => ({ url: deps.gatewayUrl, request_id: request.id }),
  );

  app.post(
    '/llm/test-requests',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['gateway'],
        summary: 'Send a short request of an app through the gateway',
        body: TestRequestInput,
        response: { 200: TestRequestAnswer },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const { tenantId } = personOf(request);
      const { app_key: key, provider_label: label, model } = request.body;
      if (deps.gatewayUrl === null) {
        throw new HubError('invalid_request', 'HUB_LLM_GATEWAY_URL is not set at this hub.');
      }
      const provider = (await providersNamed(deps.db, tenantId, [label])).get(label);
      if (provider === undefined || !(await isKeyOfTenant(deps.db, tenantId, key))) {
        throw new HubError('not_found');
      }
      const api = textApiOf(provider.provider_name as ProviderType);
      if (api === null) {
        throw new HubError('invalid_request', '/provider_label has a type that generates no text');
      }
      const { tokens, ...result } = await sendTestRequest(deps.outbound, {
        ...{ url: deps.gatewayUrl, api, key, model },
      });
      const cost = tokens && (await deps.costOf(tenantId, { provider: label, model, tokens }));
      return {
        test: {
          ...result,
          tokens_request: tokens?.request ?? null,
          tokens_response: tokens?.response ?? null,
          cost_usd: cost,
        },
        request_id: request.id,
      };
    },
  );
}
