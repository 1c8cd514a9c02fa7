// The preview of a mapping: the reported processes that it would match, requested while the user types.
import type {
  ProcessMappingPreviewAnswer,
  ProcessMappingPreviewInput,
} from '@gatewarden/shared/wire/console/processes.ts';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { topicKey } from '../api/keys.ts';
import { useTenant, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Name } from '../ui/Name.tsx';

const SETTLE_MS = 250;
const words = texts.processes.tried;
type Part = ProcessMappingPreviewAnswer['unknown'];

export function Tried({ input }: { input: ProcessMappingPreviewInput }) {
  const { tenantId } = useTenant();
  const write = useTenantWrite();
  const [asked] = useDebouncedValue(JSON.stringify(input), SETTLE_MS);
  const isBlank = input.process_name.trim() === '';
  const answer = useQuery({
    queryKey: topicKey(tenantId, 'process-map', 'preview', asked),
    queryFn: ({ signal }) =>
      write<ProcessMappingPreviewAnswer>('POST', '/process-mappings/preview', {
        body: JSON.parse(asked) as ProcessMappingPreviewInput,
        signal,
      }),
    enabled: !isBlank,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
  if (isBlank) return null;
  return (
    <section
      className="gw-preview"
      aria-live="polite"
      aria-busy={answer.isFetching}
      aria-label={words.title}
      data-testid="mapping-preview"
    >
      <strong>{words.title}</strong>
      {answer.isError ? <ErrorPanel error={answer.error} /> : null}
      {answer.data ? (
        <>
          <Covered text={words.unknown} part={answer.data.unknown} />
          <Covered text={words.running} part={answer.data.running} />
        </>
      ) : null}
    </section>
  );
}

function Covered({ text, part }: { text: (count: string) => string; part: Part }) {
  const count = part.count.toLocaleString('en-GB');
  return (
    <>
      <p className="gw-flat">{text(part.at_least ? words.atLeast(count) : count)}</p>
      {part.items.length === 0 ? null : (
        <ul
          className="gw-plain-list gw-executables gw-small"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls, and keyboards must reach it
          tabIndex={0}
          aria-label={text(count)}
        >
          {part.items.map((item) => (
            <li key={`${item.platform} ${item.executable_path} ${item.name}`}>
              <Name value={item.name} mono /> · {texts.platforms[item.platform]} ·{' '}
              {words.devices(item.devices)}
              {item.application_name === null ? null : (
                <>
                  {' '}
                  · {words.now} <Name value={item.application_name} />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
