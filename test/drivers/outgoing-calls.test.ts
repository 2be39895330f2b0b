import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'

/* Drivers call the outside through their tools, which check the address (`src/lib/http/reach.ts`). */

const ROOT = join(import.meta.dirname, '../..')
const NETWORK_MODULES =
  /^((node:)?(net|tls|http|https|http2|dgram|dns|dns\/promises|child_process|cluster|worker_threads)|undici|ws|axios|got)$/

interface Node {
  type: string
  [name: string]: unknown
}

/** What a file uses to call the outside by itself: modules, not their types, and the functions of Node.js. */
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
  const files = globSync('src/{drivers,networks,senders,billers}/**/*.ts', { cwd: ROOT })
  expect(files.length).toBeGreaterThan(80)
  expect(files.flatMap((path) => ownCalls(path, readFileSync(join(ROOT, path), 'utf8')))).toEqual([])
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
