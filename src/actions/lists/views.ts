import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { App } from '../../app.ts'
import type { Caller, Permission } from '../../core/access/api-keys.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import type { AnyReader, Database, Tx } from '../../db/client.ts'
import { withSnapshot } from '../../db/snapshot.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { createBatchedRead } from '../batched-calls.ts'

/**
 * Origin of what is read: a snapshot of a replica if there is one, and with `statement` one statement there. `primary`:
 * what decides about money or access. `statements`: on the primary, without a snapshot.
 */
type Source = 'statement' | 'primary' | 'statements' | undefined
type DatabaseOf<From extends Source> = From extends 'primary' ? Tx : From extends 'statements' ? Database : AnyReader

interface ViewRequest<Params, Query, Of> extends Pick<Caller, 'organization' | 'user' | 'permissions' | 'time_zone'> {
  now: Date
  params: Params
  query: Query
  /** Object of the path. */
  of: Of
  request: FastifyRequest
}

/** Words of the reference. */
export interface Words {
  tag: string
  operation: string
  summary: string
  description: string
}

/** Route that shows what no list has: sums, or what belongs to an object. */
interface View<Params, Query, Of, Answer extends z.ZodType, From extends Source> {
  url: string
  permission: Permission
  open_in_maintenance?: true
  /** Its words in the reference. */
  words?: Words
  /** Path parameters, if they are others than `:id`. */
  params?: z.ZodType<Params>
  query?: z.ZodType<Query>
  answer: Answer
  source?: From
  /** Find the object of the path, which the organization of the caller must own. */
  of?(db: DatabaseOf<From>, params: Params, now: Date): Promise<Of | undefined>
  /** @throws Refusal */
  read(db: DatabaseOf<From>, request: ViewRequest<Params, Query, Of>): Promise<z.output<Answer>> | z.output<Answer>
}

/** Add the route of a view. */
export function addView<
  Answer extends z.ZodType,
  Of extends { organization: number },
  Params = { id: number },
  Query = unknown,
  const From extends Source = undefined,
>(server: Server, app: App, view: View<Params, Query, Of, Answer, From>): void {
  const { url, permission, open_in_maintenance, words, query: querystring, answer } = view
  const params = view.params ?? (url.includes(':id') ? idParams : undefined)
  server.get(url, {
    config: { permission, ...(open_in_maintenance && { open_in_maintenance }) },
    schema: {
      ...(words && describe(words)),
      ...(params && { params }),
      ...(querystring && { querystring }),
      response: { 200: answer },
    },
    handler: (request: FastifyRequest) =>
      readFrom(app, view.source, async (db: DatabaseOf<From>) => {
        const { organization, user, permissions, time_zone } = request.caller
        const now = app.clock.now()
        const asked = { params: request.params as Params, query: request.query as Query, request, now }
        const of = view.of && requireOwned(organization, await view.of(db, asked.params, now))
        return view.read(db, { organization, user, permissions, time_zone, ...asked, of: of as Of })
      }) as never,
  })
}

/**
 * Add the route of a single object that is read often: the requests of a moment share one statement.
 * @param findMany returns the objects by their ids
 */
export function addObject(
  server: Server,
  app: App,
  {
    url,
    permission,
    words,
    answer,
  }: Pick<View<unknown, unknown, unknown, z.ZodType, undefined>, 'url' | 'permission' | 'answer'> & { words: Words },
  findMany: (db: AnyReader, ids: number[]) => Promise<ReadonlyMap<number, { organization: number }>>,
): void {
  const find = createBatchedRead(app, async (ids: number[]) => {
    const found = await app.reads.read((db) => findMany(db, ids))
    return ids.map((id) => found.get(id))
  })
  server.get(url, {
    config: { permission },
    schema: { ...describe(words), params: idParams, response: { 200: answer } },
    handler: async ({ caller, params }) => requireOwned(caller.organization, await find(params.id)),
  })
}

/** Return the words of a route as its schema has them. */
export function describe({ tag, operation: operationId, summary, description }: Words) {
  return { tags: [tag], operationId, summary, description }
}

// biome-ignore lint/suspicious/noExplicitAny: a read of any source
function readFrom<Result>(app: App, source: Source, read: (db: any) => Promise<Result>): Promise<Result> {
  if (source === 'statements') return read(app.db)
  if (source === 'primary') return withSnapshot(app.db, read)
  return source === 'statement' ? app.reads.read(read) : app.reads.snapshot(read)
}
