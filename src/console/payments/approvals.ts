import type { FastifyRequest } from 'fastify'
import { addView } from '../../actions/lists/views.ts'
import type { App } from '../../app.ts'
import { listChanges } from '../../core/approvals/changes/changes.ts'
import type { ControlChange } from '../../core/approvals/changes/control-change.ts'
import type { QueueOf } from '../../core/approvals/waiting.ts'
import { countWaitingPurchases, listWaitingPurchases } from '../../core/bills/approvals.ts'
import { countWaitingPayments, listWaitingPayments } from '../../core/payments/approval-queue.ts'
import { countWaitingFiles, listWaitingFiles } from '../../core/payments/bulk/waiting-files.ts'
import type { Reader } from '../../db/client.ts'
import type { Server } from '../../http/server.ts'
import { ApprovalCounts, ApprovalQueue } from './view.ts'

const MAX_PAYMENTS = 200
const MAX_FILES = 50
const MAX_CHANGES = 100

type Caller = FastifyRequest['caller']

/** The routes with the payments, files, purchases and changes that wait for approval. */
export function addApprovals(server: Server, app: App): void {
  const url = '/console/api/approvals'
  addView(server, app, {
    url,
    permission: 'view',
    answer: ApprovalQueue,
    source: 'primary',
    async read(tx, { now, request: { caller } }) {
      const queue = queueOf(caller)
      const { payments, files, purchases } = await countQueue(tx, now, queue)
      return {
        payments: await listWaitingPayments(tx, now, queue, MAX_PAYMENTS),
        payments_count: payments.mine + payments.others,
        files: await listWaitingFiles(tx, now, queue, MAX_FILES),
        files_count: files.mine + files.others,
        purchases: await listWaitingPurchases(tx, now, queue, MAX_PAYMENTS),
        purchases_count: purchases.mine + purchases.others,
        changes: await readChanges(tx, app, caller),
      }
    },
  })
  addView(server, app, {
    url: `${url}/count`,
    permission: 'view',
    answer: ApprovalCounts,
    source: 'primary',
    async read(tx, { now, user, request: { caller } }) {
      const { payments, files, purchases } = await countQueue(tx, now, queueOf(caller))
      const changes = await readChanges(tx, app, caller)
      const own = changes.filter(({ author }) => author === user).length
      return {
        mine: payments.mine + files.mine + purchases.mine + changes.length - own,
        others: payments.others + files.others + purchases.others + own,
      }
    },
  })
}

async function countQueue(tx: Reader, now: Date, queue: QueueOf) {
  const payments = await countWaitingPayments(tx, now, queue)
  const files = await countWaitingFiles(tx, now, queue)
  return { payments, files, purchases: await countWaitingPurchases(tx, now, queue) }
}

/** Return the queue that a caller sees. */
export function queueOf({ organization, user, permissions }: Caller): QueueOf {
  return { organization, user, may_approve: permissions.has('approve_payments') }
}

/** The changes that wait for a second manager. Other users do not see them. */
async function readChanges(db: Reader, app: App, { organization, permissions }: Caller): Promise<ControlChange[]> {
  if (!permissions.has('manage_organization')) return []
  const page = { limit: MAX_CHANGES, offset: 0 }
  return (await listChanges(db, app.clock.now(), organization, { state: 'pending' }, page)).rows
}
