// Shows how to call an app: the gateway's address, model names, snippets with the app key, and a test request.
import { textApiOf } from '@gatewarden/shared/client-apis.ts';
import type { GatewayAddressAnswer } from '@gatewarden/shared/wire/console/test-requests.ts';
import type { Provider } from '@gatewarden/shared/wire/management/providers.ts';
import { Autocomplete, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { useAllOf, useMayAdminister, useResource } from '../api/tenant.ts';
import { CopyBlock } from '../ui/CopyBlock.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { connectTexts as t } from './connect-texts.ts';
import { Snippets } from './Snippets.tsx';
import { TestRequestButton } from './TestRequestButton.tsx';

interface ConnectAppProps {
  /** The labels of the app's providers, in order. */
  providerLabels: readonly string[];
  /** The app key right after it was issued; null later, when the user may enter it. */
  appKey: string | null;
}

export function ConnectApp({ providerLabels, appKey }: ConnectAppProps) {
  const answer = useResource<GatewayAddressAnswer>('gateway', '/llm/gateway');
  const all = useAllOf<Provider>('gateway', '/gateway/providers');
  const [typedModel, setTypedModel] = useState<string | null>(null);
  const [typedKey, setTypedKey] = useState('');
  const address = shownOf(answer);
  if (address === undefined) return <Waiting answer={answer} />;
  const providers = providerLabels.flatMap((label) => all.filter((item) => item.label === label));
  const models = [...new Set(providers.flatMap(({ selected_models: names }) => names))];
  const model = typedModel ?? models[0] ?? '';
  return (
    <div className="gw-form">
      <div>
        <strong>{t.address}</strong>
        <CopyBlock label={t.address} text={address.url ?? t.exampleAddress} />
        {address.url === null ? <p className="gw-flat gw-small">{t.noAddress}</p> : null}
      </div>
      <Autocomplete
        label={t.model}
        description={models.length === 0 ? t.anyModel : undefined}
        data={models}
        filter={({ options }) => options}
        value={model}
        maxLength={512}
        onChange={setTypedModel}
      />
      {appKey === null ? (
        <PasswordInput
          label={t.key}
          description={t.keyHint}
          autoComplete="off"
          maxLength={200}
          value={typedKey}
          onChange={(event) => setTypedKey(event.currentTarget.value)}
        />
      ) : null}
      <Calls
        url={address.url}
        provider={findProvider(providers, model)}
        appKey={appKey ?? typedKey.trim()}
        model={model}
      />
    </div>
  );
}

interface CallsProps {
  /** Null: the operator configured no address. */
  url: string | null;
  provider: Provider | undefined;
  appKey: string;
  model: string;
}

/** The snippets and the test request, if the provider of the model generates text. */
function Calls({ url, provider, appKey, model }: CallsProps) {
  const mayAdminister = useMayAdminister();
  if (provider === undefined) return <p className="gw-flat">{t.noProvider}</p>;
  const api = textApiOf(provider.provider_name);
  if (api === null) return <p className="gw-flat">{t.noText}</p>;
  return (
    <>
      <Snippets
        facts={{
          ...{ api, url: url ?? t.exampleAddress },
          ...{ key: appKey || t.keyPlaceholder, model: model || t.modelPlaceholder },
        }}
      />
      {mayAdminister && url !== null ? (
        <TestRequestButton appKey={appKey} providerLabel={provider.label} model={model} />
      ) : null}
    </>
  );
}

/** Returns the provider that serves a model: the first that lists it, else the first that serves every model. */
function findProvider(providers: readonly Provider[], model: string): Provider | undefined {
  return (
    providers.find(({ selected_models: names }) => names.includes(model)) ??
    providers.find(({ selected_models: names }) => names.length === 0)
  );
}
