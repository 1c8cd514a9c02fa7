// docs/reference/errors.md: every error code with cause and fix.
import { ERROR_SECTIONS } from '@gatewarden/hub/src/platform/http/errors/error-help.ts';
import { ERRORS, type ErrorCode } from '@gatewarden/hub/src/platform/http/errors/error-list.ts';
import { anchor, block, code, type Derived, referencePage, table } from './markdown.ts';

const EXAMPLE = {
  error: {
    code: 'invalid_request',
    message: '/device/platform must be linux, darwin or win32.',
  },
  request_id: '01900000-0000-7000-8000-000000000007',
};

/** Returns docs/reference/errors.md. */
export function errorsPage(): Derived {
  return referencePage('errors', {
    title: 'Errors',
    source: 'hub/src/platform/http/errors/error-list.ts and error-help.ts',
    body: [
      'Every route of the hub answers an error with the same body, unless an external standard prescribes another:',
      block('json', JSON.stringify(EXAMPLE, null, 2)),
      [
        '- Programs decide by `code`. Its meaning never changes.',
        '- `message` is for users. Below 500 it contains a JSON pointer into the body, or into `/query`, `/path` or `/header`; `/` is the whole body. From 500 on it is a fixed text.',
        '- `request_id` is also in the header `X-Request-ID` and in the log of the hub, with the cause of every error from 500 on.',
      ].join('\n'),
      'Log exports answer with `{"type": "error", "error": {…}}` as a line of NDJSON, the metrics view with the same as a JSON document. In a stream that has begun, such a line is the last line, and no checkpoint follows.',
      'A running hub publishes this list at `/errors.json`. Its console explains each code under **Settings → API reference**.',
      ...ERROR_SECTIONS.flatMap(({ title, codes }) => [
        `## ${title}`,
        table(
          ['Code', 'Status', 'Cause', 'Fix'],
          Object.entries(codes).map(([name, { cause, cure }]) => [
            `${anchor(name)}${code(name)}`,
            String(ERRORS[name as ErrorCode].status),
            cause,
            cure,
          ]),
        ),
      ]),
    ],
  });
}
