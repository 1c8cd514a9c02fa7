// Step validateArguments: arguments must satisfy the schemas that the tenant wrote for the tool.
import {
  checkArgumentSchemas,
  type GuardrailFindings,
  type GuardrailSet,
} from '../guardrails/index.ts';

/** Throws BlockedError, and records the violated guardrail. */
export function validateArguments(
  rules: GuardrailSet,
  params: Record<string, unknown>,
  findings: GuardrailFindings,
): void {
  checkArgumentSchemas(rules.arguments, params.arguments ?? {}, findings);
}
