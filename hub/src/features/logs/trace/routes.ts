// C/llm/requests/why and C/own/llm-requests/why: traces an LLM request to the version of its app's configuration at
// that time, and to its author.
import { LlmWhy, LlmWhyQuery } from '@gatewarden/shared/wire/console/call-why.ts';
import type { AuditStep } from '../../../platform/audit.ts';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { type LlmListRow, llmItem, selectLlmRequest } from '../console/index.ts';
import { foldEmail, type Micros, microsText } from '../events/index.ts';
import { sentBy, stepOf } from './steps.ts';

export interface LlmTraceDeps {
  db: Db;
  /** Returns the app; null if it was deleted. */
  appWith(tenantId: string, appId: string): Promise<{ name: string; enabled: boolean } | null>;
  /** Returns the app's configuration as of this time. */
  configurationAt(
    tenantId: string,
    appId: string,
    at: string,
  ): Promise<{
    version_id: string | null;
    app_version: number;
    changed: string[];
    made: Omit<AuditStep, 'resource_id'> | null;
    newer: number;
  }>;
  policyOf(tenantId: string): Promise<{ enabled: boolean; active_revision: string | null }>;
  /** Returns the name of the tenant's own node with this id; null for a node that serves other tenants, too. */
  nodeNamed(tenantId: string, nodeId: string): Promise<string | null>;
}

/** Registers the trace for reviewers and for the user of a request. */
export function registerLlmTrace(app: App, deps: LlmTraceDeps): void {
  app.get(
    '/llm/requests/why',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['why'],
        summary: 'Explain an LLM request by its configuration and the author',
        querystring: LlmWhyQuery,
        response: { 200: LlmWhy },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const row = await selectLlmRequest(deps.db, tenantId, request.query.request_id);
      if (row === null) throw new HubError('not_found');
      return { ...(await chainOf(deps, tenantId, row)), request_id: request.id };
    },
  );

  app.get(
    '/own/llm-requests/why',
    {
      config: { access: 'Member' },
      schema: {
        tags: ['why'],
        summary: 'Explain your LLM request',
        querystring: LlmWhyQuery,
        response: { 200: LlmWhy },
      },
    },
    async (request) => {
      const { tenantId, email } = personOf(request);
      const row = await selectLlmRequest(deps.db, tenantId, request.query.request_id);
      // Another user's request is indistinguishable from a missing request.
      if (row === null || row.user_email !== foldEmail(email)) throw new HubError('not_found');
      return { ...(await chainOf(deps, tenantId, row)), request_id: request.id };
    },
  );
}

async function chainOf(deps: LlmTraceDeps, tenantId: string, row: LlmListRow) {
  const { app, ...item } = llmItem(row);
  const [now, configuration, policy, sent_by] = await Promise.all([
    row.app_id === null ? null : deps.appWith(tenantId, row.app_id),
    row.app_id === null ? null : configurationOf(deps, tenantId, row.app_id, row.at),
    deps.policyOf(tenantId),
    sentBy(row, (nodeId) => deps.nodeNamed(tenantId, nodeId)),
  ]);
  const { timestamp, status_code, user_email, model, provider, reasons } = item;
  const { is_blocked, is_failed, is_anonymized } = item;
  return {
    request: {
      llm_request_id: item.request_id,
      timestamp,
      status_code,
      is_blocked,
      is_failed,
      is_anonymized,
      reasons,
      user_email,
      model,
      provider,
      sent_by,
    },
    app: {
      app_id: app.id,
      name: app.name,
      now: now && { name: now.name, enabled: now.enabled },
    },
    configuration,
    policy_authority: { enabled: policy.enabled, active_revision: policy.active_revision },
  };
}

async function configurationOf(deps: LlmTraceDeps, tenantId: string, appId: string, at: Micros) {
  const { version_id, app_version, changed, made, newer } = await deps.configurationAt(
    tenantId,
    appId,
    microsText(at),
  );
  return {
    version_id,
    version: app_version,
    changed,
    made: made && stepOf(made, at),
    newer,
  };
}
