import { openShell } from '../cli/shell.ts'
import { openBrowser } from '../console/browser.ts'
import { createApiClient, eventually } from '../test-app.ts'
import type { Outside } from './outside.ts'

/** A resource as JSON. Every resource has an id, and a status or a state. */
export type Json = Record<string, unknown> & { id: number; status: string; state: string }

/** Everybody who uses a service: programs with an API key, a person at the console, an operator at the command line. */
export interface Clients {
  outside: Outside
  browser: ReturnType<typeof openBrowser>
  get(path: string): Promise<Json>
  /** Post and return the created object. Throws when the answer is not of class 2xx. */
  post(path: string, body: object, headers?: Record<string, string>): Promise<Json>
  /** Post and return any answer. */
  answerTo(path: string, body: object): Promise<{ status: number; body: unknown }>
  /** Run a command and return what it wrote. Throws when it fails. */
  kusanya(...args: string[]): Promise<string>
  /** Run a command that writes JSON. */
  read<T>(...args: string[]): Promise<T>
  /** Wait until a resource has one of these states, which is its `status` or its `state`. */
  until(path: string, ...states: string[]): Promise<Json>
}

/** An order that a killed process may have sent is sent again only when it can no longer be on its way: after some minutes. */
export const MAX_WAIT_MS = 600_000

/** Open the doors of a service at `url`; the commands work on the same settings. */
export function openClients(url: string, api_key: string, settings: Record<string, string>, outside: Outside): Clients {
  const api = createApiClient(url, api_key)
  const shell = openShell(settings)
  const get = async (path: string) => {
    const { status, body } = await api.get(path)
    if (status !== 200) throw new Error(`GET ${path} was answered with ${status}: ${JSON.stringify(body)}`)
    return body as Json
  }
  const kusanya = async (...args: string[]) => {
    const { code, out, err } = await shell(args)
    if (code !== 0) throw new Error(`kusanya ${args.join(' ')} failed: ${err}`)
    return out
  }
  return {
    outside,
    browser: openBrowser(url),
    get,
    async post(path, body, headers) {
      const answer = await api.post(path, body, headers)
      if (answer.status >= 300)
        throw new Error(`POST ${path} was answered with ${answer.status}: ${JSON.stringify(answer.body)}`)
      return answer.body as Json
    },
    answerTo: (path, body) => api.post(path, body),
    kusanya,
    read: async (...args) => JSON.parse(await kusanya(...args, '--json')),
    until: (path, ...states) =>
      eventually(
        `${path} to be ${states.join(' or ')}`,
        async () => {
          const found = await get(path)
          return states.includes(found.status ?? found.state) ? found : undefined
        },
        MAX_WAIT_MS,
      ),
  }
}
