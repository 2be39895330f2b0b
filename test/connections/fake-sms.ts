import { z } from 'zod'
import type { App } from '../../src/app.ts'
import type { SmsConnection } from '../../src/connections/connection.ts'
import { defineSmsProvider, type SmsOperations, type SmsTraits } from '../../src/senders/contract.ts'

const TRAITS: SmsTraits = { call_s: 5, callbacks: 'unsigned', repeat: 'sends-again', reports: 'callback' }

/** An active connection to an SMS provider of a test. */
export function fakeSmsConnection(
  slug: string,
  operations: SmsOperations,
  changes: Partial<SmsConnection> & { traits?: Partial<SmsTraits>; countries?: readonly string[] } = {},
): SmsConnection {
  const { traits, countries = null, ...rest } = changes
  const driver = defineSmsProvider({
    code: slug,
    name: slug,
    settings: z.object({}),
    countries,
    traits: { ...TRAITS, ...traits },
    environments: { sandbox: { title: 'Sandbox', live: false, hosts: {} } },
    open: () => operations,
  })
  return {
    kind: 'sms',
    slug,
    code: slug,
    name: slug,
    driver,
    environment: 'sandbox',
    organization: null,
    state: 'active',
    priority: 100,
    callback_secret: '0'.repeat(32),
    operations,
    ...rest,
  }
}

/** Let an App have these SMS connections only. */
export function useSmsConnections(app: App, connections: readonly SmsConnection[]): void {
  const list = { list: () => connections, find: (slug: string) => connections.find((one) => one.slug === slug) }
  Object.assign(app, { sms_connections: list })
}
