// The two documents of the reference. They do not change while the hub runs, so they are loaded once.
import type { ErrorCodesAnswer } from '@gatewarden/shared/wire/console/error-codes.ts';
import { useQuery } from '@tanstack/react-query';
import { readJson } from '../api/client.ts';
import type { ApiDocument } from './wire.ts';

/** The path of the OpenAPI document. */
export const DOCUMENT_PATH = '/openapi.json';
const ERRORS_PATH = '/errors.json';

/** Returns the OpenAPI document of this hub. */
export const useDocument = () => useRead<ApiDocument>(DOCUMENT_PATH);

/** Returns the error codes of this hub. */
export const useErrorCodes = () => useRead<ErrorCodesAnswer>(ERRORS_PATH);

function useRead<T>(path: string) {
  return useQuery({
    queryKey: ['reference', path],
    queryFn: ({ signal }) => readJson<T>(path, {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
