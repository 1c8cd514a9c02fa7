// The error of a review; after another reviewer's decision it shows author, decision and reason.
import type { AccessRequest } from '@gatewarden/shared/wire/console/access-requests.ts';
import { isOvertaken } from '../api/client.ts';
import { useResource } from '../api/tenant.ts';
import { ConflictBox } from '../policies/ConflictBox.tsx';
import { texts } from '../texts.ts';
import { Name } from '../ui/Name.tsx';
import { Refusal } from '../ui/Refusal.tsx';
import { Time } from '../ui/Time.tsx';
import { requestTexts as words } from './texts.ts';

export function Overtaken({ error, request }: { error: unknown; request: AccessRequest }) {
  if (!isOvertaken(error)) return <Refusal error={error} conflict={words.changed} />;
  return (
    <ConflictBox title={texts.errors.notSaved}>
      <Standing request={request} />
    </ConflictBox>
  );
}

function Standing({ request }: { request: AccessRequest }) {
  const { device_id, access_request_id: id } = request;
  const path = '/access-requests';
  const answer = useResource<{ items: AccessRequest[] }>(
    'access-requests',
    path,
    { device_id, limit: 200 },
    'aside',
  );
  const now = answer.data?.items.find((item) => item.access_request_id === id);
  if (now === undefined || now.state === 'open' || now.decided_by === null) {
    return <p>{words.changed}</p>;
  }
  return (
    <>
      <p>
        {words.overtaken(now.decided_by, words.states[now.state])} (<Time at={now.decided_at} />
        {now.ends_at === null ? null : (
          <>
            , {words.ends} <Time at={now.ends_at} full />
          </>
        )}
        )
      </p>
      {now.answer === null || now.answer === '' ? null : (
        <p>
          <Name value={now.answer} />
        </p>
      )}
    </>
  );
}
