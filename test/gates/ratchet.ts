// `npm run ratchet`: lowers the budgets of the gates to what is measured now. A budget is never raised.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Documents, measureDocuments } from './documents.ts';
import { type FunctionSizes, measureFunctions } from './function-size.ts';
import { type Language, measureLanguage } from './language.ts';

export const FUNCTION_BUDGET = join(import.meta.dirname, 'function-size.budget.json');
export const LANGUAGE_BUDGET = join(import.meta.dirname, 'language.budget.json');
export const DOCUMENTS_BUDGET = join(import.meta.dirname, 'documents.budget.json');

export const readBudget = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

/** Returns the lower of both for each key; keys that are not measured any more are dropped. */
export function lowered(budget: unknown, measured: unknown): unknown {
  if (typeof measured === 'number') {
    return typeof budget === 'number' ? Math.min(budget, measured) : undefined;
  }
  if (Array.isArray(measured)) {
    const values = Array.isArray(budget) ? budget : [];
    return measured.slice(0, values.length).map((value, i) => lowered(values[i], value));
  }
  if (typeof measured !== 'object' || measured === null) return undefined;
  const old = (typeof budget === 'object' && budget !== null ? budget : {}) as Record<
    string,
    unknown
  >;
  const entries = Object.entries(measured).flatMap(([key, value]) => {
    const low = key in old ? lowered(old[key], value) : undefined;
    return low === undefined ? [] : [[key, low]];
  });
  return Object.fromEntries(entries);
}

if (import.meta.main) {
  const write = (file: string, value: unknown) =>
    writeFileSync(file, `${JSON.stringify(value, null, 1)}\n`);
  const functions: FunctionSizes = measureFunctions();
  const language: Record<string, Language> = measureLanguage();
  write(FUNCTION_BUDGET, lowered(readBudget(FUNCTION_BUDGET), functions));
  write(LANGUAGE_BUDGET, lowered(readBudget(LANGUAGE_BUDGET), language));
  const documents: Documents = await measureDocuments(join(import.meta.dirname, '../..'));
  write(DOCUMENTS_BUDGET, lowered(readBudget(DOCUMENTS_BUDGET), documents));
}
