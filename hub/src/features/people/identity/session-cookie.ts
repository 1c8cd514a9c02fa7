// The cookie that holds a session's token.

export interface SessionCookie {
  name: string;
  options: { path: string; httpOnly: boolean; sameSite: 'lax'; secure: boolean };
}

/** `__Host-` pins the cookie to the origin, which browsers only allow over https. */
export function sessionCookie(origin: string): SessionCookie {
  const secure = origin.startsWith('https:');
  return {
    name: secure ? '__Host-gw_session' : 'gw_session',
    options: { path: '/', httpOnly: true, sameSite: 'lax', secure },
  };
}
