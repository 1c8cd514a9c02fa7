// Errors of SCIM (RFC 7644, 3.12): the hub's own errors in SCIM's message.
import { SCIM } from '@gatewarden/shared/wire/scim.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS, type ErrorCode } from '../../../platform/http/errors/error-list.ts';
import { HubError, recordError } from '../../../platform/http/errors/errors.ts';

export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue';

/** An error for which RFC 7644 has a `scimType`. */
export class ScimError extends HubError {
  readonly scimType: ScimType;

  constructor(scimType: ScimType, detail: string) {
    super(scimType === 'uniqueness' ? 'already_exists' : 'invalid_request', detail);
    this.scimType = scimType;
  }
}

const TYPES: Partial<Record<ErrorCode, ScimType>> = {
  invalid_request: 'invalidValue',
  invalid_json: 'invalidSyntax',
  already_exists: 'uniqueness',
};

/** Handles the errors of the SCIM routes. */
export function handleScimError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const hubError = recordError(error, request, reply);
  const { status, message } = ERRORS[hubError.code];
  const scimType = error instanceof ScimError ? error.scimType : TYPES[hubError.code];
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  void reply
    .code(status)
    .type(SCIM_TYPE)
    .send({
      schemas: [SCIM.error],
      status: String(status),
      ...(scimType === undefined ? {} : { scimType }),
      detail: status >= 500 ? message : hubError.message,
    });
}

export const SCIM_TYPE = 'application/scim+json; charset=utf-8';
