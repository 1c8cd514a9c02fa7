// C/llm/guardrail-categories and C/llm/guardrail-tests: the categories of content, and a trial of guardrails on a text.
import { type Static, Type } from 'typebox';
import { OneOf } from '../common.ts';
import { ACTIONS, CONFIG_SECTIONS, DETECTION_SCOPES } from '../management/app-config.ts';

export const GuardrailCategory = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    subcategories: Type.Array(Type.String()),
    /** The actions that a configuration may choose for the category. */
    actions: Type.Array(OneOf(ACTIONS)),
    scopes: Type.Array(OneOf(DETECTION_SCOPES)),
    /** Whether a detector of the gateway recognizes its content. Other content needs a model. */
    has_detector: Type.Boolean(),
  },
  { title: 'GuardrailCategory' },
);
export type GuardrailCategory = Static<typeof GuardrailCategory>;
export const GuardrailCategoriesAnswer = Type.Object({
  items: Type.Array(GuardrailCategory),
  request_id: Type.String(),
});
export type GuardrailCategoriesAnswer = Static<typeof GuardrailCategoriesAnswer>;

export const GUARDRAIL_DIRECTIONS = ['request', 'response'] as const;
export type GuardrailDirection = (typeof GUARDRAIL_DIRECTIONS)[number];
export const GUARDRAIL_TEXT_MAX = 20_000;

export const GuardrailTestInput = Type.Object(
  {
    /** The hub neither stores nor logs the text. */
    text: Type.String({ minLength: 1, maxLength: GUARDRAIL_TEXT_MAX }),
    direction: OneOf(GUARDRAIL_DIRECTIONS),
    /** Settings as in the section `detection` of an app, saved or not. */
    detection: CONFIG_SECTIONS.detection,
  },
  { additionalProperties: false, title: 'GuardrailTestInput' },
);

/** `pass`: nothing was detected. Otherwise the strictest action of all detections. */
export const GUARDRAIL_OUTCOMES = ['pass', ...ACTIONS] as const;
export type GuardrailOutcome = (typeof GUARDRAIL_OUTCOMES)[number];

export const GuardrailSpan = Type.Object(
  {
    /** Positions in UTF-16 units, from 0; the end is exclusive. */
    start: Type.Integer(),
    end: Type.Integer(),
    category: Type.String(),
    subcategory: Type.String(),
    action: OneOf(ACTIONS),
    detector: Type.String(),
  },
  { title: 'GuardrailSpan' },
);
export type GuardrailSpan = Static<typeof GuardrailSpan>;
export const GuardrailTestAnswer = Type.Object({
  outcome: OneOf(GUARDRAIL_OUTCOMES),
  /** The text that would leave the node; null if the request or the response is blocked. */
  text: Type.Union([Type.String(), Type.Null()]),
  spans: Type.Array(GuardrailSpan),
  request_id: Type.String(),
});
export type GuardrailTestAnswer = Static<typeof GuardrailTestAnswer>;
