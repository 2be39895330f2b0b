/** Ways in which a person confirms an action. */
const CONFIRMATIONS = ['password', 'code', 'passkey']
/** Their forms have the password among their fields. */
const OWN_FORMS = /^\/(account|keys)\b/

/**
 * Open a client that sends requests as the console's pages do: with its cookies and the pages' header. If the service
 * wants the password, it sends it in a second request, unless the body has one. `{ password: undefined }` sends none.
 * @param always headers of every request, such as a proxy's
 */
export function openBrowser(base: string, always: Record<string, string> = {}) {
  const cookies = new Map<string, string>()
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  /** Open a stream or a file. */
  const open = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${base}/console/api${path}`, { headers: { cookie: cookie(), ...headers } })
  let typed_password: string | undefined
  const sendOnce = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
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
  const send: typeof sendOnce = async (method, path, body = {}, headers = {}) => {
    const answer = await sendOnce(method, path, body, headers)
    const is_given = typeof body !== 'object' || body === null || CONFIRMATIONS.some((name) => name in body)
    if (answer.status !== 400 || is_given || typed_password === undefined) return answer
    if (OWN_FORMS.test(path) || !Object.hasOwn(answer.body ?? {}, 'password')) return answer
    return sendOnce(method, path, { ...body, password: typed_password }, headers)
  }
  return {
    /** By their names, to be copied or forged. */
    cookies,
    send,
    open,
    get: (path: string) => send('GET', path),
    post: (path: string, body?: unknown) => send('POST', path, body),
    signIn(email: string, password: string) {
      typed_password = password
      return sendOnce('POST', '/session', { email, password })
    },
  }
}
