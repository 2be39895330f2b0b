import { z } from 'zod'
import type { Tx } from '../../db/client.ts'
import { type ActionContext, action, makerOf, organizationOf } from '../access/action.ts'
import { beginBatch, type NewBatch } from '../batches/batches.ts'
import type { PlannedRequest } from './batch.ts'
import { makeNextRequests } from './batches.ts'

/** A batch whose organization and author are those of the action. */
type RequestBatchInput = Omit<NewBatch, 'kind' | 'organization' | 'author' | 'issue'>

const ofBatch = {
  permission: 'initiate_collections',
  input: z.object({ batch: z.custom<RequestBatchInput>((batch) => typeof batch === 'object') }),
  async run(tx: Tx, context: ActionContext, { batch }: { batch: RequestBatchInput }) {
    const organization = organizationOf(context)
    const author = await makerOf(tx, context, organization)
    const given = { ...batch, kind: 'requests', organization, author, issue: null } as const
    return beginBatch(tx, context.now, given, context.claim)
  },
  audit({ id: batch, is_new }: { id: number; is_new: boolean }, input: { batch: RequestBatchInput }) {
    const { name, digest, rows, refused } = input.batch
    const details = { batch, from: name, ...(digest !== null && { sha256: digest }), rows, refused }
    return is_new ? { details } : undefined
  },
} as const

/** Begin a batch with a request to each customer with a tag, or find the one that the same key has begun. */
export const makeTaggedRequestsAction = action({ ...ofBatch, name: 'make requests for a tag' })

/** Make the next requests of a batch. */
export const makeNextRequestsAction = action({
  permission: 'initiate_collections',
  name: 'continue batch of requests',
  input: z.object({ id: z.int(), planned: z.custom<readonly PlannedRequest[]>() }),
  run: (tx, context, { id, planned }) =>
    makeNextRequests(tx, { organization: organizationOf(context), id }, planned, context.now),
  audit: () => undefined,
  wakes: 'request_created',
})

/** Begin a batch with a request for each row of a file, or find the one that the same key has begun. */
export const makeFileRequestsAction = action({ ...ofBatch, name: 'make requests from a file' })
