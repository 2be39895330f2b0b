import type { App } from '../app.ts'
import { checkAuditChain, readChainHead } from '../core/access/audit-chain.ts'
import { checkPaidOrders, checkPaidRequests } from '../core/collections/paid-requests.ts'
import { checkRequestCounts } from '../core/collections/request-counts.ts'
import { checkCallbacks } from '../core/connections/callbacks.ts'
import { checkUnassigned } from '../core/connections/unassigned-payments.ts'
import { claimNightlyCheck, recordNightlyCheck } from '../core/consistency.ts'
import { checkHolds } from '../core/ledger/holds.ts'
import { checkOperatorMoney } from '../core/ledger/operator-money.ts'
import { checkLedger } from '../core/ledger/transfers.ts'
import { checkAttestedOrders } from '../core/manual-settlements/review.ts'
import { checkLatePayouts } from '../core/payments/late-payouts.ts'
import { begin, beginLong, type Database, type Reader } from '../db/client.ts'
import { logEvent } from '../lib/log-events.ts'
import type { Job } from '../lib/loop.ts'

/** The checks of the whole data, by name. */
const checks: Record<string, (db: Reader) => Promise<string[]>> = {
  'the books': checkLedger,
  'money on hold': checkHolds,
  'money at the operator': checkOperatorMoney,
  'paid requests': checkPaidRequests,
  'paid orders': checkPaidOrders,
  'counts of requests': checkRequestCounts,
  'the audit log': checkAuditChain,
  callbacks: checkCallbacks,
  'unassigned money': checkUnassigned,
  'late payouts': checkLatePayouts,
  'attested orders': checkAttestedOrders,
}

/** The names of the checks, in the order in which they run. */
export const consistencyChecks: readonly string[] = Object.keys(checks)

/** Faults that one check has found, in sentences that an operator can act on; empty when all is well. */
export interface CheckResult {
  check: string
  findings: string[]
}

/**
 * Runs every check on the data as it is now, one after the other: each reads much, and the service may need the database
 * meanwhile. They have no time limit.
 */
export async function* runConsistencyChecks(db: Database): AsyncGenerator<CheckResult> {
  for (const check of consistencyChecks) yield { check, findings: await runConsistencyCheck(db, check) }
}

/** Runs one of these checks, by its name. */
export function runConsistencyCheck(db: Database, check: string): Promise<string[]> {
  return beginLong(db, 'consistency check', checks[check]!)
}

/** Everything that the checks find wrong; empty when all is well. */
export async function findInconsistencies(db: Database): Promise<string[]> {
  const found: string[] = []
  for await (const { findings } of runConsistencyChecks(db)) found.push(...findings)
  return found
}

/** Maximum number of findings logged one by one; the command `doctor` prints all of them. */
const MAX_LOGGED = 20

/** Checks the data every night, in one process only. Findings are logged as errors and counted for `/metrics`. */
export function checkConsistency(app: App): Job<Date> {
  let checked = ''
  return {
    name: 'check-consistency',
    limit: 1,
    concurrency: 1,
    async claim() {
      const now = app.clock.now()
      const night = now.toISOString().slice(0, 10)
      // This process looks into the database once a night.
      if (night === checked) return []
      checked = night
      return (await begin(app.db, (tx) => claimNightlyCheck(tx, now))) ? [now] : []
    },
    async run([now]) {
      const found = await findInconsistencies(app.db)
      await begin(app.db, (tx) => recordNightlyCheck(tx, now!, found.length))
      for (const finding of found.slice(0, MAX_LOGGED)) logEvent(app.log, 'consistency_check_failed', { finding })
      // The log is often kept on another machine, where it proves later the state of the audit log on this night.
      logEvent(app.log, 'audit_head_noted', await readChainHead(app.db))
    },
    nextDue: async () => null,
  }
}
