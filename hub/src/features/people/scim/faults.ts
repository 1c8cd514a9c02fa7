// Errors as SCIM tells them (RFC 7644, 3.12): the hub's own, in another shape.
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

/** What the standard has a word of its own for. */
export class ScimFault extends HubError {
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

/** The error handler of the SCIM routes. */
export function answerScimError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const known = recordError(error, request, reply);
  const { status, message } = ERRORS[known.code];
  const scimType = error instanceof ScimFault ? error.scimType : TYPES[known.code];
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  void reply
    .code(status)
    .type(SCIM_TYPE)
    .send({
      schemas: [SCIM.error],
      status: String(status),
      ...(scimType === undefined ? {} : { scimType }),
      detail: status >= 500 ? message : known.message,
    });
}

export const SCIM_TYPE = 'application/scim+json; charset=utf-8';
