import type { App } from '../app.ts'
import type { Actor } from '../core/access/action.ts'
import type { DuplicateChoice, RequestBatch } from '../core/batches/batch.ts'
import { digestOf, readBatch } from '../core/batches/batches.ts'
import { Invalid } from '../core/refusals.ts'
import {
  makeFileRequestsAction,
  makeNextRequestsAction,
  makeTaggedRequestsAction,
} from '../core/request-batches/actions.ts'
import type { CheckedRows } from '../core/request-batches/check.ts'
import { getMessage } from '../lib/messages/message.ts'
import { runAction } from './run.ts'

/** Checked requests, and where they come from. */
export interface NewRequestBatch {
  checked: CheckedRows
  source: 'file' | 'tag'
  /** The name of the file, or the tag. */
  name: string
  /** SHA-256 of the file; null for a tag. */
  digest: string | null
  /** Whole input. A repeated call is the same if this is. */
  asked: object
  duplicates: DuplicateChoice
}

/**
 * Make the requests of a batch, some in each transaction. A call with a Duplicate-Check-Key that was used for the same
 * batch continues it, so after a lost answer or an interruption the same call is enough.
 * @throws Invalid if nothing can become a request, Duplicate for a key of something else
 */
export async function makeRequests(
  app: App,
  actor: Actor,
  { checked, source, name, digest, asked, duplicates }: NewRequestBatch,
  key?: string,
): Promise<RequestBatch> {
  const { planned, rows } = checked
  if (planned.length === 0)
    throw new Invalid({ [source]: [getMessage(source === 'file' ? 'requests.no_row' : 'requests.no_customer')] })
  const organization = actor.organization!
  const counts = { rows: rows.length, refused: rows.length - planned.length }
  const batch = { source, name, digest, asked: digestOf({ ...asked, duplicates }), duplicates, ...counts }
  const action = source === 'tag' ? makeTaggedRequestsAction : makeFileRequestsAction
  const { id } = await runAction(app, actor, action, { batch }, key)
  let more = true
  while (more) ({ more } = await runAction(app, actor, makeNextRequestsAction, { id, planned }))
  return readBatch(app.db, { kind: 'requests', organization, id })
}
