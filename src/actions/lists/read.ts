import type { App } from '../../app.ts'
import { allPermissions, type Permission } from '../../core/access/api-keys.ts'
import { requireSingleOrganization } from '../../core/access/organizations.ts'
import type { AnyReader } from '../../db/client.ts'
import { withSnapshot } from '../../db/snapshot.ts'
import { byId, type Ordering } from '../../http/lists.ts'
import type { Found, List, ListRequest } from './list.ts'

/** Caller and content of a request for a list. The door has read filters and page. */
export interface Asked {
  organization: number | undefined
  /** An operator needs none. */
  permissions?: ReadonlySet<Permission>
  // biome-ignore lint/suspicious/noExplicitAny: filters of any list
  filters: any
  page: { limit: number; offset: number; field: Ordering; descending: boolean }
  id?: number
}

/** Read a page of a list for a user or an API key. @throws Forbidden, and as the list */
export async function readList<Row>(app: App, list: List, asked: Asked): Promise<Found<Row>> {
  if (list.is_operators) await requireSingleOrganization(app.db, asked.organization!)
  return readFrom(app, list, list.read, requestOf(app, list, asked))
}

/** Read a page of a list, and on the same snapshot in how many rows its search has looked. */
export function readSearched<Row>(
  app: App,
  list: List,
  asked: Asked,
  readRows: (db: AnyReader) => Promise<number | null>,
): Promise<Found<Row> & { searched_rows: number | null }> {
  // biome-ignore lint/suspicious/noExplicitAny: a list of any source
  const read = async (db: any, request: any) => ({
    ...(await list.read(db, request)),
    searched_rows: await readRows(db),
  })
  return readFrom(app, list, read, requestOf(app, list, asked))
}

/** Run a read of a list where the list says. */
// biome-ignore lint/suspicious/noExplicitAny: a read of any list
export function readFrom<Out>(app: App, { source }: List, read: any, request: object): Promise<Out> {
  if (source === 'statements') return read(app.db, request)
  if (source === 'primary') return withSnapshot(app.db, (tx) => read(tx, request))
  return app.reads.snapshot((db) => read(db, request))
}

/** Read a page of a list for an operator, who reads from the primary. */
export function readListOfOperator<Row>(app: App, list: List, asked: Asked): Promise<Found<Row>> {
  const request = requestOf(app, list, { ...asked, permissions: new Set(allPermissions) })
  // biome-ignore lint/suspicious/noExplicitAny: a list of any source
  const read = list.read as (db: any, request: ListRequest<any>) => Promise<Found<Row>>
  return list.source === 'statements' ? read(app.db, request) : withSnapshot(app.db, (tx) => read(tx, request))
}

function requestOf(app: App, { order = byId }: List, { page, permissions = new Set(), id = 0, ...asked }: Asked) {
  return { app, now: app.clock.now(), permissions, id, ...asked, page: { ...page, field: order[page.field] } }
}
