// Sets a policy for a product, or the same policy for several: step, scope, platform and reason, with a preview before it can be applied.
import type {
  ProductPolicyAnswer,
  ProductPolicyInput,
  ProductPolicyPreviewAnswer,
} from '@gatewarden/shared/wire/console/product-policies.ts';
import type { ProductRow } from '@gatewarden/shared/wire/console/products.ts';
import { type ApprovalStatus, PLATFORMS, SEVERITIES } from '@gatewarden/shared/wire/vocabulary.ts';
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useSettledPreview } from '../api/settled-preview.ts';
import { useTenantWrite } from '../api/tenant.ts';
import { useAfterDecision } from '../decisions/after-decision.ts';
import {
  type DecisionValues,
  decisionErrors,
  inputOf,
  newPolicyValues,
} from '../decisions/form-values.ts';
import { AdvancedPolicy, PolicyScale } from '../decisions/PolicyScale.tsx';
import { PreviewBox } from '../decisions/PreviewBox.tsx';
import { previewOfQuery } from '../decisions/preview.ts';
import { ScopeFields } from '../decisions/ScopeFields.tsx';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { messageOf } from '../ui/ErrorPanel.tsx';
import { Name } from '../ui/Name.tsx';
import { productTexts as t } from './texts.ts';

export type PolicyProduct = Pick<ProductRow, 'product_id' | 'name' | 'platforms'>;

interface FormProps {
  products: readonly PolicyProduct[];
  approval?: ApprovalStatus | undefined;
  onDone: () => void;
}

export function ProductPolicyDialog({ onDone, ...props }: FormProps) {
  return (
    <Dialog title={t.setPolicyTitle} wide onClosed={onDone}>
      {(close) => <ProductPolicyForm {...props} onDone={close} />}
    </Dialog>
  );
}

type Platform = (typeof PLATFORMS)[number];

interface Failure {
  product: PolicyProduct;
  error: unknown;
}

/** State of the form: its values, the preview of the first product, and how the policy is stored for each product. */
function useProductPolicy({ products, approval, onDone }: FormProps) {
  const write = useTenantWrite();
  const afterDecision = useAfterDecision();
  const [platform, setPlatform] = useState<Platform | ''>('');
  const [failures, setFailures] = useState<Failure[]>([]);
  const form = useForm<DecisionValues>({
    initialValues: newPolicyValues(approval),
    validate: (values) => decisionErrors(values, Date.now(), null),
    validateInputOnBlur: true,
  });
  const input = inputOf(form.values, {}, Date.now());
  const [first] = products;
  const preview = useSettledPreview<ProductPolicyPreviewAnswer>(
    'overrides',
    '/product-policies/preview',
    input === null || first === undefined
      ? null
      : {
          ...policyInput({ ...input, reason: null }),
          product_id: first.product_id,
          platform: platform || null,
        },
  );
  const submit = async () => {
    if (input === null) return;
    const body = {
      ...policyInput(input),
      platform: platform || null,
      as_of_revision: preview.data?.as_of_revision,
    };
    const store = async (product: PolicyProduct): Promise<Failure | null> => {
      try {
        const policy = { ...body, product_id: product.product_id };
        await write<ProductPolicyAnswer>('POST', '/product-policies', { body: policy });
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
  return (
    <form className="gw-decide" noValidate onSubmit={form.onSubmit(submit)}>
      <div className="gw-decide-parts">
        <div className="gw-form">
          <strong>{products.map(({ name }) => name).join(', ')}</strong>
          <PolicyScale
            approval={form.values.approval}
            policy={form.values.policy}
            onChange={form.setValues}
          />
          <ScopeFields form={form} entityId={undefined} />
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
          <AdvancedFields form={form} />
          <Textarea
            label={texts.decide.reason}
            description={texts.decide.reasonHint}
            autosize
            minRows={2}
            maxLength={2000}
            {...form.getInputProps('reason')}
          />
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

function AdvancedFields({ form }: { form: UseFormReturnType<DecisionValues> }) {
  return (
    <AdvancedPolicy
      approval={form.values.approval}
      policy={form.values.policy}
      onChange={form.setValues}
      isNeeded={form.errors.expires !== undefined}
    >
      <div className="gw-form-pair">
        <NativeSelect
          label={texts.decide.severity}
          data={[
            { value: '', label: texts.decide.severityDefault },
            ...SEVERITIES.map((value) => ({ value, label: texts.severities[value] })),
          ]}
          {...form.getInputProps('severity')}
        />
        <TextInput
          type="datetime-local"
          label={texts.decide.expires}
          {...form.getInputProps('expires')}
        />
      </div>
    </AdvancedPolicy>
  );
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

/** Returns the fields of a product's policy: without a match and a rollout, which only the policies of apps have. */
function policyInput({
  match: _match,
  rollout_percent: _percent,
  override_id: _id,
  ...fields
}: NonNullable<ReturnType<typeof inputOf>>): Omit<ProductPolicyInput, 'product_id'> {
  return fields;
}
