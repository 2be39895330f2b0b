import { callJson } from '../lib/http/http-call.ts'
import type { Biller } from './biller.ts'
import { checkVend, lookUpAccountHolder, type Upstream, vend } from './upstream/protocol.ts'

export interface UpstreamSettings {
  /** The base URL of the other service's bill payments, such as https://pay.example.com/api/gateway */
  url: string
  /** Our API key there. */
  key: string
  /** Our `agentId` there. */
  agent_id: string
  /** How long the other service may take to answer. */
  timeout_ms?: number
  in_flight_ms?: number
}

const TIMEOUT_MS = 10_000
const IN_FLIGHT_MS = 30_000

/**
 * Another host with the same bill-payment interface as ours (interface 4.5): an aggregator, or another installation of
 * this service. Our reference is its `agentReference`, which it accepts only once.
 */
export function createUpstreamBiller(settings: UpstreamSettings): Biller {
  const upstream = openUpstream(settings)
  return {
    code: 'upstream',
    name: 'Upstream',
    in_flight_ms: settings.in_flight_ms ?? IN_FLIGHT_MS,
    vend: (order) => vend(upstream, order),
    checkVend: (order) => checkVend(upstream, order),
    lookUpAccountHolder: (query) => lookUpAccountHolder(upstream, query),
  }
}

function openUpstream({ url, key, agent_id, timeout_ms = TIMEOUT_MS }: UpstreamSettings): Upstream {
  return {
    agent_id,
    call: (_verb, method, path, scenario, body) =>
      callJson({
        ...{ method, body, timeout_ms, callee: 'biller', secrets: [key] },
        url: url.replace(/\/$/, '') + path,
        headers: {
          'x-api-key': key,
          accept: 'application/json',
          ...(scenario === null ? {} : { 'x-sandbox-scenario': scenario }),
        },
      }),
  }
}
