// Edits and removes the policy of a product, from the product's page and from the list of policies.
import type {
  ProductPolicy,
  ProductPolicyAnswer,
} from '@gatewarden/shared/wire/console/product-policies.ts';
import type { ProductAnswer } from '@gatewarden/shared/wire/console/products.ts';
import { useResource, useTenantRead, useTenantWrite } from '../api/tenant.ts';
import { useAfterDecision } from '../policies/after-decision.ts';
import { texts } from '../texts.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Waiting } from '../ui/Waiting.tsx';
import { ProductPolicyForm } from './ProductPolicyForm.tsx';
import { productTexts as t } from './texts.ts';

interface EditProductPolicyProps {
  policyId: string;
  productId: string;
  onClosed: () => void;
}

/** The policy control with the stored policy in it; its product, platform and scope stay. */
export function EditProductPolicy({ onClosed, ...props }: EditProductPolicyProps) {
  return (
    <Dialog title={texts.decide.editTitle} wide onClosed={onClosed}>
      {(close) => <Edit {...props} onDone={close} />}
    </Dialog>
  );
}

function Edit({
  policyId,
  productId,
  onDone,
}: Omit<EditProductPolicyProps, 'onClosed'> & { onDone: () => void }) {
  const path = `/product-policies/${policyId}`;
  const stored = useResource<ProductPolicyAnswer>('overrides', path);
  const answer = useResource<ProductAnswer>('applications', `/products/${productId}`);
  const policy = stored.data?.policy;
  if (policy === undefined) return <Waiting answer={stored} />;
  // A product that no device has any more keeps its policy.
  if (answer.data === undefined && !answer.isError) return <Waiting answer={answer} />;
  const product = answer.data?.product ?? productOf(policy);
  return <ProductPolicyForm products={[product]} stored={policy} onDone={onDone} />;
}

const productOf = ({ product_id, product_name: name }: ProductPolicy) => ({
  ...{ product_id, name, platforms: [] },
});

export function RemoveProductPolicy({
  policyId,
  name,
  onClosed,
}: {
  policyId: string;
  /** The product and its platform. */
  name: string;
  onClosed: () => void;
}) {
  const read = useTenantRead();
  const write = useTenantWrite();
  const afterDecision = useAfterDecision();
  const remove = async () => {
    const path = `/product-policies/${policyId}`;
    const { policy } = await read<ProductPolicyAnswer>(path);
    await write('DELETE', path, { ifMatch: policy.version });
    await afterDecision();
  };
  return (
    <ConfirmDialog
      title={t.removeTitle}
      name={name}
      text={t.removeText}
      action={t.remove}
      run={remove}
      done={t.removed}
      onClose={onClosed}
    />
  );
}
