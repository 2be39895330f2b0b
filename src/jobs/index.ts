import type { App } from '../app.ts'
import { concernsJob } from '../core/wakes.ts'
import { isUnavailable } from '../db/failures.ts'
import { logEvent } from '../lib/log-events.ts'
import { type Job, type Loop, startLoop } from '../lib/loop.ts'
import { assignPayments } from './assign-payments.ts'
import { syncCatalogues } from './bills/sync-catalogues.ts'
import { askAboutFindings } from './books/ask-about-findings.ts'
import { checkBalances } from './check-balances.ts'
import { checkConsistency } from './check-consistency.ts'
import { collect } from './collect.ts'
import { createBulkPayments } from './create-bulk-payments.ts'
import { deliverWebhooks } from './deliver-webhooks.ts'
import { eraseFromMessages } from './erase-from-messages.ts'
import { matchIncomingMoney } from './invoices/match-money.ts'
import { remindOfInvoices } from './invoices/remind-of-invoices.ts'
import { returnSurplus } from './invoices/return-surplus.ts'
import { issueReceiptsOfPayments } from './issue-receipts.ts'
import { lookUpAccountHolders } from './look-up-account-holders.ts'
import { mailApprovers } from './mails/mail-approvers.ts'
import { sendMails } from './mails/send-mails.ts'
import { matchPaidRequests } from './match-paid-requests.ts'

import { networkOrders } from './orders/network-orders.ts'
import { createOrderCalls } from './orders/order-calls.ts'
import { processCallbacks } from './process-callbacks.ts'
import { refillWallets } from './refill-wallets.ts'
import { refreshExchangeRates } from './refresh-exchange-rates.ts'
import { runAcceptanceChecks } from './run-acceptance-checks.ts'
import { runMaintenance } from './run-maintenance.ts'
import { sendPayments } from './send-payments.ts'
import { sendSmsMessages } from './send-sms-messages.ts'
import type { JobMetrics } from './shared/job-metrics.ts'
import { unlessHeld, watchSending } from './shared/unless-held.ts'
import { startOccurrences } from './start-occurrences.ts'
import { updateCounts } from './update-counts.ts'

/** Door 2: the background work. This is the list of all jobs. */
export function allJobs(app: App) {
  const isHeld = watchSending(app)
  const order_calls = createOrderCalls(app)
  return [
    unlessHeld(collect(app, order_calls), isHeld),
    networkOrders(app, isHeld, order_calls),
    createBulkPayments(app),
    unlessHeld(sendPayments(app), isHeld),
    processCallbacks(app),
    assignPayments(app),
    runAcceptanceChecks(app),
    deliverWebhooks(app),
    lookUpAccountHolders(app),
    eraseFromMessages(app),
    unlessHeld(startOccurrences(app), isHeld),
    issueReceiptsOfPayments(app),
    matchIncomingMoney(app),
    returnSurplus(app),
    unlessHeld(remindOfInvoices(app), isHeld),
    sendSmsMessages(app),
    mailApprovers(app),
    sendMails(app),
    updateCounts(app),
    matchPaidRequests(app),
    checkBalances(app),
    askAboutFindings(app),
    syncCatalogues(app),
    checkConsistency(app),
    refreshExchangeRates(app),
    refillWallets(app),
    runMaintenance(app),
  ]
}

/** Runs all jobs until `stop` is called. Any number of processes may run them at the same time. */
export function startJobs(app: App, metrics?: JobMetrics): { stop(): Promise<void> } {
  const start = <Row>(job: Job<Row>): Loop =>
    startLoop(job, {
      now: app.clock.now,
      onRun: (job, run) => metrics?.ran(job, run),
      onError(job, error) {
        const is_outage = isUnavailable(error)
        metrics?.failed(job, is_outage ? 'database' : 'error')
        if (is_outage) app.reportUnavailable({ job, error })
        else logEvent(app.log, 'job_failed', { job, error })
      },
    })
  const jobs = allJobs(app)
  metrics?.begin(jobs.map(({ name }) => name))
  const loops = jobs.map((job) => ({ name: job.name, ...start(job as Job<unknown>) }))
  app.onWake((causes) => {
    for (const loop of loops) if (concernsJob(causes, loop.name)) loop.wake()
  })
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}
