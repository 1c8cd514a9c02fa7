// The review of a request or of its answer by the operator's guardian. Where the guardian fails, the content passes without a
// review, and the row lists the settings in `guardrails_not_enforced` with the reason in `guardian_agent`.
import {
  buildModelMessages,
  covers,
  type Direction,
  describeFindings,
  type ModelCheck,
  type ModelPlan,
  type ModelQuestion,
  type ReviewedContent,
  readModelFindings,
  TASK_ADHERENCE,
} from '../../guardrails/index.ts';
import type { RequestRecord } from '../../logs/record.ts';
import type { TextPart } from '../../policy/index.ts';
import {
  type GuardianClient,
  GuardianFailure,
  type GuardianFailureCode,
} from '../../upstream/guardian-client.ts';
import type { ContentImages } from '../images.ts';

/** Longer content is not reviewed: no model reads it. */
const CHARACTERS_MAX = 400_000;

type Texts = readonly Pick<TextPart, 'role' | 'text'>[];

export interface ReviewOptions {
  guardian: GuardianClient;
  plan: ModelPlan;
  record: RequestRecord;
  disconnected: AbortSignal;
  onFailure: (code: GuardianFailureCode) => void;
}

export class ModelReview {
  readonly #options: ReviewOptions;
  #conversation: Texts = [];
  readonly #findings = new Set<string>();

  constructor(options: ReviewOptions) {
    this.#options = options;
  }

  /** Sets the redacted request, which the guardian reads when it reviews the answer. */
  setConversation(texts: Texts): void {
    this.#conversation = texts.map(readText);
  }

  /** Returns whether a direction has a check, with or without images. */
  covers(direction: Direction): boolean {
    const { images, encodedImages } = this.#options.plan;
    const mayHaveImages = covers(images, direction) || covers(encodedImages, direction);
    return this.#selectChecks(direction, mayHaveImages).length > 0;
  }

  /** The sentence that returns the agent to its task, if the request left it and the app nudges. */
  get reminder(): string | null {
    return this.#findings.has(TASK_ADHERENCE) ? this.#options.plan.reminder : null;
  }

  /** Returns the findings of the guardian. Never throws for a failed guardian. */
  async review(
    direction: Direction,
    texts: Texts,
    content: ContentImages,
  ): Promise<ReviewedContent> {
    const { plan } = this.#options;
    const images = [
      ...(covers(plan.images, direction) ? content.parts : []),
      ...(covers(plan.encodedImages, direction) ? content.encoded : []),
    ];
    const conversation = direction === 'response' ? this.#conversation : [];
    const checks = this.#selectChecks(direction, images.length > 0);
    if (checks.length === 0 || (texts.length === 0 && images.length === 0)) return NOTHING;
    const question = { direction, checks, texts: texts.map(readText), conversation, images };
    try {
      const answer = await this.#ask(question);
      const findings = readModelFindings(answer, checks);
      this.#recordCategories(findings.map(({ check }) => check.id));
      return describeFindings(
        findings,
        texts.map(({ text }) => text),
      );
    } catch (error) {
      this.#recordFailure(error, checks);
      return NOTHING;
    }
  }

  async #ask(question: ModelQuestion): Promise<string> {
    const { guardian, disconnected } = this.#options;
    const messages = buildModelMessages(question);
    const size = question.texts.reduce((sum, { text }) => sum + text.length, 0);
    if (size > CHARACTERS_MAX) throw new GuardianFailure('too_long');
    return guardian.ask(messages, disconnected);
  }

  #selectChecks(direction: Direction, hasImages: boolean): ModelCheck[] {
    return this.#options.plan.checks.filter(
      ({ scope, isImageOnly }) => covers(scope, direction) && (hasImages || !isImageOnly),
    );
  }

  /** Lists the checks with findings in the row, where the log export expects them. */
  #recordCategories(ids: readonly string[]): void {
    for (const id of ids) this.#findings.add(id);
    if (this.#findings.size === 0) return;
    this.#options.record.extraData.guardian_agent = { categories: [...this.#findings] };
  }

  #recordFailure(error: unknown, checks: readonly ModelCheck[]): void {
    const { record, onFailure } = this.#options;
    const code = error instanceof GuardianFailure ? error.code : 'invalid_answer';
    onFailure(code);
    const before = (record.extraData.guardrails_not_enforced ?? []) as readonly string[];
    record.extraData.guardrails_not_enforced = [
      ...new Set([...before, ...checks.map(({ path }) => path)]),
    ];
    record.extraData.guardian_agent = { error: code };
  }
}

const readText = ({ role, text }: Texts[number]) => ({ role, text });
const NOTHING: ReviewedContent = { checks: [], spans: [] };
