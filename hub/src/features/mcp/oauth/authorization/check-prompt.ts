import { OAuthError } from '../errors.ts';
import type { AuthorizationRequest } from './request.ts';

/** Rejects `prompt=none`, because each request needs consent (OpenID Connect Core §3.1.2.1, §3.1.2.6). */
export function checkPrompt({ query }: AuthorizationRequest): void {
  if (query.prompt?.split(' ').includes('none') === true) {
    throw new OAuthError('interaction_required', 'User consent is required.');
  }
}
