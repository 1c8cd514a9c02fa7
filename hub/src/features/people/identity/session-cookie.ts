// The cookie with a session's token.

export interface SessionCookie {
  name: string;
  options: { path: string; httpOnly: boolean; sameSite: 'lax'; secure: boolean };
}

/** Returns the cookie's name and attributes. `__Host-` pins it to the origin, which browsers only allow over https. */
export function sessionCookie(origin: string): SessionCookie {
  const secure = origin.startsWith('https:');
  return {
    name: secure ? '__Host-gw_session' : 'gw_session',
    options: { path: '/', httpOnly: true, sameSite: 'lax', secure },
  };
}
