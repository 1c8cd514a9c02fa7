// Request and response guardrails of an app: inspects texts, redacts them in place, and refuses blocked content. Compiled
// guardrails are cached by the documents they come from.
import { mergeCategories } from '@gatewarden/shared/detection-categories.ts';
import { type CatalogCategory, findUnsupported } from '@gatewarden/shared/unsupported-settings.ts';
import type { TenantSnapshot } from '../../config/documents.ts';
import {
  AppGuardrails,
  AppModelChecks,
  buildGuardrailRow,
  type CategoryDocument,
  type CheckList,
  type CompiledGuardrails,
  type CustomDefinition,
  compileCatalog,
  type DetectionCatalog,
  type Direction,
  decide,
  inspectTexts,
  type Outcome,
  type PartSpan,
  StreamWindow,
} from '../../guardrails/index.ts';
import type { RequestRecord } from '../../logs/record.ts';
import type { GatewayNode } from '../../node.ts';
import type { EffectiveApp, TextPart } from '../../policy/index.ts';
import type { AnswerGuard, TextWindow } from '../answer-guard.ts';
import type { Call } from '../call.ts';
import { type ContentImages, collectImages } from '../images.ts';
import { Refusal } from '../refusal.ts';
import type { Admission } from './admit.ts';
import { ModelReview } from './model-review.ts';

interface LoadedApp {
  guardrails: AppGuardrails;
  modelChecks: AppModelChecks;
  unsupported: readonly string[];
}

interface TenantGuardrails {
  catalog: DetectionCatalog;
  categories: readonly CatalogCategory[];
  apps: WeakMap<EffectiveApp, LoadedApp>;
}

const cache = new WeakMap<TenantSnapshot, TenantGuardrails>();

function loadTenantGuardrails(tenant: TenantSnapshot): TenantGuardrails {
  let loaded = cache.get(tenant);
  if (loaded === undefined) {
    const definitions = [...tenant.customDefinitions.values()] as CustomDefinition[];
    const imported = [...tenant.categories.values()] as CategoryDocument[];
    loaded = {
      catalog: compileCatalog(definitions, imported),
      categories: mergeCategories(imported),
      apps: new WeakMap(),
    };
    cache.set(tenant, loaded);
  }
  return loaded;
}

function loadAppGuardrails(
  tenant: TenantSnapshot,
  effective: EffectiveApp,
  hasModel: boolean,
): LoadedApp {
  const { catalog, categories, apps } = loadTenantGuardrails(tenant);
  let loaded = apps.get(effective);
  if (loaded === undefined) {
    const definitions = [...catalog.definitions].map(([id, { name, detectors }]) => ({
      ...{ id, name, isEmpty: detectors.length === 0 },
    }));
    const settings = findUnsupported(effective.config, { hasModel, categories, definitions });
    loaded = {
      guardrails: new AppGuardrails(effective.config, catalog),
      modelChecks: new AppModelChecks(effective.config, categories),
      unsupported: settings.map(({ path }) => path),
    };
    apps.set(effective, loaded);
  }
  return loaded;
}

/** The result of an inspection: texts to replace, by their paths. */
export interface TextInspection {
  outcome: Outcome;
  spans: readonly PartSpan[];
  changed: Pick<TextPart, 'path' | 'text'>[];
}

const NOTHING: TextInspection = { outcome: 'pass', changed: [], spans: [] };

/** The guardrails of a request. They record what they find in the row of the request. */
export class Guards {
  readonly #compiled: CompiledGuardrails;
  readonly #review: ModelReview | null;
  readonly #record: RequestRecord;
  readonly #spans: Record<Direction, PartSpan[]> = { request: [], response: [] };
  readonly #windows: StreamWindow[] = [];

  constructor(
    { guardian, metrics }: Pick<GatewayNode, 'guardian' | 'metrics'>,
    { tenant, effective, caller }: Admission,
    record: RequestRecord,
    disconnected: AbortSignal,
  ) {
    const loaded = loadAppGuardrails(tenant, effective, guardian !== null);
    this.#compiled = loaded.guardrails.forGroups(caller.smartGroups);
    this.#record = record;
    if (loaded.unsupported.length > 0) {
      record.extraData.guardrails_not_enforced = loaded.unsupported;
    }
    const plan = guardian === null ? null : loaded.modelChecks.forGroups(caller.smartGroups);
    const isReviewed = plan !== null && plan.checks.length > 0;
    this.#review =
      guardian === null || !isReviewed
        ? null
        : new ModelReview({
            ...{ guardian, plan, record, disconnected },
            onFailure: (code) => metrics.countGuardianFailure(code),
          });
    if (!this.isEmpty) record.describeGuardrails = () => this.#describe();
  }

  /** True if nothing is inspected. */
  get isEmpty(): boolean {
    return !this.#covers('request') && !this.#covers('response');
  }

  /** The sentence that returns an agent to its task, or null. */
  get reminder(): string | null {
    return this.#review?.reminder ?? null;
  }

  #covers(direction: Direction): boolean {
    return this.#compiled[direction].checks.length > 0 || this.#review?.covers(direction) === true;
  }

  /**
   * Returns the outcome of texts and images, and the texts to replace. Refuses nothing. Detectors run first: the model
   * gets redacted texts, and none of blocked content.
   */
  async inspect(
    direction: Direction,
    parts: readonly TextPart[],
    content: unknown,
  ): Promise<TextInspection> {
    const detected = this.#inspect(direction, parts, this.#compiled[direction]);
    const review = this.#review;
    if (detected.outcome === 'block' || review === null) return detected;
    const texts = new Map(detected.changed.map(({ path, text }) => [path, text]));
    const redacted = parts.map((part) => ({ ...part, text: texts.get(part.path) ?? part.text }));
    if (direction === 'request') review.setConversation(redacted);
    if (!review.covers(direction)) return detected;
    const startedAt = performance.now();
    const reviewed = await review.review(direction, redacted, collectImages(content, parts));
    this.#addTime(startedAt);
    this.#spans[direction].push(...reviewed.spans);
    const quoted = this.#inspect(direction, redacted, { checks: reviewed.checks, words: null });
    const spans = [...detected.spans, ...reviewed.spans, ...quoted.spans];
    return {
      outcome: decide(spans),
      spans,
      changed: mergeChanges(detected.changed, quoted.changed),
    };
  }

  /** Runs checks on texts. */
  #inspect(direction: Direction, parts: readonly TextPart[], list: CheckList): TextInspection {
    if (list.checks.length === 0) return NOTHING;
    const startedAt = performance.now();
    const texts = parts.map(({ text }) => text);
    const compiled = { ...this.#compiled, [direction]: list };
    const { outcome, spans, texts: redacted } = inspectTexts(texts, compiled, direction);
    this.#spans[direction].push(...spans);
    this.#addTime(startedAt);
    return { outcome, spans, changed: findChanged(parts, redacted) };
  }

  /** Redacts the texts of a request. Rejects with a Refusal with 403 for blocked content. */
  async inspectRequest(call: Call): Promise<void> {
    if (!this.#covers('request') && this.#review === null) return;
    const { outcome, spans, changed } = await this.inspect('request', call.texts, call.body.json);
    call.replaceTexts(changed);
    if (outcome !== 'block') return;
    this.#record.requestPayload = call.body.json;
    throw refuseContent('request', spans);
  }

  /** The inspection of answers; null if no guardrail inspects them. */
  get answer(): AnswerGuard | null {
    if (!this.#covers('response')) return null;
    const guard = this.#createGuard(this.#compiled);
    if (this.#review?.covers('response') !== true) return guard;
    return { ...guard, review: (parts, images) => this.#reviewAnswer(parts, images) };
  }

  /** Returns a guard that applies the checks of this app and the findings of the model. */
  async #reviewAnswer(parts: readonly TextPart[], images: ContentImages): Promise<AnswerGuard> {
    const texts = parts.map(({ text }) => text);
    const detected = inspectTexts(texts, this.#compiled, 'response');
    if (detected.outcome === 'block' || this.#review === null) {
      return this.#createGuard(this.#compiled);
    }
    const redacted = parts.map((part, i) => ({ ...part, text: detected.texts[i] ?? part.text }));
    const startedAt = performance.now();
    const { checks, spans } = await this.#review.review('response', redacted, images);
    this.#addTime(startedAt);
    this.#spans.response.push(...spans);
    if (decide(spans) === 'block') throw refuseContent('response', spans);
    const { response } = this.#compiled;
    const list = { ...response, checks: [...response.checks, ...checks] };
    return this.#createGuard({ ...this.#compiled, response: list });
  }

  #createGuard(compiled: CompiledGuardrails): AnswerGuard {
    return {
      review: null,
      inspect: (parts) => {
        const { outcome, spans, changed } = this.#inspect('response', parts, compiled.response);
        if (outcome === 'block') throw refuseContent('response', spans);
        return changed;
      },
      openWindow: () => this.#openWindow(compiled),
    };
  }

  #openWindow(compiled: CompiledGuardrails): TextWindow {
    const window = new StreamWindow(compiled);
    this.#windows.push(window);
    const run = (step: () => string): string => {
      const startedAt = performance.now();
      const text = step();
      this.#addTime(startedAt);
      if (window.isBlocked) throw refuseContent('response', window.spans);
      return text;
    };
    return { push: (text) => run(() => window.push(text)), flush: () => run(() => window.flush()) };
  }

  #addTime(startedAt: number): void {
    this.#record.guardrailsMs = (this.#record.guardrailsMs ?? 0) + performance.now() - startedAt;
  }

  /** Returns the findings up to now. The row computes them once, because a stream may have thousands. */
  #describe(): ReturnType<typeof buildGuardrailRow> {
    const streamed = this.#windows.flatMap(({ spans }, part) =>
      spans.map((span) => ({ ...span, part })),
    );
    return buildGuardrailRow(this.#spans.request, [...this.#spans.response, ...streamed]);
  }
}

/** Returns the last text of each path. */
function mergeChanges(
  first: TextInspection['changed'],
  last: TextInspection['changed'],
): TextInspection['changed'] {
  const replaced = new Set(last.map(({ path }) => path));
  return [...first.filter(({ path }) => !replaced.has(path)), ...last];
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
