import type { App } from '../../app.ts'
import {
  type AskedFinding,
  claimAskedFindings,
  finishAskedFindings,
  nextAskedFinding,
} from '../../core/books/findings.ts'
import { begin } from '../../db/client.ts'
import type { Job } from '../../lib/loop.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type ApplyResult, applyFindings } from '../apply-findings.ts'
import { leaseTimes } from '../shared/lease-times.ts'

/** Lease: longer than a call to a network, and its changes, can take. */
const LEASE_MS = 5 * 60 * 1_000

/** Asks networks about the differences of a reconciliation, when a person wants it, and records their confirmations. */
export function askAboutFindings(app: App): Job<AskedFinding> {
  return {
    name: 'ask-about-findings',
    limit: 5,
    concurrency: 1,
    claim: (limit) => begin(app.db, (tx) => claimAskedFindings(tx, leaseTimes(app, LEASE_MS), limit)),
    nextDue: () => nextAskedFinding(app.db.polling, app.clock.real()),
    async run(findings) {
      for (const asked of findings) {
        const refused = await ask(app, asked)
        await begin(app.db, (tx) => finishAskedFindings(tx, [{ id: asked.id, refused }]))
      }
      app.wake()
    },
  }
}

/** Asks about one difference. @returns why nothing was recorded, or null */
async function ask(app: App, { connection, finding }: AskedFinding): Promise<string | null> {
  if (!app.connections.find(connection)) return getMessage('findings.connection_not_open')
  const result: ApplyResult = { recorded: 0, reversed: 0, known: 0, fees: 0, refused: [] }
  await applyFindings(app, connection, [finding], result)
  return result.refused[0]?.why ?? null
}
