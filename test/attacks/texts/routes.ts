import diagnostics from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { z } from 'zod'

/** A part of a JSON schema. */
export type Schema = z.core.JSONSchema.BaseSchema

/** A route of the service, with the fields that its body or its query may have. */
export interface Route {
  method: string
  path: string
  /** The maximum size of a body, in bytes. */
  body_limit: number
  fields: Record<string, Schema>
  required: readonly string[]
}

/** Note every route that the service adds until `stop`: of the API, the console, the callbacks, the payment pages. */
export function watchRoutes(): { stop(): Route[] } {
  const servers: RouteOptions[][] = []
  const watch = (message: unknown) => {
    const found: RouteOptions[] = []
    servers.push(found)
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', (route: RouteOptions) => void found.push(route))
  }
  diagnostics.subscribe('fastify.initialization', watch)
  return {
    stop() {
      diagnostics.unsubscribe('fastify.initialization', watch)
      // The simulated networks are another server.
      const found = servers.find((one) => one.some(({ url }) => url === '/api/currencies'))!
      return found
        .flatMap((route) => [route.method].flat().map((method) => toRoute(method, route)))
        .filter(({ method }) => !['HEAD', 'TRACE'].includes(method))
    },
  }
}

const DEFAULT_LIMIT = 1_048_576

function toRoute(method: string, { url: path, schema, bodyLimit: body_limit = DEFAULT_LIMIT }: RouteOptions): Route {
  const described = (method === 'GET' ? schema?.querystring : schema?.body) as z.ZodType | undefined
  const { properties = {}, required = [] } = described ? describe(described) : {}
  return { method, path, body_limit, fields: properties as Route['fields'], required }
}

function describe(body: z.ZodType): Schema {
  const schema = z.toJSONSchema(body, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const { examples } = z.globalRegistry.get(zodSchema as z.core.$ZodType) ?? {}
      if (examples) jsonSchema.examples = examples as unknown[]
    },
  })
  // A schema with a name is a reference to its definition.
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : schema.$defs![name]!
}

/** Return true unless the route repeats the API's: the console has routes with the same code. */
export function isNotRepeated({ method, path }: Route, routes: readonly Route[]): boolean {
  const api_path = path.replace(/^\/console/, '')
  return api_path === path || !routes.some((one) => one.method === method && one.path === api_path)
}
