/**
 * A client that sends requests as the pages of the console do: with its cookies and the header of the pages.
 * @param always headers of every request, such as those of a proxy
 */
export function openBrowser(base: string, always: Record<string, string> = {}) {
  const cookies = new Map<string, string>()
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  /** Opens a stream. */
  const open = (path: string) => fetch(`${base}/console/api${path}`, { headers: { cookie: cookie() } })
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${base}/console/api${path}`, {
      method,
      headers: {
        ...always,
        ...(cookies.size > 0 && { cookie: cookie() }),
        ...(method !== 'GET' && { 'x-requested-with': 'console', 'content-type': 'application/json' }),
        ...headers,
      },
      body: method === 'GET' ? undefined : JSON.stringify(body ?? {}),
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]*)=([^;]*)/.exec(set)!
      if (value === '') cookies.delete(name!)
      else cookies.set(name!, value!)
    }
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
  }
  return {
    /** By their names, to be copied or forged. */
    cookies,
    send,
    open,
    get: (path: string) => send('GET', path),
    post: (path: string, body?: unknown) => send('POST', path, body),
    signIn: (email: string, password: string) => send('POST', '/session', { email, password }),
  }
}
