import type { Database } from '../../src/db/client.ts'
import { type Fragment, sql } from '../../src/db/sql.ts'

/** End requests as if a network had, without the effects of a transition. */
export async function endRequests(db: Database, status: 'failed' | 'expired', where: Fragment = sql.always) {
  await db`
    with ended as (update collection_requests set status = ${status} where ${where} returning id)
    delete from open_collection_requests where collection_request in (select id from ended)`
}
