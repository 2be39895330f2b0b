import type { App } from '../app.ts'
import { type Job, type Loop, startLoop } from '../lib/loop.ts'
import { askOrganizations } from './run-acceptance-checks.ts'
import { collect } from './collect.ts'
import { deliverWebhook } from './deliver-webhooks.ts'
import { eraseTraces } from './erase-from-messages.ts'
import { foldRequestCounts } from './merge-request-counts.ts'
import { lookUpContacts } from './look-up-account-holders.ts'
import { readCallbacks } from './process-callbacks.ts'
import { refillWallets } from './refill-wallets.ts'
import { sendPayments } from './send-payments.ts'
import { sendTexts } from './send-sms-messages.ts'
import { startOccurrences } from './start-occurrences.ts'
import { tidyUp } from './run-maintenance.ts'
import { updateRates } from './refresh-exchange-rates.ts'
import { vendBills } from './vend-bills.ts'

/** Door 2: what happens later. Every job of the program stands in this table. */
export function allJobs(app: App) {
  return [
    collect(app),
    vendBills(app),
    sendPayments(app),
    readCallbacks(app),
    askOrganizations(app),
    deliverWebhook(app),
    lookUpContacts(app),
    eraseTraces(app),
    startOccurrences(app),
    sendTexts(app),
    foldRequestCounts(app),
    updateRates(app),
    refillWallets(app),
    tidyUp(app),
  ]
}

/** Runs all jobs until they are stopped. Any number of processes may do so. */
export function startJobs(app: App): { stop(): Promise<void> } {
  const start = <Row>(job: Job<Row>): Loop =>
    startLoop(job, {
      now: app.clock.now,
      onFault: (name, error) => app.log.error({ job: name, err: error }, 'fault'),
    })
  const loops = allJobs(app).map((job) => start(job as Job<unknown>))
  app.onWake(() => {
    for (const loop of loops) loop.wake()
  })
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}
