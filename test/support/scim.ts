// Calls of a directory that has a SCIM token.
export interface ScimAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
  body: any;
}

/** `path` is below `/scim/v2`; null where there is no body. */
export async function scimCall(
  at: { url: string; secret: string },
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<ScimAnswer> {
  const answer = await fetch(`${at.url}/scim/v2${path}`, {
    method,
    headers: {
      authorization: `Bearer ${at.secret}`,
      ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    body: text === '' ? null : JSON.parse(text),
  };
}
