import type { App } from '../app.ts'
import type { Actor } from '../core/access/action.ts'
import type { InvoiceBatch } from '../core/batches/batch.ts'
import { readBatch } from '../core/batches/batches.ts'
import {
  type InvoiceBatchInput,
  makeFileInvoicesAction,
  makeNextInvoicesAction,
  makeTaggedInvoicesAction,
} from '../core/invoices/actions.ts'
import type { PlannedInvoice } from '../core/invoices/batches/batch.ts'
import { runAction } from './run.ts'

/**
 * Make the invoices of a batch, some in each transaction. A repeated call with the same Duplicate-Check-Key continues
 * where that batch ended, and answers for the whole batch. So after a lost answer or an interruption, the same call is
 * enough.
 * @throws Duplicate for a key of something else
 */
export async function makeInvoices(
  app: App,
  actor: Actor,
  batch: InvoiceBatchInput,
  planned: readonly PlannedInvoice[],
  key?: string,
): Promise<InvoiceBatch> {
  const organization = actor.organization!
  const action = batch.source === 'tag' ? makeTaggedInvoicesAction : makeFileInvoicesAction
  const { id } = await runAction(app, actor, action, { batch }, key)
  let more = true
  while (more) ({ more } = await runAction(app, actor, makeNextInvoicesAction, { id, planned }))
  return readBatch(app.db, { kind: 'invoices', organization, id })
}
