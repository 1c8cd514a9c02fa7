// Guardrail tests: the detection categories of a tenant, and a trial of detection settings on a text.
// Main types: `GuardrailCategory`, `GuardrailSpan` (wire).
// Invariants: the text is neither stored nor logged; the detectors are those of the gateway nodes (shared/guardrails).
// Depends on catalogs. Start reading at `registerGuardrailTests`.
import { compileCatalog, compileGuardrails } from '@gatewarden/shared/guardrails/compile.ts';
import { inspectTexts } from '@gatewarden/shared/guardrails/detect.ts';
import { type CustomDefinition, DETECTORS } from '@gatewarden/shared/guardrails/detectors/index.ts';
import type { DetectionSettings } from '@gatewarden/shared/guardrails/settings.ts';
import {
  GuardrailCategoriesAnswer,
  GuardrailTestAnswer,
  GuardrailTestInput,
} from '@gatewarden/shared/wire/console/guardrail-tests.ts';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { catalogDocs, catalogReferences } from '../catalogs/index.ts';

/** Registers the list of categories and the trial. */
export function registerGuardrailTests(app: App, { db }: { db: Db }): void {
  app.get(
    '/llm/guardrail-categories',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['gateway'],
        summary: 'List the categories of content that guardrails of apps can detect',
        response: { 200: GuardrailCategoriesAnswer },
      },
    },
    async (request) => {
      const { categories } = await loadCatalog(db, personOf(request).tenantId);
      const items = categories.map(({ id, name, subcategories, actions, scopes }) => ({
        ...{ id, name },
        ...{ subcategories: [...subcategories], actions: [...actions], scopes: [...scopes] },
        has_detector: DETECTORS.some(({ category }) => category === id),
      }));
      return { items, request_id: request.id };
    },
  );

  app.post(
    '/llm/guardrail-tests',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['gateway'],
        summary: 'Run guardrails on a text; nothing is stored',
        body: GuardrailTestInput,
        response: { 200: GuardrailTestAnswer },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const { text, direction, detection } = request.body;
      const { categories, definitions } = await loadCatalog(db, personOf(request).tenantId);
      const compiled = compileGuardrails(
        detection as DetectionSettings,
        compileCatalog(definitions, categories),
      );
      const { outcome, spans, texts } = inspectTexts([text], compiled, direction);
      return {
        outcome,
        text: outcome === 'block' ? null : (texts[0] ?? text),
        spans: spans.map(({ part: _part, ...span }) => span),
        request_id: request.id,
      };
    },
  );
}

async function loadCatalog(db: Db, tenantId: string) {
  const { categories, definitions: ids } = await catalogReferences(db, tenantId, ['detection']);
  const docs = await catalogDocs(db, 'custom-definitions', tenantId, [...ids]);
  return { categories, definitions: [...docs.values()] as CustomDefinition[] };
}
