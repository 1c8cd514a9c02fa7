// Apps of each category by policy step, from the number of all apps and the numbers of apps with a policy. Pure.
import { POLICY_STEPS } from '@gatewarden/shared/policy-scale.ts';
import type { OverviewAnswer } from '@gatewarden/shared/wire/console/overview.ts';
import { PRODUCT_CATEGORIES } from '@gatewarden/shared/wire/console/products.ts';
import type { CategoryNumbers, StepNumbers } from '../products/index.ts';

/**
 * Returns the steps of each category with an app; apps without a policy are unreviewed, so that the steps add up to all apps.
 */
export function countSteps(
  categories: readonly Pick<CategoryNumbers, 'category' | 'apps'>[],
  decided: readonly StepNumbers[],
): OverviewAnswer['apps'] {
  return PRODUCT_CATEGORIES.flatMap((category) => {
    const own = decided.filter((numbers) => numbers.category === category);
    const sum = (isCounted: (numbers: StepNumbers) => boolean) =>
      own.filter(isCounted).reduce((total, { apps }) => total + apps, 0);
    const all = categories.find((numbers) => numbers.category === category)?.apps ?? 0;
    const ofStep = (name: StepNumbers['step']) => sum(({ step }) => step === name);
    const counts = {
      unreviewed: Math.max(0, all - sum(({ step }) => step !== 'unreviewed')),
      approved: ofStep('approved'),
      restricted: ofStep('restricted'),
      blocked: ofStep('blocked'),
      quarantined: ofStep('quarantined'),
    };
    const isEmpty = POLICY_STEPS.every((step) => counts[step] === 0);
    return isEmpty ? [] : [{ category, ...counts, custom: sum((numbers) => numbers.is_custom) }];
  });
}
