import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'

/* Drivers call the outside through their tools, which check the address (`src/lib/http/reach.ts`). */

const ROOT = join(import.meta.dirname, '../..')
const NETWORK_MODULES =
  /^((node:)?(net|tls|http|https|http2|dgram|dns|dns\/promises|child_process|cluster|worker_threads)|undici|nodemailer|ws|axios|got)$/

/** Files beside `src/lib/http` and the simulated networks that can open connections, and why none goes where an organization wants. */
const OPENERS: Readonly<Record<string, string>> = {
  'src/actions/cell-directory.ts': 'the other cells, at the addresses in the settings of the service',
  'src/cli/commands/doctor/certificates.ts': 'the addresses in the settings of the service',
  'src/cli/remote.ts': 'the service of the operator who types the command',
  'src/cli/service/serve.ts': 'listens, to see that its own port is free',
  'src/core/access/passkeys.ts': 'reads whether a host is an IP address',
  'src/db/embedded/server.ts': 'looks for a free port of this machine',
  'src/http/errors.ts': 'the names of HTTP statuses',
  'src/http/server.ts': 'listens',
  'src/jobs/shared/departed-callbacks.ts': 'the other cells, at the addresses in the settings of the service',
  'src/senders/mail.ts': 'the mail server of the operator',
}

/** Modules that start threads and processes of this machine. */
const LOCAL = / imports (node:)?(child_process|cluster|worker_threads)$| calls require$/

interface Node {
  type: string
  [name: string]: unknown
}

/** Return a file's own ways to call the outside: modules, not their types, and the functions of Node.js. */
function ownCalls(path: string, text: string): string[] {
  const { program } = parseSync(path, text)
  return [...walk(program)].flatMap((node) => {
    const module = (node.source as { value?: unknown } | null | undefined)?.value
    const is_type = node.importKind === 'type' || node.exportKind === 'type'
    if (typeof module === 'string' && NETWORK_MODULES.test(module) && !is_type) return [`${path} imports ${module}`]
    const { name, object, property } = (node.callee ?? {}) as { name?: string; object?: Node; property?: Node }
    const called = name ?? (object?.name === 'globalThis' ? property?.name : undefined)
    return /^(fetch|require|WebSocket|EventSource)$/.test(String(called)) ? [`${path} calls ${called}`] : []
  })
}

function* walk(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && typeof value.type === 'string') yield value as Node
  for (const part of Object.values(value)) yield* walk(part)
}

it('No driver calls the outside beside its tools', () => {
  const all = globSync('src/{drivers,networks,senders,billers}/**/*.ts', { cwd: ROOT })
  const files = all.filter((path) => OPENERS[path] === undefined)
  expect(files.length).toBeGreaterThan(80)
  expect(files.flatMap((path) => ownCalls(path, readFileSync(join(ROOT, path), 'utf8')))).toEqual([])
})

it('What does it call: nothing else of the program opens connections beside the checked ones', () => {
  const files = globSync('src/**/*.ts', { cwd: ROOT }).filter((path) => !/^src\/(simulator|lib\/http)\//.test(path))
  const opening = files.filter((path) =>
    ownCalls(path, readFileSync(join(ROOT, path), 'utf8')).some((call) => !LOCAL.test(call)),
  )
  expect(opening.sort()).toEqual(Object.keys(OPENERS))
})

it('The rule sees modules, loaded at once or later, and functions of Node.js, and passes over types', () => {
  const calls = [
    "import { connect } from 'node:net'",
    "import tls from 'tls'",
    "const { request } = await import('node:https')",
    "export { request } from 'undici'",
    "await fetch('https://a.example')",
    "globalThis.fetch('https://a.example')",
    "new WebSocket('wss://a.example')",
  ]
  expect(calls.map((text) => ownCalls('a.ts', text).length)).toEqual(calls.map(() => 1))
  const fine = [
    "import type { Socket } from 'node:net'",
    "tools.http.fetch('a')",
    "import { createHash } from 'node:crypto'",
  ]
  expect(fine.flatMap((text) => ownCalls('a.ts', text))).toEqual([])
})
