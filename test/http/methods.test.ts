import type { RouteOptions } from 'fastify'
import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'
import { compressAnswers } from '../../src/http/compression/answers.ts'
import { withOtherMethods } from '../../src/http/methods.ts'
import { createServer, type Server } from '../../src/http/server.ts'

const LIST = Array.from({ length: 500 }, (_, index) => index)
const ADDRESSES = 5

let server: Server
afterEach(() => server.close())

/** A server with a guarded list and some objects. */
async function open() {
  const logged: object[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
  const routes: RouteOptions[] = []
  server = createServer({ log, trust_proxy: 'off' })
  server.addHook('onRoute', (route) => void routes.push(route))
  await compressAnswers(server)
  server.register(async (inner) => {
    const scope = inner as unknown as Server
    scope.addHook('onRequest', async (_request, reply) => void reply.header('x-guarded', 'yes'))
    withOtherMethods(scope, () => {
      scope.get('/lists', async ({ method }, reply) => reply.header('x-method', method).send(LIST))
      for (let index = 1; index < ADDRESSES; index += 1) scope.post(`/objects${index}/:id`, async () => ({}))
    })
  })
  await server.ready()
  return { logged, routes }
}

it('answers HEAD with the headers of GET and the length of its whole body', async () => {
  const { logged } = await open()
  const answer = await server.inject({ method: 'HEAD', url: '/lists', headers: { 'accept-encoding': 'br' } })
  expect(answer).toMatchObject({ statusCode: 200, body: '' })
  expect(answer.headers).toMatchObject({ 'content-length': String(JSON.stringify(LIST).length), 'x-method': 'HEAD' })
  expect(answer.headers).not.toHaveProperty('content-encoding')
  expect(logged).toMatchObject([{ method: 'HEAD', path: '/lists' }])
  expect((await server.inject({ method: 'HEAD', url: '/nowhere' })).statusCode).toBe(404)
})

it('refuses other methods after the hooks of their address, and logs what was sent', async () => {
  const { logged } = await open()
  for (const method of ['GET', 'PUT', 'TRACE', 'PROPFIND'] as const) {
    const { statusCode, headers } = await server.inject({ method: method as 'GET', url: '/objects1/7?a=1' })
    expect([method, statusCode, headers.allow, headers['x-guarded']]).toEqual([method, 405, 'POST, OPTIONS', 'yes'])
    expect(logged.at(-1)).toMatchObject({ method, path: '/objects1/7' })
  }
  const options = await server.inject({ method: 'OPTIONS', url: '/lists' })
  expect([options.statusCode, options.headers.allow]).toEqual([200, 'GET, HEAD, OPTIONS'])
})

it('has one route for the other methods of a whole scope, which nobody calls by itself', async () => {
  const { routes } = await open()
  expect(routes).toHaveLength(ADDRESSES + 1)
  const { url } = routes.find(({ method }) => method === 'TRACE')!
  for (const method of ['OPTIONS', 'PUT', 'HEAD'] as const)
    expect((await server.inject({ method, url })).statusCode).toBe(404)
  expect((await server.inject({ method: 'TRACE' as 'GET', url })).statusCode).toBe(404)
})
