import { refusalOf } from '../redirects.ts';
import { type AuthorizationRequest, rejectRepeated, UntrustedRequest } from './request.ts';

/** Requires an allowed redirect URI (RFC 6749 §3.1.2.4, RFC 8252 §7). */
export function checkRedirectUri(request: AuthorizationRequest): void {
  const { query, rules, asked } = request;
  rejectRepeated(request, 'redirect_uri');
  const uri = query.redirect_uri;
  if (uri === undefined) throw new UntrustedRequest('redirect_uri is missing');
  const refusal = refusalOf(uri, rules);
  if (refusal !== null) throw new UntrustedRequest(`redirect_uri ${uri.slice(0, 200)} ${refusal}`);
  asked.redirectUri = uri;
}
