/** A browser as far as a sign-in needs one: it follows redirects, and keeps the cookies of each origin and path. */
export interface Browser {
  /** Sends a GET without following a redirect. */
  get(url: string): Promise<{ status: number; location: string | undefined; body: string; setCookie: string[] }>;
  /** Follows redirects from here until the address begins with `end`, and returns that address. */
  follow(url: string, end: string): Promise<string>;
}

/** The most redirects that a browser follows. */
const redirectsMax = 12;

/** Makes a browser without cookies. */
export function openBrowser(): Browser {
  const jar = new Map<string, Map<string, { value: string; path: string }>>();
  const get: Browser['get'] = async (url) => {
    const { origin, pathname } = new URL(url);
    const own = jar.get(origin) ?? new Map();
    jar.set(origin, own);
    const sent = [...own]
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`);
    const headers = { accept: 'text/html, */*;q=0.8', ...(sent.length > 0 ? { cookie: sent.join('; ') } : {}) };
    const answer = await fetch(url, { redirect: 'manual', headers });
    const setCookie = answer.headers.getSetCookie();
    for (const each of setCookie) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      const path = /path=([^;]+)/i.exec(each)?.[1] ?? '/';
      if (value === '' || /max-age=0/i.test(each)) own.delete(name);
      else own.set(name, { value, path });
    }
    const location = answer.headers.get('location');
    const at = location === null ? undefined : new URL(location, url).href;
    return { status: answer.status, location: at, body: await answer.text(), setCookie };
  };
  return {
    get,
    async follow(url, end) {
      let at = url;
      for (let n = 0; n < redirectsMax; n += 1) {
        if (at.startsWith(end)) return at;
        const { location, status, body } = await get(at);
        if (location === undefined) throw new Error(`${at} answered ${status}: ${body}`);
        at = location;
      }
      throw new Error(`${redirectsMax} redirects did not lead to ${end}`);
    },
  };
}
