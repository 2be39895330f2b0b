import { z } from 'zod'
import type { SmsConnections } from '../core/sms/outcomes.ts'
import { orderConnections, type RouteConnection } from '../core/sms/routes.ts'
import { getMessage } from '../lib/messages/message.ts'
import { defineSmsProvider } from '../senders/contract.ts'
import type { SmsSender } from '../senders/sms-sender.ts'
import type { SmsConnection } from './connection.ts'
import type { ConnectionsOf } from './registry.ts'
import { type Slots, unlimited } from './tools/index.ts'

/** The parts of the App that send SMS. */
export interface SmsParts {
  sms_connections: Pick<ConnectionsOf<SmsConnection>, 'list'>
  sms_sender: SmsSender
}

/**
 * The SMS connections of this process. What takes SMS without any connection stands at the end, unless the settings name a
 * provider.
 */
export function listSmsConnections({ sms_connections, sms_sender }: SmsParts): readonly SmsConnection[] {
  const all = sms_connections.list()
  return all.some(({ from_settings }) => from_settings) ? all : [...all, senderConnection(sms_sender)]
}

/** The slugs of the connections that a route may name. */
export function routableConnections(parts: SmsParts): string[] {
  const stored = parts.sms_connections.list()
  return (stored.length > 0 ? stored : listSmsConnections(parts)).map(({ slug }) => slug)
}

/** Delivery path of SMS: over these connections, or nowhere. */
interface SmsWay {
  /** `kept`: the sandbox keeps them for people to read. `nowhere`: none is sent. */
  kind: 'connections' | 'settings' | 'kept' | 'nowhere'
  /** The slugs of the connections in the order in which they are used without routes. */
  connections: string[]
}

/**
 * Find the delivery path of an organization's SMS without routes. Null: organizations without their own connections.
 */
export function findSmsWay(parts: SmsParts, organization: number | null = null): SmsWay {
  const active = listSmsConnections(parts).filter(
    (one) => one.state === 'active' && (one.organization === null || one.organization === organization),
  )
  const connections = orderConnections(describeSmsConnections(active, new Set()).routes).map(({ slug }) => slug)
  const serving = active.filter(({ slug }) => connections.includes(slug))
  if (serving.some(({ from_settings }) => from_settings)) return { kind: 'settings', connections }
  if (!serving.some(({ is_fallback }) => is_fallback)) return { kind: 'connections', connections }
  return { kind: parts.sms_sender.code === 'none' ? 'nowhere' : 'kept', connections: [] }
}

/** Describe the delivery path of SMS in a sentence for the operator. */
export function describeSmsWay({ kind, connections }: SmsWay): string {
  const over = connections.join(', ')
  if (kind === 'connections') return getMessage('sms.go_over', { over })
  if (kind === 'settings') return getMessage('sms.go_over_provider', { over })
  if (kind === 'kept') return getMessage('sms.not_sent_sandbox')
  return getMessage('sms.no_provider_connected')
}

/**
 * Return the data about connections that core needs. `open_sessions` are the connections whose session some process has
 * open.
 */
export function describeSmsConnections(
  connections: readonly SmsConnection[],
  open_sessions: ReadonlySet<string>,
): SmsConnections {
  return {
    routes: connections.map((connection): RouteConnection => {
      const { slug, organization, priority, driver, state, operations, is_degraded } = connection
      const { is_fallback = false } = connection
      const is_active = state === 'active'
      return {
        slug,
        organization,
        priority,
        countries: driver.countries,
        is_active,
        is_fallback,
        is_usable: is_active && (!operations.openSession || open_sessions.has(slug)),
        is_degraded: is_degraded?.() ?? false,
      }
    }),
    canAsk: (slug) => connections.some((one) => one.slug === slug && one.operations.report !== undefined),
  }
}

const opened = new WeakMap<SmsSender, SmsConnection>()

/** Wrap a sender without connection in the form of a connection. */
function senderConnection(sender: SmsSender): SmsConnection {
  let connection = opened.get(sender)
  if (!connection) {
    connection = openSender(sender)
    opened.set(sender, connection)
  }
  return connection
}

function openSender(sender: SmsSender): SmsConnection {
  const driver = defineSmsProvider({
    code: sender.code,
    name: sender.code,
    settings: z.object({}),
    countries: null,
    environments: { settings: { title: 'Settings', live: true, hosts: {} } },
    traits: { call_s: 10, callbacks: 'none', repeat: 'sends-again', reports: 'none' },
    open: () => ({ send: (sms) => sendWith(sender, sms) }),
  })
  return {
    kind: 'sms',
    slug: sender.code,
    code: sender.code,
    name: sender.code,
    driver,
    environment: 'settings',
    organization: null,
    state: 'active',
    priority: 1_000,
    callback_secret: '',
    is_fallback: true,
    operations: driver.open({ slug: '', environment: '', hosts: {}, settings: {} as never }, {} as never),
    slots: limitedSlots(MAX_CALLS),
  }
}

/** Maximum simultaneous SMS. */
const MAX_CALLS = 200

async function sendWith(sender: SmsSender, sms: { id: number; phonenumber: string; body: string }) {
  const { id, phonenumber, body } = sms
  const result = await sender.send({ id, phonenumber, body })
  return result.outcome === 'failed' ? { ...result, reason: 'rejected' as const } : result
}

function limitedSlots(most: number): Slots {
  let taken = 0
  return {
    ...unlimited,
    tryAcquire() {
      if (taken >= most) return undefined
      taken += 1
      let is_free = false
      return () => {
        if (!is_free) taken -= 1
        is_free = true
      }
    },
    nextFree: () => (taken < most ? 0 : 100),
  }
}
