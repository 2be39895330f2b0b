import type { App } from '../app.ts'
import type { Actor } from '../core/access/action.ts'
import { issueInvoicesAction, remindOfInvoicesAction, voidInvoicesAction } from '../core/invoices/actions.ts'
import { type ManyAction, type ManyResult, type Selection, selectInvoices } from '../core/invoices/many.ts'
import { runAction } from './run.ts'

const ACTIONS = { issue: issueInvoicesAction, remind: remindOfInvoicesAction, void: voidInvoicesAction }

/**
 * Act on a selection, some invoices in each transaction. After an interruption, simply repeat the call: completed
 * invoices are no longer in a state for it.
 * @throws Invalid, as selectInvoices
 */
export async function actOnMany(
  app: App,
  actor: Actor,
  action: ManyAction,
  chosen: Selection,
  reason?: string,
): Promise<ManyResult> {
  const groups = await selectInvoices(app.db, actor.organization!, chosen, { action, now: app.clock.now() })
  const result: ManyResult = { done: 0, left_out: [] }
  for (const ids of groups) {
    const left_out = await runAction(app, actor, ACTIONS[action], { ids, reason })
    result.done += ids.length - left_out.length
    result.left_out.push(...left_out)
  }
  return result
}
