/** Who is signed in. */
export interface Session {
  token: string;
  username: string;
  permissions: readonly string[];
  /** Signs in at the OpenID provider, so nothing can be typed here to sign in again. */
  isOidc: boolean;
}

/** The storage of the tab: it ends with the tab, and no other tab or site reads it. */
const place = 'loyalty-console-session';

let present = stored();

function stored(): Session | undefined {
  try {
    const text = sessionStorage.getItem(place);
    return text === null ? undefined : (JSON.parse(text) as Session);
  } catch {
    return undefined;
  }
}

/** The session of this tab; undefined when nobody is signed in. */
export function currentSession(): Session | undefined {
  return present;
}

/** Keeps a session, or ends it with undefined. */
export function keepSession(session: Session | undefined): void {
  present = session;
  if (session) sessionStorage.setItem(place, JSON.stringify(session));
  else sessionStorage.removeItem(place);
}

/** Tells whether the user may do something, such as `programs:update`. */
export function may(permission: string): boolean {
  return present?.permissions.includes(permission) ?? false;
}

/** The life of a token, in milliseconds of the epoch; zeros when that cannot be read. */
export function lifeOf(token: string): { beginsAt: number; endsAt: number } {
  try {
    const payload = token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '';
    const { iat = 0, exp = 0 } = JSON.parse(atob(payload)) as { iat?: number; exp?: number };
    return { beginsAt: iat * 1000, endsAt: exp * 1000 };
  } catch {
    return { beginsAt: 0, endsAt: 0 };
  }
}
