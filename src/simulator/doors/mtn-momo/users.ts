import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { parseJson } from '../../../lib/http/http-call.ts'
import { header, sendError, sendNotFound } from './answers.ts'
import type { MtnWorld } from './switches.ts'

/** An API user of the simulated network. */
export interface ApiUser {
  id: string
  /** Null until a key was made. */
  key: string | null
  /** The only host of its callbacks; null: any. */
  callback_host: string | null
}

/** The API user that is always there. */
export const documentedUser = { id: '6d746e2d-6d6f-4d6f-8000-73696d756c61', key: '0f1e2d3c4b5a69788796a5b4c3d2e1f0' }

export const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

export async function findUser(world: MtnWorld, id: string): Promise<ApiUser | undefined> {
  if (id.toLowerCase() === documentedUser.id) {
    const { callback_host } = await world.switches()
    return { ...documentedUser, callback_host: callback_host || null }
  }
  if (!UUID_V4.test(id)) return undefined
  const known = KnownUser.safeParse(await world.recall(nameOf(id))).data
  return known && { id: id.toLowerCase(), ...known }
}

const KnownUser = z.object({ key: z.string().nullable(), callback_host: z.string() })

function nameOf(id: string): string {
  return `user ${id.toLowerCase()}`
}

const NewUser = z.object({ providerCallbackHost: z.string().regex(/^[a-z0-9.-]{1,253}(:\d{1,5})?$/i) })

/** Add the calls that make API users and keys, which only the sandbox of MTN has. */
export function addUserRoutes(server: FastifyInstance, world: MtnWorld): void {
  server.post('/v1_0/apiuser', { config: { verb: 'API user' } }, async (request, reply) => {
    const id = header(request, 'x-reference-id') ?? ''
    const user = NewUser.safeParse(parseJson(request.body as string)).data
    if (!UUID_V4.test(id) || !user) return sendError(reply, 400, undefined, 'Bad request')
    if (await findUser(world, id))
      return sendError(reply, 409, 'RESOURCE_ALREADY_EXIST', 'Duplicated reference id. Creation of resource failed.')
    await world.remember(nameOf(id), { key: null, callback_host: user.providerCallbackHost })
    return reply.code(201).send()
  })

  server.get<{ Params: { id: string } }>(
    '/v1_0/apiuser/:id',
    { config: { verb: 'API user' } },
    async (request, reply) => {
      const user = await findUser(world, request.params.id)
      if (!user || user.callback_host === null) return sendNotFound(reply)
      return { providerCallbackHost: user.callback_host, targetEnvironment: 'sandbox' }
    },
  )

  server.post<{ Params: { id: string } }>(
    '/v1_0/apiuser/:id/apikey',
    { config: { verb: 'API key' } },
    async (request, reply) => {
      const user = await findUser(world, request.params.id)
      if (!user || user.id === documentedUser.id) return sendNotFound(reply)
      const apiKey = randomBytes(16).toString('hex')
      await world.remember(nameOf(user.id), { key: apiKey, callback_host: user.callback_host })
      return reply.code(201).send({ apiKey })
    },
  )
}
