// R/apps/{app_name}/prompts: templates of an app. Each change is a new version of the app, without an entry in its
// history.
import type { AuditVerb } from '@gatewarden/shared/wire/console/audit-operations.ts';
import {
  PROMPT_ID_PATTERN,
  type Prompt,
  PromptAnswer,
  PromptDeletedAnswer,
  PromptInput,
  PromptsAnswer,
} from '@gatewarden/shared/wire/management/apps.ts';
import { PageQuery } from '@gatewarden/shared/wire/management/common.ts';
import { recordAudit } from '../../../platform/audit.ts';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { touchCollection } from '../../../platform/db/collection-versions.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { countFitting } from '../../../platform/db/page-byte-limit.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadCollectionPage } from '../../../platform/http/lists/collections.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import { etagOf, requireMatch } from '../../../platform/http/server/etag.ts';
import { unixSeconds } from '../../../platform/http/server/expiry.ts';
import { type AppRow, bumpApp, findApp, lockApp } from '../apps/index.ts';
import { type Call, type RouteSpec, route } from '../auth/index.ts';
import {
  type Apply,
  configurationWrite,
  findThenMatch,
  type WriteCall,
  type Written,
} from '../operations/index.ts';
import {
  deletePrompt,
  type PromptRow,
  selectPrompt,
  selectPromptDocs,
  selectPrompts,
  storePrompt,
} from './store.ts';

const PATH = '/apps/:app_name/prompts';
const collectionOf = (appId: string) => `prompts/${appId}`;
const PROMPT_ID = new RegExp(PROMPT_ID_PATTERN);

interface PromptWritten {
  prompt: Prompt | null;
  prompt_id: string;
  app_version: string;
  created: boolean;
}

export interface PromptDeps {
  db: Db;
  sealer: Sealer;
  cursors: CursorSealer;
}

export function promptRoutes(deps: PromptDeps): RouteSpec[] {
  const { db, cursors } = deps;
  return [
    ...promptWriteRoutes(deps),
    route({
      method: 'GET',
      path: PATH,
      summary: 'List prompts',
      scopes: ['read'],
      query: PageQuery,
      answers: { 200: PromptsAnswer },
      async handle({ principal: { tenantId }, params, query }) {
        const { app_id: appId } = await findApp(db, tenantId, params.app_name);
        const page = await loadCollectionPage(db, {
          cursors,
          tenantId,
          collection: collectionOf(appId),
          query,
          fetch: (after, limit) => selectPrompts(db, tenantId, appId, after, limit),
          keyOf: ({ prompt_id }) => [prompt_id],
          countFitting,
          item: wirePrompt,
        });
        return { body: page };
      },
    }),
    route({
      method: 'GET',
      path: `${PATH}/:prompt_id`,
      summary: "Get a prompt and the app's version",
      scopes: ['read'],
      answers: { 200: PromptAnswer },
      async handle({ principal: { tenantId }, params }) {
        const app = await findApp(db, tenantId, params.app_name);
        const found = await selectPrompt(db, tenantId, app.app_id, params.prompt_id ?? '');
        if (found === null) throw new HubError('not_found');
        const etag = etagOf(app.version);
        return { etag, body: { prompt: wirePrompt(found), app_version: etag } };
      },
    }),
  ];
}

function promptWriteRoutes(deps: PromptDeps): RouteSpec[] {
  function write(kind: keyof typeof promptWrites, call: Call) {
    return configurationWrite(deps, kind, call, promptWrites[kind]);
  }
  return [
    route({
      method: 'PUT',
      path: `${PATH}/:prompt_id`,
      summary: 'Create or replace a prompt',
      scopes: ['config:write'],
      ifMatch: true,
      body: PromptInput,
      answers: { 200: PromptAnswer, 201: PromptAnswer },
      async handle(call) {
        checkedId(call.params.prompt_id);
        const { prompt, app_version, created } = await write('prompt.put', call as Call);
        return { status: created ? 201 : 200, etag: app_version, body: { prompt, app_version } };
      },
    }),
    route({
      method: 'DELETE',
      path: `${PATH}/:prompt_id`,
      summary: 'Delete a prompt',
      scopes: ['config:write'],
      ifMatch: true,
      answers: { 200: PromptDeletedAnswer },
      async handle(call) {
        const { app_version, prompt_id } = await write('prompt.delete', call as Call);
        return { etag: app_version, body: { prompt: null, prompt_id, app_version } };
      },
    }),
  ];
}

function checkedId(id: string | undefined): void {
  if (PROMPT_ID.test(id ?? '')) return;
  throw new HubError(
    'invalid_request',
    '/path/prompt_id must be 1-200 letters, digits, hyphens or underscores',
  );
}

/** The writes of prompts, by the name in operations and audit events. */
export const promptWrites = {
  'prompt.put': async (tx: Tx, call: WriteCall): Promise<Written<PromptWritten>> => {
    const { tenantId } = call.principal;
    const promptId = call.params.prompt_id ?? '';
    const { content } = call.body as { content: string };
    const app = await begin(tx, call);
    const before = await selectPrompt(tx, tenantId, app.app_id, promptId);
    if (before?.content === content) {
      return { result: written(before, promptId, app, false), announce: [] };
    }
    const stored = await storePrompt(tx, tenantId, app.app_id, promptId, content);
    if (before === null) await touchCollection(tx, tenantId, collectionOf(app.app_id));
    const verb = before === null ? 'create' : 'update';
    const after = await finish(tx, call, app, verb);
    const item = { kind: 'prompt' as const, id: itemId(app.app_id, promptId) };
    return { result: written(stored, promptId, after, before === null), announce: [item] };
  },
  'prompt.delete': async (tx: Tx, call: WriteCall): Promise<Written<PromptWritten>> => {
    const { tenantId } = call.principal;
    const promptId = call.params.prompt_id ?? '';
    const app = await lockApp(tx, tenantId, call.params.app_name);
    await findThenMatch(
      call,
      async () => {
        const before = await selectPrompt(tx, tenantId, app.app_id, promptId);
        if (before === null) throw new HubError('not_found');
      },
      () => requireMatch(call.ifMatch, app.version),
    );
    await deletePrompt(tx, tenantId, app.app_id, promptId);
    await touchCollection(tx, tenantId, collectionOf(app.app_id));
    const after = await finish(tx, call, app, 'delete');
    const item = { kind: 'prompt' as const, id: itemId(app.app_id, promptId), deleted: true };
    return { result: written(null, promptId, after, false), announce: [item] };
  },
} satisfies Record<string, Apply<PromptWritten>>;

/** The id of a prompt for gateway nodes: its app and its own id. */
function itemId(appId: string, promptId: string): string {
  return `${appId}/${promptId}`;
}

async function begin(tx: Tx, call: WriteCall): Promise<AppRow> {
  const app = await lockApp(tx, call.principal.tenantId, call.params.app_name);
  requireMatch(call.ifMatch, app.version);
  return app;
}

async function finish(
  tx: Tx,
  call: WriteCall,
  app: AppRow,
  verb: AuditVerb<'prompt'>,
): Promise<AppRow> {
  const { tenantId, actor } = call.principal;
  const after = await bumpApp(tx, tenantId, app);
  if (after === null) throw new HubError('precondition_failed');
  await recordAudit(tx, {
    tenantId,
    actor,
    operation: `prompt.${verb}`,
    resource: { kind: 'prompt', id: call.params.prompt_id ?? '' },
    requestId: call.requestId,
    detail: { app_id: app.app_id, app_name: app.name },
    management: true,
  });
  return after;
}

function written(
  prompt: PromptRow | null,
  promptId: string,
  app: AppRow,
  created: boolean,
): PromptWritten {
  return {
    prompt: prompt === null ? null : wirePrompt(prompt),
    prompt_id: promptId,
    app_version: etagOf(app.version),
    created,
  };
}

function wirePrompt({ prompt_id, content, created_at, updated_at }: PromptRow): Prompt {
  return {
    prompt_id,
    content,
    created_at: unixSeconds(created_at),
    updated_at: unixSeconds(updated_at),
  };
}

/** Returns prompts for gateway nodes, by `app_id/prompt_id`; deleted prompts are left out. */
export async function promptDocs(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, object>> {
  const found = await selectPromptDocs(db, tenantId, ids);
  return new Map(
    found.map(({ id, app_id, prompt_id, content }) => [id, { app_id, prompt_id, content }]),
  );
}
