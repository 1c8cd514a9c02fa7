// The authenticated caller of an MCP URL, and the error of a request without a valid token.

/** The authenticated caller, with all attributes that policies use. */
export interface Caller {
  via: 'oauth' | 'api_token' | 'passthrough';
  tokenId: string;
  /** Null: a token of the root. */
  tenantId: string | null;
  userId: string | null;
  /** Empty for an unidentified caller: a token of a passthrough server. */
  email: string;
  agent: string | null;
  /** The client's own token, for a passthrough server only. */
  upstreamToken: string | null;
}

/** The tokens that a URL accepts. */
export interface AcceptedTokens {
  /** The namespace that an OAuth token is bound to (RFC 8707 §2). Null: userinfo, which serves tokens of each namespace. */
  namespace: string | null;
  /** The backend of the URL, which accepts direct API tokens too; null: none. */
  backend: { tenantId: string; backendId: string; passthrough: boolean } | null;
}

/** The error of a request without a valid token (RFC 6750 §3.1). The message is the `error_description`. */
export class InvalidTokenError extends Error {
  /** False: the request had no bearer token, so the response names no error code. */
  readonly hadToken: boolean;

  constructor(problem: string, hadToken = true) {
    super(problem);
    this.hadToken = hadToken;
  }
}
