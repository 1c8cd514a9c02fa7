// Sets a policy for a product, or the same policy for several: step, scope, platform and reason, with a preview before it can be applied.

import { policyStep } from '@gatewarden/shared/policy-scale.ts';
import type {
  ProductPoliciesPreviewInput,
  ProductPolicy,
  ProductPolicyAnswer,
  ProductPolicyInput,
  ProductPolicyPatch,
  ProductPolicyPreviewAnswer,
} from '@gatewarden/shared/wire/console/product-policies.ts';
import type { ProductRow } from '@gatewarden/shared/wire/console/products.ts';
import { PLATFORMS } from '@gatewarden/shared/wire/vocabulary.ts';
import { Button, NativeSelect } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { ListAnswer } from '../api/list-answer.ts';
import { useSettledPreview } from '../api/settled-preview.ts';
import { useTenantRead, useTenantWrite } from '../api/tenant.ts';
import { useAfterDecision } from '../policies/after-decision.ts';
import {
  changedFields,
  type DecisionValues,
  decisionErrors,
  inputOf,
  newPolicyValues,
  type PolicyPreset,
  valuesOf,
} from '../policies/form-values.ts';
import { ScopeText } from '../policies/MatchText.tsx';
import { PolicyFields, PolicyReason } from '../policies/PolicyFields.tsx';
import { ProductPolicyInForce } from '../policies/PolicyInForce.tsx';
import { PreviewBox } from '../policies/PreviewBox.tsx';
import { policyTexts } from '../policies/policy-texts.ts';
import { previewOfQuery } from '../policies/preview.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { messageOf } from '../ui/ErrorPanel.tsx';
import { Name } from '../ui/Name.tsx';
import { visible } from '../ui/visible.ts';
import { productTexts as t } from './texts.ts';

export type PolicyProduct = Pick<ProductRow, 'product_id' | 'name' | 'platforms'> &
  Partial<Pick<ProductRow, 'approval_status' | 'execution_policy'>>;

interface FormProps {
  products: readonly PolicyProduct[];
  /** Choices that were made before the form opened. */
  preset?: PolicyPreset | undefined;
  /** The policy to change; it keeps its platform and scope. Left out: a policy is set. */
  stored?: ProductPolicy | undefined;
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
function useProductPolicy({ products, preset, stored, onDone }: FormProps) {
  const storePolicy = useStorePolicy();
  const afterDecision = useAfterDecision();
  const [platform, setPlatform] = useState<Platform | ''>(stored?.platform ?? '');
  const [failures, setFailures] = useState<Failure[]>([]);
  const [initialValues] = useState(() =>
    stored === undefined ? newPolicyValues(preset) : valuesOf(stored),
  );
  const form = useForm<DecisionValues>({
    initialValues,
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
    const seen = preview.data === undefined ? {} : { as_of_revision: preview.data.as_of_revision };
    const body = { ...policyInput(input), platform: platform || null, ...seen };
    const patch = { ...changedFields(input, form.values, initialValues), ...seen };
    const store = async (product: PolicyProduct): Promise<Failure | null> => {
      try {
        await storePolicy({ ...body, product_id: product.product_id }, patch, stored);
        return null;
      } catch (error) {
        return { product, error };
      }
    };
    const failed = (await Promise.all(products.map(store))).filter((result) => result !== null);
    void afterDecision();
    setFailures(failed);
    if (failed.length > 0) return;
    const label = platform === '' ? null : t.platformNames[platform];
    const names = products.map(({ name }) => policyTexts.productOn(visible(name), label));
    notifications.show({ color: 'teal', message: t.applied(names) });
    onDone();
  };
  const shown = previewOfQuery(input !== null, preview);
  return { form, platform, setPlatform, failures, preview: shown, submit };
}

export function ProductPolicyForm(props: FormProps) {
  const { products, stored, onDone } = props;
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
            {stored === undefined ? null : (
              <>
                {' '}
                {texts.decisions.scope}: <ScopeText scope={stored.scope} />.
              </>
            )}
          </p>
          {first !== undefined && products.length === 1 ? (
            <ProductPolicyInForce productId={first.product_id} />
          ) : (
            <p className="gw-small gw-flat" data-testid="policies-in-force">
              {policyTexts.inForce}: {inForceByStep(products)}
            </p>
          )}
          <PolicyFields
            form={form}
            entityId={undefined}
            isScopeFixed={stored !== undefined}
            isBulk={products.length > 1}
          >
            {stored === undefined ? (
              <PlatformField value={platform} onChange={setPlatform} />
            ) : null}
          </PolicyFields>
        </div>
        <div className="gw-decide-impact">
          <PreviewBox preview={preview} />
        </div>
        <div className="gw-form">
          <PolicyReason form={form} />
          <Failures failures={failures} />
        </div>
      </div>
      <div className="gw-form-end gw-form-foot">
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
    </form>
  );
}

interface PlatformFieldProps {
  value: Platform | '';
  onChange: (platform: Platform | '') => void;
}

function PlatformField({ value: platform, onChange }: PlatformFieldProps) {
  return (
    <NativeSelect
      label={t.platform}
      value={platform}
      data={[
        { value: '', label: t.allPlatforms },
        ...PLATFORMS.map((value) => ({ value, label: t.platformNames[value] })),
      ]}
      onChange={(event) => {
        onChange(PLATFORMS.find((value) => value === event.currentTarget.value) ?? '');
      }}
    />
  );
}

/** Returns how many of the products have which policy, in words: "2 Approved, 1 Unreviewed (no policy)". */
function inForceByStep(products: readonly PolicyProduct[]): string {
  const counts = Map.groupBy(
    products,
    ({ approval_status: approval, execution_policy: policy }) => {
      if (approval === undefined || approval === 'mixed') return t.mixed;
      if (policy == null) return approval === 'pending' ? t.noPolicy : t.mixed;
      return policyTexts.steps[policyStep({ approval, policy }).step];
    },
  );
  return [...counts].map(([label, group]) => `${group.length} ${label}`).join(', ');
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

/**
 * Returns a function that stores the policy of a product: the policy that the product has for the same platform and scope is
 * changed by `patch`, otherwise `policy` is created.
 */
function useStorePolicy() {
  const read = useTenantRead();
  const write = useTenantWrite();
  const change = async (stored: ProductPolicy, body: ProductPolicyPatch): Promise<void> => {
    await write<ProductPolicyAnswer>('PATCH', `/product-policies/${stored.policy_id}`, {
      body,
      ifMatch: stored.version,
    });
  };
  const find = async (policy: ProductPolicyInput): Promise<ProductPolicy | undefined> => {
    const path = `/product-policies?product_id=${policy.product_id}`;
    const { items } = await read<ListAnswer<ProductPolicy>>(path);
    return items.find((item) => isForSame(item, policy));
  };
  return async (
    policy: ProductPolicyInput,
    patch: ProductPolicyPatch,
    edited?: ProductPolicy,
  ): Promise<void> => {
    const stored = edited ?? (await find(policy));
    if (stored !== undefined) return change(stored, patch);
    await write<ProductPolicyAnswer>('POST', '/product-policies', { body: policy });
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
