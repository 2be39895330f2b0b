import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { onTestFinished } from 'vitest'
import {
  type ConnectionTools,
  createTools,
  openSharedTools,
  type SharedTools,
  type ToolsOptions,
} from '../../../src/connections/tools/index.ts'
import type { Database } from '../../../src/db/client.ts'
import { decrypt, encrypt } from '../../../src/lib/secrets.ts'
import type { DriverTraits } from '../../../src/networks/contract.ts'

/** A clock that stands still until a test moves it, as a date and as milliseconds. */
export interface StillClock {
  real(): Date
  now_ms(): number
  advance(seconds: number): void
}

export function stillClock(): StillClock {
  let now_ms = Date.parse('2030-01-15T12:00:00Z')
  return {
    real: () => new Date(now_ms),
    now_ms: () => now_ms,
    advance(seconds) {
      now_ms += seconds * 1_000
    },
  }
}

export const traits: DriverTraits = {
  reference: 'uuid-v4',
  repeat: 'same-answer',
  unseen: 'certain',
  asked_by: 'reference',
  answers: 'in-reply',
  in_flight_s: 10,
  prompt_s: 300,
  call_s: 10,
  callbacks: 'unsigned',
}

/** Process of the service, as far as the tools see it. */
export interface TestProcess {
  shared: SharedTools
  /** The log lines, parsed. */
  lines: Record<string, unknown>[]
  /** Tools of one connection with these options instead of the usual ones. */
  tools(changes?: Partial<ToolsOptions>): ConnectionTools
  /** The metrics as Prometheus reads them. */
  metrics(): Promise<string>
}

/** The subject of an operation for an order. */
export const about = (reference: string) => ({ reference, collection_request: null })

export const KEY = 'ab'.repeat(32)

/** Open the tools of one process, and close them after the test. */
export function openProcess(db: Database, clock: StillClock, options: { key?: string } = {}): TestProcess {
  const { key = KEY } = options
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'debug', base: null }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const shared = openSharedTools({
    db,
    real: clock.real,
    now_ms: clock.now_ms,
    log,
    reportUnavailable: (fields) => lines.push({ event: 'database_unavailable', ...fields }),
    seal: (text) => encrypt(key, text),
    unseal: (sealed) => decrypt(key, sealed),
  })
  const opened: ConnectionTools[] = []
  onTestFinished(async () => {
    await shared.close()
    await Promise.all(opened.map((tools) => tools.close()))
  })
  return {
    shared,
    lines,
    tools(changes = {}) {
      const tools = createTools(shared, {
        slug: 'mtn-ug',
        traits,
        max_concurrent: 50,
        max_per_second: 1_000,
        revision: '1',
        callback_secret: '0a'.repeat(16),
        callback_base: () => 'https://pay.example.com',
        ...changes,
      })
      opened.push(tools)
      return tools
    },
    metrics() {
      const registry = new Registry()
      for (const metric of shared.metrics.all) registry.registerMetric(metric)
      return registry.metrics()
    },
  }
}

/** Serve HTTP on loopback until the test ends. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** An address at which nothing listens. */
export async function deadAddress(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}
