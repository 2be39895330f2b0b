import type { Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { AuditAction } from '../access/audit.ts'
import type { DuplicateChoice } from '../batches/batch.ts'
import { beginBatch, digestOf } from '../batches/batches.ts'
import type { DuplicateKeyClaim } from '../idempotency.ts'
import { Invalid } from '../refusals.ts'
import { makeNextRequests } from './batches.ts'
import type { CheckedRows } from './check.ts'

/** Checked requests, where they come from, and for whom they are made. */
export interface NewRequestBatch {
  organization: number
  author: number
  checked: CheckedRows
  source: 'file' | 'tag'
  /** The name of the file, or the tag. */
  name: string
  /** SHA-256 of the file; null for a tag. */
  digest: string | null
  /** Whole input. A repeated call is the same if this is. */
  asked: object
  duplicates: DuplicateChoice
  claim: DuplicateKeyClaim | undefined
}

/** Steps of the door that makes a batch. */
export interface BatchSteps {
  /** Runs work in a transaction of its own, and tells it the time. */
  transact<Result>(work: (tx: Tx, now: Date) => Promise<Result>): Promise<Result>
  record(tx: Tx, entry: AuditAction): Promise<void>
  /** Follows each group of requests that was made. */
  made(): void
}

/**
 * Makes the requests of a batch, some in each transaction. A call with a Duplicate-Check-Key that was used for the same batch
 * continues it, so after a lost answer or an interruption the same call is enough.
 * @returns the id of the batch
 * @throws Invalid if nothing can become a request
 */
export async function makeRequests(batch: NewRequestBatch, { transact, record, made }: BatchSteps): Promise<number> {
  const { organization, author, checked, source, name, digest, asked, duplicates, claim } = batch
  const { planned } = checked
  if (planned.length === 0)
    throw new Invalid({ [source]: [getMessage(source === 'file' ? 'requests.no_row' : 'requests.no_customer')] })
  const rows = checked.rows.length
  const refused = rows - planned.length
  const from = { kind: 'requests', organization, author, source, name, digest } as const
  const given = { ...from, asked: digestOf({ ...asked, duplicates }), duplicates, issue: null, rows, refused }
  const id = await transact(async (tx, now) => {
    const begun = await beginBatch(tx, now, given, claim)
    if (!begun.is_new) return begun.id
    const action = source === 'file' ? 'make requests from a file' : 'make requests for a tag'
    const details = { batch: begun.id, from: name, ...(digest !== null && { sha256: digest }), rows, refused }
    await record(tx, { action, details })
    return begun.id
  })
  let more = true
  while (more) {
    const next = await transact((tx, now) => makeNextRequests(tx, { organization, id }, planned, now))
    more = next.more
    made()
  }
  return id
}
