import { z } from 'zod'
import type { SmsConnections } from '../core/sms/outcomes.ts'
import type { RouteConnection } from '../core/sms/routes.ts'
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

/** The SMS connections of this process; without any, the sender of the settings. */
export function listSmsConnections({ sms_connections, sms_sender }: SmsParts): readonly SmsConnection[] {
  const all = sms_connections.list()
  return all.some(({ state }) => state === 'active') ? all : [...all, senderConnection(sms_sender)]
}

/** What core must know of the connections. `open_sessions` are the connections whose session some process has open. */
export function describeSmsConnections(
  connections: readonly SmsConnection[],
  open_sessions: ReadonlySet<string>,
): SmsConnections {
  return {
    routes: connections.map(
      ({ slug, organization, priority, driver, state, operations, is_degraded }): RouteConnection => ({
        ...{ slug, organization, priority, countries: driver.countries },
        is_usable: state === 'active' && (!operations.openSession || open_sessions.has(slug)),
        is_degraded: is_degraded?.() ?? false,
      }),
    ),
    canAsk: (slug) => connections.some((one) => one.slug === slug && one.operations.report !== undefined),
  }
}

const opened = new WeakMap<SmsSender, SmsConnection>()

/** A sender of the settings as a connection. */
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
    ...{ code: sender.code, name: sender.code, settings: z.object({}), countries: null },
    environments: { settings: { title: 'Settings', live: true, hosts: {} } },
    traits: { call_s: 10, callbacks: 'none', repeat: 'sends-again', reports: 'none' },
    open: () => ({ send: (sms) => sendWith(sender, sms as typeof sms & { id: number }) }),
  })
  return {
    ...{ kind: 'sms', slug: sender.code, code: sender.code, name: sender.code, driver, environment: 'settings' },
    ...{ organization: null, state: 'active', priority: 1_000, callback_secret: '' },
    operations: driver.open({ slug: '', environment: '', hosts: {}, settings: {} as never }, {} as never),
    slots: limitedSlots(MAX_CALLS),
  }
}

/** How many calls a sender of the settings has at the same time. */
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
