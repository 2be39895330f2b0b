import { callJson } from '../lib/http/http-call.ts'
import { openTransport } from '../lib/http/transport.ts'
import type { Biller } from './biller.ts'
import { type CallBiller, checkVend, lookUpAccountHolder, vend } from './sandbox-bills/protocol.ts'

interface SandboxBillerOptions {
  /** The base URL of the simulator. Read at every call, because it is known only once the simulator listens. */
  url(): string
  /** Authenticate our calls to the simulator. */
  secret: string
  /** Time limit for the biller's answer. */
  timeout_ms?: number
  in_flight_ms?: number
  /** True if new purchases go there. Default: true. */
  sells?: boolean
}

const TIMEOUT_MS = 5_000
const IN_FLIGHT_MS = 8_000

/** The simulated biller of the sandbox. */
export function createSandboxBiller(options: SandboxBillerOptions): Biller {
  const call = openCalls(options)
  return {
    code: 'sandbox',
    name: 'Sandbox Biller',
    sells: options.sells ?? true,
    in_flight_ms: options.in_flight_ms ?? IN_FLIGHT_MS,
    vend: (order) => vend(call, order),
    checkVend: (order) => checkVend(call, order),
    lookUpAccountHolder: (query) => lookUpAccountHolder(call, query),
  }
}

function openCalls({ url, secret, timeout_ms = TIMEOUT_MS }: SandboxBillerOptions): CallBiller {
  // Its idle connections close by themselves, and do not keep a process from ending.
  const { transport } = openTransport()
  return (_verb, method, path, body) =>
    callJson({
      method,
      body,
      timeout_ms,
      transport,
      callee: 'biller',
      url: url() + path,
      headers: { authorization: `Bearer ${secret}` },
    })
}
