// Request and response guardrails of an app: inspects texts, redacts them in place, and refuses blocked content. Compiled
// guardrails are cached by the documents they come from.
import type { TenantSnapshot } from '../../config/documents.ts';
import {
  AppGuardrails,
  buildGuardrailRow,
  type CategoryDocument,
  type CompiledGuardrails,
  type CustomDefinition,
  compileCatalog,
  type DetectionCatalog,
  findUnsupported,
  inspectTexts,
  type Outcome,
  type PartSpan,
  StreamWindow,
} from '../../guardrails/index.ts';
import type { RequestRecord } from '../../logs/record.ts';
import type { EffectiveApp, TextPart } from '../../policy/index.ts';
import type { AnswerGuard, TextWindow } from '../answer-guard.ts';
import type { Call } from '../call.ts';
import { Refusal } from '../refusal.ts';
import type { Admission } from './admit.ts';

interface TenantGuardrails {
  catalog: DetectionCatalog;
  apps: WeakMap<EffectiveApp, { guardrails: AppGuardrails; unsupported: readonly string[] }>;
}

const cache = new WeakMap<TenantSnapshot, TenantGuardrails>();

function loadTenantGuardrails(tenant: TenantSnapshot): TenantGuardrails {
  let loaded = cache.get(tenant);
  if (loaded === undefined) {
    const definitions = [...tenant.customDefinitions.values()] as CustomDefinition[];
    const categories = [...tenant.categories.values()] as CategoryDocument[];
    loaded = { catalog: compileCatalog(definitions, categories), apps: new WeakMap() };
    cache.set(tenant, loaded);
  }
  return loaded;
}

function loadAppGuardrails(tenant: TenantSnapshot, effective: EffectiveApp) {
  const { catalog, apps } = loadTenantGuardrails(tenant);
  let loaded = apps.get(effective);
  if (loaded === undefined) {
    const settings = findUnsupported(effective.config, { hasGuardian: false, catalog });
    loaded = {
      guardrails: new AppGuardrails(effective.config, catalog),
      unsupported: settings.map(({ path }) => path),
    };
    apps.set(effective, loaded);
  }
  return loaded;
}

type Direction = 'request' | 'response';

/** The result of an inspection: texts to replace, by their paths. */
export interface TextInspection {
  outcome: Outcome;
  spans: readonly PartSpan[];
  changed: Pick<TextPart, 'path' | 'text'>[];
}

/** The guardrails of a request. They record what they find in the row of the request. */
export class Guards {
  readonly #compiled: CompiledGuardrails;
  readonly #record: RequestRecord;
  readonly #spans: Record<Direction, PartSpan[]> = { request: [], response: [] };
  readonly #windows: StreamWindow[] = [];

  constructor({ tenant, effective, caller }: Admission, record: RequestRecord) {
    const { guardrails, unsupported } = loadAppGuardrails(tenant, effective);
    this.#compiled = guardrails.forGroups(caller.smartGroups);
    this.#record = record;
    if (unsupported.length > 0) record.extraData.guardrails_not_enforced = unsupported;
    if (!this.isEmpty) this.#store();
  }

  /** True if nothing is inspected. */
  get isEmpty(): boolean {
    const { request, response } = this.#compiled;
    return request.checks.length === 0 && response.checks.length === 0;
  }

  /** Returns the outcome of texts, and those to replace. Refuses nothing. */
  inspect(direction: Direction, parts: readonly TextPart[]): TextInspection {
    if (this.#compiled[direction].checks.length === 0)
      return { outcome: 'pass', changed: [], spans: [] };
    const startedAt = performance.now();
    const texts = parts.map(({ text }) => text);
    const { outcome, spans, texts: redacted } = inspectTexts(texts, this.#compiled, direction);
    this.#spans[direction].push(...spans);
    this.#store();
    this.#addTime(startedAt);
    return { outcome, spans, changed: findChanged(parts, redacted) };
  }

  /** Redacts the texts of a request. Throws a Refusal with 403 for blocked content. */
  inspectRequest(call: Call): void {
    if (this.#compiled.request.checks.length === 0) return;
    const { outcome, spans, changed } = this.inspect('request', call.texts);
    call.replaceTexts(changed);
    if (outcome !== 'block') return;
    this.#record.requestPayload = call.body.json;
    throw refuseContent('request', spans);
  }

  /** The inspection of answers; null if no guardrail inspects them. */
  get answer(): AnswerGuard | null {
    if (this.#compiled.response.checks.length === 0) return null;
    return {
      inspect: (parts) => {
        const { outcome, spans, changed } = this.inspect('response', parts);
        if (outcome === 'block') throw refuseContent('response', spans);
        return changed;
      },
      openWindow: () => this.#openWindow(),
    };
  }

  #openWindow(): TextWindow {
    const window = new StreamWindow(this.#compiled);
    this.#windows.push(window);
    const run = (step: () => string): string => {
      const startedAt = performance.now();
      const before = window.spans.length;
      const text = step();
      if (window.spans.length > before) this.#store();
      this.#addTime(startedAt);
      if (window.isBlocked) throw refuseContent('response', window.spans);
      return text;
    };
    return { push: (text) => run(() => window.push(text)), flush: () => run(() => window.flush()) };
  }

  #addTime(startedAt: number): void {
    this.#record.guardrailsMs = (this.#record.guardrailsMs ?? 0) + performance.now() - startedAt;
  }

  #store(): void {
    const streamed = this.#windows.flatMap(({ spans }, part) =>
      spans.map((span) => ({ ...span, part })),
    );
    this.#record.guardrails = buildGuardrailRow(this.#spans.request, [
      ...this.#spans.response,
      ...streamed,
    ]);
  }
}

function findChanged(
  parts: readonly TextPart[],
  texts: readonly string[],
): Pick<TextPart, 'path' | 'text'>[] {
  return parts.flatMap(({ path, text }, index) => {
    const replaced = texts[index] ?? text;
    return replaced === text ? [] : [{ path, text: replaced }];
  });
}

function refuseContent(
  direction: Direction,
  spans: readonly { action: string; category: string }[],
): Refusal {
  const blocking = spans.filter(({ action }) => action === 'block');
  const categories = [...new Set(blocking.map(({ category }) => category))].join(', ');
  const remedy =
    direction === 'request' ? 'Remove it and repeat the request.' : 'Change the request.';
  return new Refusal(
    403,
    'guardrail_blocked',
    `A guardrail blocked this ${direction}, because it contains ${categories}. ${remedy}`,
  );
}
