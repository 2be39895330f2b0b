/** A client that sends requests as the pages of the console do: with the session cookie and the header of the pages. */
export function openBrowser(base: string) {
  let cookie: string | undefined
  /** Opens a stream. */
  const open = (path: string) => fetch(`${base}/console/api${path}`, { headers: cookie ? { cookie } : {} })
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${base}/console/api${path}`, {
      method,
      headers: {
        ...(cookie && { cookie }),
        ...(method !== 'GET' && { 'x-requested-with': 'console', 'content-type': 'application/json' }),
        ...headers,
      },
      body: method === 'GET' ? undefined : JSON.stringify(body ?? {}),
    })
    const set = response.headers.get('set-cookie')
    if (set) cookie = /^[^;]*=;/.test(set) ? undefined : set.split(';', 1)[0]
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
  }
  return {
    send,
    open,
    get: (path: string) => send('GET', path),
    post: (path: string, body?: unknown) => send('POST', path, body),
    signIn: (email: string, password: string) => send('POST', '/session', { email, password }),
  }
}
