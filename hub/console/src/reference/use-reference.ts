// The two documents that the reference is made of. The hub makes them once, so they are read once.
import type { ErrorCodesAnswer } from '@gatewarden/shared/wire/console/error-codes.ts';
import { useQuery } from '@tanstack/react-query';
import { readJson } from '../api/client.ts';
import type { ApiDocument } from './wire.ts';

/** Where the hub gives the document of all its routes. */
export const DOCUMENT_PATH = '/openapi.json';
const ERRORS_PATH = '/errors.json';

/** The OpenAPI document of this hub. */
export const useDocument = () => useRead<ApiDocument>(DOCUMENT_PATH);

/** Every error code of this hub. */
export const useErrorCodes = () => useRead<ErrorCodesAnswer>(ERRORS_PATH);

function useRead<T>(path: string) {
  return useQuery({
    queryKey: ['reference', path],
    queryFn: ({ signal }) => readJson<T>(path, {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
