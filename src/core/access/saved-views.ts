import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { column, insert, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { id, requiredText, timestamp } from '../fields.ts'
import { Invalid, NotFound } from '../refusals.ts'

/** Maximum number of views of one list per user, so that the menu can show all of them. */
const MAX_VIEWS_OF_LIST = 50
const MAX_VALUES = 40

/** Query string of a list's address: filters, ordering and columns, by their names. */
const Search = z
  .record(z.string().regex(/^\w{1,40}$/), z.string().max(500))
  .refine((values) => Object.keys(values).length <= MAX_VALUES, getMessage('access.view_values', { max: MAX_VALUES }))

/** The path of a list's page below `/console`, such as `/payments`. */
export const ListPath = z.string().regex(/^\/[a-z][a-z/-]{0,58}$/, getMessage('access.view_path'))

/** The body that changes a view. */
export const ViewChanges = z.object({ name: requiredText(60), search: Search })

/** The body that stores a view. */
export const NewView = ViewChanges.extend({ list: ListPath })
export type NewView = z.output<typeof NewView>

/** Filters, columns and order of a list that a user has stored under a name. */
export const SavedView = z.object({
  id,
  list: z.string(),
  name: z.string(),
  search: z.record(z.string(), z.string()),
  created: timestamp,
  modified: timestamp,
})
export type SavedView = z.output<typeof SavedView>

const viewTable = table('saved_views', {
  id: column.id(),
  organization: column.bigint(),
  user: column.bigint(),
  list: column.text(),
  name: column.text(),
  search: column.jsonb<Record<string, string>>(),
  created: column.timestamptz(),
  modified: column.timestamptz(),
})
const shownView = viewTable.omit('organization', 'user')

/** Owner of the views: one user in one organization. */
export interface ViewOwner {
  organization: number
  user: number
}

export async function listViews(db: Reader, { organization, user }: ViewOwner, list: string): Promise<SavedView[]> {
  return db<SavedView[]>`
    select ${shownView.columns} from saved_views
    where organization = ${organization} and "user" = ${user} and list = ${list} order by lower(name), id`
}

/** Stores a view. @throws Invalid if the user has one with this name, or too many */
export async function createView(tx: Tx, now: Date, owner: ViewOwner, view: NewView): Promise<SavedView> {
  const existing = await listViews(tx, owner, view.list)
  if (existing.length >= MAX_VIEWS_OF_LIST)
    throw new Invalid({ name: [getMessage('access.many_views', { count: MAX_VIEWS_OF_LIST })] })
  const created = truncateToSecond(now)
  const [row] = await tx<SavedView[]>`
    ${insert(viewTable, [view], { ...owner, name: view.name.trim(), created, modified: created })}
    on conflict (organization, "user", list, name) do nothing
    returning ${shownView.columns}`
  if (!row) throw nameTaken()
  return row
}

/** Changes name and content of a view. @throws NotFound, and Invalid if the user has another one with this name */
export async function changeView(
  tx: Tx,
  now: Date,
  owner: ViewOwner,
  view: { id: number } & z.output<typeof ViewChanges>,
): Promise<SavedView> {
  const { organization, user } = owner
  const name = view.name.trim()
  const [current] = await tx<{ list: string }[]>`
    select list from saved_views where id = ${view.id} and organization = ${organization} and "user" = ${user}`
  if (!current) throw new NotFound()
  const others = await listViews(tx, owner, current.list)
  if (others.some((other) => other.id !== view.id && other.name === name)) throw nameTaken()
  const [row] = await tx<SavedView[]>`
    update saved_views set name = ${name}, search = ${JSON.stringify(view.search)}::jsonb, modified = ${truncateToSecond(now)}
    where id = ${view.id} and organization = ${organization} and "user" = ${user}
    returning ${shownView.columns}`
  if (!row) throw new NotFound()
  return row
}

/** Deletes a view. @throws NotFound */
export async function deleteView(tx: Tx, { organization, user }: ViewOwner, view: number): Promise<void> {
  const deleted = await tx`
    delete from saved_views where id = ${view} and organization = ${organization} and "user" = ${user} returning id`
  if (deleted.length === 0) throw new NotFound()
}

function nameTaken(): Invalid {
  return new Invalid({ name: [getMessage('access.view_name_taken')] })
}
