import { registeredForm } from '../redirects.ts';
import { type AuthorizationRequest, UntrustedRequest } from './request.ts';

/** Requires a registered redirect URI (RFC 6749 §3.1.2.2, RFC 9700 §2.1), and reads the name of its client. */
export async function checkRegistration({
  asked,
  registrationOf,
}: AuthorizationRequest): Promise<void> {
  const registration = await registrationOf(registeredForm(asked.redirectUri));
  if (registration === null) throw new UntrustedRequest('redirect_uri is not registered');
  asked.clientName = registration.client_name;
}
