import { randomUUID } from 'node:crypto'
import type { App } from '../../app.ts'
import type { SmsConnection } from '../../connections/connection.ts'
import { storeIncomingSms, storeSmsReports } from '../../connections/sms-reports.ts'
import { holdSession, readOpenSessions, releaseSessions } from '../../core/sms/sessions.ts'
import { begin } from '../../db/client.ts'
import { logEvent } from '../../lib/log-events.ts'
import type { SmsListener, SmsOperations, SmsSession } from '../../senders/contract.ts'

/** The sessions of this process, such as binds over SMPP. */
export interface SmsSessions {
  /** Takes and renews leases, opens sessions, and closes those of unused connections. */
  refresh(): Promise<void>
  /** Returns true if this process can send over a connection that needs a session. */
  isOpenHere(slug: string): boolean
  /** The connections whose session some process has open. */
  open(): ReadonlySet<string>
  close(): Promise<void>
}

const LEASE_MS = 30_000
const REFRESH_MS = 5_000

/** Keeps the sessions of the connections that need one: each is open in one process at a time. */
export function createSmsSessions(app: App): SmsSessions {
  const holder = randomUUID()
  const held = new Map<string, { operations: SmsOperations; session: SmsSession }>()
  let open: ReadonlySet<string> = new Set()
  let refreshed = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  let is_closed = false

  const closeOne = async (slug: string) => {
    const { session } = held.get(slug)!
    held.delete(slug)
    await session
      .close()
      .catch((error: unknown) => logEvent(app.log, 'sms_session_failed', { connection: slug, error }))
  }
  const openOne = (connection: SmsConnection) => {
    const { slug, operations } = connection
    try {
      held.set(slug, { operations, session: operations.openSession!(createListener(app, connection)) })
    } catch (error) {
      logEvent(app.log, 'sms_session_failed', { connection: slug, error })
    }
  }
  const refreshAll = async () => {
    const wanted = app.sms_connections.list().filter((one) => one.state !== 'draft' && one.operations.openSession)
    // A connection with other settings has other operations.
    for (const slug of held.keys())
      if (!wanted.some((one) => one.slug === slug && one.operations === held.get(slug)!.operations))
        await closeOne(slug)
    if (wanted.length === 0) {
      open = new Set()
      return
    }
    for (const connection of wanted) {
      const { slug } = connection
      const real = app.clock.real()
      const is_open = held.get(slug)?.session.is_open() ?? false
      const lease = { connection: slug, holder, real, lease_end: new Date(real.getTime() + LEASE_MS), is_open }
      const is_ours = await begin(app.db, (tx) => holdSession(tx, lease))
      if (is_ours && !held.has(slug) && !is_closed) openOne(connection)
      if (!is_ours && held.has(slug)) await closeOne(slug)
    }
    open = await readOpenSessions(app.db, app.clock.real())
  }

  return {
    async refresh() {
      const has_changed = [...held].some(([slug, { session }]) => session.is_open() !== open.has(slug))
      if (is_closed || (performance.now() - refreshed < REFRESH_MS && !has_changed)) return
      running ??= refreshAll().finally(() => {
        running = undefined
        refreshed = performance.now()
      })
      await running
    },
    isOpenHere: (slug) => held.get(slug)?.session.is_open() ?? false,
    open: () => open,
    async close() {
      is_closed = true
      await running?.catch(() => {})
      const slugs = [...held.keys()]
      await Promise.all(slugs.map(closeOne))
      if (slugs.length > 0) await begin(app.db, (tx) => releaseSessions(tx, holder, slugs)).catch(() => {})
    },
  }
}

/** Stores the messages of a session. The provider gets its acknowledgement when they are stored. */
function createListener(app: App, connection: SmsConnection): SmsListener {
  return {
    reports: (reports) => storeSmsReports(app, connection.slug, reports),
    incoming: (messages) => storeIncomingSms(app, connection, messages),
  }
}
