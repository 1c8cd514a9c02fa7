// An error names its cause without a pointer into the address.
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ApiError } from '../api/client.ts';
import { renderPart } from '../testing/render.tsx';
import { texts } from '../texts.ts';
import { ErrorPanel } from './ErrorPanel.tsx';

it.each([
  ['/path/device_id must be a UUID', texts.errors.badAddress],
  ['/name must not be empty', '/name must not be empty'],
])('shows the message %s as %s', async (message, shown) => {
  const error = new ApiError(400, 'invalid_request', message, 'r1');
  await renderPart(<ErrorPanel error={error} />);
  expect(await screen.findByText(shown)).toBeTruthy();
});
