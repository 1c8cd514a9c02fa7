// Sets a policy for a product, or the same policy for several: step, scope, platform and reason, with a preview before it can be applied.
import type {
  ProductPoliciesPreviewInput,
  ProductPolicy,
  ProductPolicyAnswer,
  ProductPolicyInput,
  ProductPolicyPreviewAnswer,
} from '@gatewarden/shared/wire/console/product-policies.ts';
import type { ProductRow } from '@gatewarden/shared/wire/console/products.ts';
import { PLATFORMS } from '@gatewarden/shared/wire/vocabulary.ts';
import { Button, NativeSelect } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { isStatus } from '../api/client.ts';
import type { ListAnswer } from '../api/list-answer.ts';
import { useSettledPreview } from '../api/settled-preview.ts';
import { useTenantRead, useTenantWrite } from '../api/tenant.ts';
import { useAfterDecision } from '../decisions/after-decision.ts';
import {
  type DecisionValues,
  decisionErrors,
  inputOf,
  newPolicyValues,
  type PolicyPreset,
} from '../decisions/form-values.ts';
import { PolicyFields } from '../decisions/PolicyFields.tsx';
import { ProductPolicyInForce } from '../decisions/PolicyInForce.tsx';
import { PreviewBox } from '../decisions/PreviewBox.tsx';
import { policyTexts } from '../decisions/policy-texts.ts';
import { previewOfQuery } from '../decisions/preview.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { messageOf } from '../ui/ErrorPanel.tsx';
import { Name } from '../ui/Name.tsx';
import { visible } from '../ui/visible.ts';
import { productTexts as t } from './texts.ts';

export type PolicyProduct = Pick<ProductRow, 'product_id' | 'name' | 'platforms'>;

interface FormProps {
  products: readonly PolicyProduct[];
  /** Choices that were made before the form opened. */
  preset?: PolicyPreset | undefined;
  onDone: () => void;
}

export function ProductPolicyDialog({ onDone, ...props }: FormProps) {
  return (
    <Dialog title={policyTexts.title} wide onClosed={onDone}>
      {(close) => <ProductPolicyForm {...props} onDone={close} />}
    </Dialog>
  );
}

type Platform = (typeof PLATFORMS)[number];

interface Failure {
  product: PolicyProduct;
  error: unknown;
}

/** State of the form: its values, the preview over all products, and how the policy is stored for each product. */
function useProductPolicy({ products, preset, onDone }: FormProps) {
  const storePolicy = useStorePolicy();
  const afterDecision = useAfterDecision();
  const [platform, setPlatform] = useState<Platform | ''>('');
  const [failures, setFailures] = useState<Failure[]>([]);
  const form = useForm<DecisionValues>({
    initialValues: newPolicyValues(preset),
    validate: (values) => decisionErrors(values, Date.now(), null),
    validateInputOnBlur: true,
  });
  const input = inputOf(form.values, {}, Date.now());
  const preview = useProductsPreview(
    products,
    input === null
      ? null
      : { ...policyInput({ ...input, reason: null }), platform: platform || null },
  );
  const submit = async () => {
    if (input === null) return;
    const body = {
      ...policyInput(input),
      platform: platform || null,
      ...(preview.data === undefined ? {} : { as_of_revision: preview.data.as_of_revision }),
    };
    const store = async (product: PolicyProduct): Promise<Failure | null> => {
      try {
        await storePolicy({ ...body, product_id: product.product_id });
        return null;
      } catch (error) {
        return { product, error };
      }
    };
    const failed = (await Promise.all(products.map(store))).filter((result) => result !== null);
    void afterDecision();
    setFailures(failed);
    if (failed.length > 0) return;
    notifications.show({ color: 'teal', message: t.applied });
    onDone();
  };
  const shown = previewOfQuery(input !== null, preview);
  return { form, platform, setPlatform, failures, preview: shown, submit };
}

export function ProductPolicyForm(props: FormProps) {
  const { products, onDone } = props;
  const { form, platform, setPlatform, failures, preview, submit } = useProductPolicy(props);
  const isShown = preview.state === 'shown';
  const [first] = products;
  return (
    <form className="gw-decide" noValidate onSubmit={form.onSubmit(submit)}>
      <div className="gw-decide-parts">
        <div className="gw-form">
          <strong>{products.map(({ name }) => visible(name)).join(', ')}</strong>
          <p className="gw-dimmed gw-small gw-flat" data-testid="applies-to">
            {appliesTo(products, platform)}
          </p>
          {first !== undefined && products.length === 1 ? (
            <ProductPolicyInForce productId={first.product_id} />
          ) : null}
          <PolicyFields form={form} entityId={undefined}>
            <NativeSelect
              label={t.platform}
              value={platform}
              data={[
                { value: '', label: t.allPlatforms },
                ...PLATFORMS.map((value) => ({ value, label: t.platformNames[value] })),
              ]}
              onChange={(event) => {
                setPlatform(PLATFORMS.find((value) => value === event.currentTarget.value) ?? '');
              }}
            />
          </PolicyFields>
        </div>
        <div className="gw-form">
          <PreviewBox preview={preview} />
          <Failures failures={failures} />
          <div className="gw-form-end">
            <Button variant="default" onClick={onDone}>
              {texts.ui.cancel}
            </Button>
            <Button
              type="submit"
              disabled={!isShown}
              loading={form.submitting}
              title={isShown ? undefined : texts.decide.submitHint}
            >
              {products.length === 1 ? t.apply : t.applyMany(products.length)}
            </Button>
          </div>
        </div>
      </div>
    </form>
  );
}

/** Returns the products and platforms that the policy covers, in words. */
function appliesTo(products: readonly PolicyProduct[], platform: Platform | ''): string {
  const [first] = products;
  const subject =
    first !== undefined && products.length === 1 ? visible(first.name) : t.each(products.length);
  if (platform !== '') return t.appliesToPlatform(subject, t.platformNames[platform]);
  const present = PLATFORMS.filter((known) =>
    products.some(({ platforms }) => platforms.some((entry) => entry.platform === known)),
  );
  return t.appliesToAll(subject, present.map((known) => t.platformNames[known]).join(', '));
}

function Failures({ failures }: { failures: readonly Failure[] }) {
  if (failures.length === 0) return null;
  return (
    <div className="gw-error" role="alert">
      <strong>{t.failed}</strong>
      <ul className="gw-plain-list">
        {failures.map(({ product, error }) => (
          <li key={product.product_id}>
            <Name value={product.name} />: {messageOf(error)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Returns the impact of a policy on all of these products together; nothing while `input` is null. */
export function useProductsPreview(
  products: readonly PolicyProduct[],
  input: Omit<ProductPoliciesPreviewInput, 'product_ids'> | null,
) {
  const body: ProductPoliciesPreviewInput | null =
    input === null || products.length === 0
      ? null
      : { ...input, product_ids: products.map((product) => product.product_id) };
  return useSettledPreview<ProductPolicyPreviewAnswer>(
    'overrides',
    '/product-policies/bulk/preview',
    body,
  );
}

/** Stores the policy of a product. The policy that the product has for the same platform and scope is changed instead. */
function useStorePolicy() {
  const read = useTenantRead();
  const write = useTenantWrite();
  return async (policy: ProductPolicyInput): Promise<void> => {
    try {
      await write<ProductPolicyAnswer>('POST', '/product-policies', { body: policy });
    } catch (error) {
      if (!isStatus(error, 409)) throw error;
      const path = `/product-policies?product_id=${policy.product_id}`;
      const { items } = await read<ListAnswer<ProductPolicy>>(path);
      const stored = items.find((item) => isForSame(item, policy));
      if (stored === undefined) throw error;
      const { product_id: _product, platform: _platform, scope: _scope, ...change } = policy;
      await write<ProductPolicyAnswer>('PATCH', `/product-policies/${stored.policy_id}`, {
        body: change,
        ifMatch: stored.version,
      });
    }
  };
}

const isForSame = (stored: ProductPolicy, policy: ProductPolicyInput): boolean =>
  stored.platform === (policy.platform ?? null) &&
  JSON.stringify(stored.scope) === JSON.stringify(policy.scope);

/** Returns the fields of a product's policy: without a match and a rollout, which only the policies of apps have. */
function policyInput({
  match: _match,
  rollout_percent: _percent,
  override_id: _id,
  ...fields
}: NonNullable<ReturnType<typeof inputOf>>): Omit<ProductPolicyInput, 'product_id'> {
  return fields;
}
