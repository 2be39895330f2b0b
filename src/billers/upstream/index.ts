import { z } from 'zod'
import type { CheckResult, DriverTools, OpenedConnection } from '../../drivers/contract.ts'
import { secretSetting, setting } from '../../drivers/settings.ts'
import { isLoopbackHost } from '../../lib/http/ip-addresses.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { displayAmount } from '../../lib/money.ts'
import { type AnyBillDriver, defineBillProvider, type ProviderVend } from '../contract.ts'
import { callProvider } from '../shared/calls.ts'
import { readCatalogue } from './catalogue.ts'
import { checkVend, lookUpAccountHolder, readBalance, type Upstream, vend } from './protocol.ts'

const settings = z.object({
  key: secretSetting(
    z
      .string()
      .trim()
      .regex(/^[\x21-\x7e]{1,500}$/, 'must be visible ASCII characters'),
    { title: 'API key', help: 'Our key at the other host. It needs the permission to pay bills.' },
  ),
  url: setting(z.string().trim().refine(isAddress, 'must be an address that begins with https://').optional(), {
    title: 'Address',
    help: 'Where the bill payments of the other host begin. It has to be given, unless the host `api` of the connection is.',
    example: 'https://pay.example.com/api/gateway',
  }),
  agent_id: setting(z.string().trim().min(1).max(100).default('207'), {
    title: 'Agent id',
    help: 'The agentId that the other host has given us. Some hosts ignore it.',
    example: '207',
  }),
})

type UpstreamConnection = OpenedConnection<z.output<typeof settings>>

const CALL_S = 10

/** Keys travel there, so only this machine is called without encryption. */
function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))
}

/** Placeholder for a missing host. Nobody has this name. */
const NO_HOST = 'https://upstream.invalid'

/**
 * Another host with the same bill-payment interface as ours: an aggregator, or another installation of this service.
 * docs/bills/upstream.md lists the questions for its operator.
 */
export const upstream: AnyBillDriver = defineBillProvider({
  code: 'upstream',
  name: 'Upstream',
  settings,
  environments: {
    // There is no usual host: each connection has its own.
    production: { title: 'Another host', live: true, hosts: { api: NO_HOST } },
    sandbox: { title: 'The sandbox of another host', live: false, hosts: { api: NO_HOST } },
  },
  countries: ['NG'],
  sells_by_our_names: true,
  traits: {
    // It answers BX0023, which says nothing about the purchase. A status query does.
    repeat: 'refused',
    unseen: 'certain',
    in_flight_s: 30,
    call_s: CALL_S,
    one_call_at_a_time: false,
    asked_by: 'reference',
    callbacks: 'none',
  },
  secret_fields: ['x-api-key', 'authorization'],
  checkSettings({ hosts, settings: { url } }): Record<string, string> {
    return url === undefined && hosts.api === NO_HOST ? { url: 'is missing' } : {}
  },
  open(connection) {
    const host = (tools: DriverTools) => openUpstream(connection, tools)
    return {
      vend: (order, tools) => vend(host(tools), asOurs(order)),
      vendStatus: (order, tools) => checkVend(host(tools), asOurs(order)),
      accountHolder: ({ offer, account_number, kind }, tools) => {
        const product_code = kind === 'exampin' ? offer.remote_product : null
        return lookUpAccountHolder(host(tools), { service_type: offer.remote_service, account_number, product_code })
      },
      catalogue: (tools) => readCatalogue(host(tools)),
      balance: (tools) => readBalance(host(tools)),
      test: async (tools) => [await testKey(host(tools))],
    }
  },
})

/** The code of the catalogue for a TV subscription that goes on as it is. */
const RENEWAL = '0'

/** The order with the names that the other host has for the service and the product, which the offer holds. */
function asOurs(order: ProviderVend): ProviderVend {
  const { kind, offer, details } = order
  const named = { ...order, service_type: offer.remote_service }
  const product = offer.remote_product
  if (product === null || details.product_code === RENEWAL) return named
  if (kind === 'databundle') return { ...named, details: { ...details, datacode: product } }
  if (kind === 'cabletv' || kind === 'exampin') return { ...named, details: { ...details, product_code: product } }
  return named
}

function openUpstream({ hosts, settings: { key, agent_id, url } }: UpstreamConnection, tools: DriverTools): Upstream {
  const base = (url ?? hosts.api ?? '').replace(/\/$/, '')
  return {
    agent_id,
    call: (verb, method, path, scenario, body) =>
      callProvider(tools, {
        verb,
        method,
        url: base + path,
        body,
        secrets: [key],
        headers: {
          'x-api-key': key,
          accept: 'application/json',
          ...(scenario === null ? {} : { 'x-sandbox-scenario': scenario }),
        },
      }),
  }
}

async function testKey(host: Upstream): Promise<CheckResult> {
  const name = 'key'
  const balance = await readBalance(host)
  if (balance.outcome === 'found') {
    const [{ amount, currency } = { amount: 0n, currency: 'NGN' }] = balance.balances
    return {
      name,
      outcome: 'ok',
      message: getMessage('billers.account', { currency, amount: displayAmount(amount) }),
    }
  }
  const message = balance.outcome === 'unknown' ? balance.message : getMessage('billers.other_host_not_say')
  const is_refused = /\bBX00(09|1[3-6])\b/.test(message)
  if (is_refused) return { name, outcome: 'failed', message: `The other host refuses key: ${message}` }
  return { name, outcome: 'unknown', message }
}
