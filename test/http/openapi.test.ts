import { readFileSync } from 'node:fs'
import { validate } from '@scalar/openapi-parser'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeInterface } from '../../src/cli/commands/openapi.ts'
import type { Service } from '../../src/cli/service/serve.ts'
import { buildTestApp, createApiClient, type TestApp } from '../test-app.ts'

interface Media {
  schema?: Schema
  example?: unknown
  examples?: object
}
type Schema = { $ref?: string; properties?: Record<string, Schema>; [key: string]: unknown }
interface Operation {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  parameters?: { name: string; in: string; description?: string }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media> }>
}
interface Document {
  openapi: string
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

let document: Document
let testApp: TestApp
let service: Service
let api: ReturnType<typeof createApiClient>

beforeAll(async () => {
  document = JSON.parse(await describeInterface())
  testApp = await buildTestApp()
  service = await testApp.startService({ jobs: false })
  api = createApiClient(service.url, testApp.api_key)
})
afterAll(() => testApp.close())

const MAX_BYTES = 249_999

/** Every operation with its address, such as `GET /api/events`. */
function operations(): [string, Operation][] {
  return Object.entries({ ...document.paths, ...document.webhooks }).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  )
}

/** The part itself, or what it refers to. */
function resolve<Part>(part: Part): Part {
  const { $ref } = part as { $ref?: string }
  if ($ref === undefined) return part
  const path = $ref.replace('#/', '').split('/')
  return path.reduce<unknown>((from, key) => (from as Record<string, unknown> | undefined)?.[key], document) as Part
}

/** True if a value has an example, or each of its parts has one. */
function hasExample(schema: Schema | undefined): boolean {
  if (!schema) return false
  const { examples, items, allOf, anyOf, properties } = schema
  if (Array.isArray(examples) && examples.length > 0) return true
  if (schema.$ref) return hasExample(resolve(schema))
  if (Array.isArray(allOf)) return allOf.every(hasExample)
  if (Array.isArray(anyOf)) return anyOf.some(hasExample)
  if (items) return hasExample(items as Schema)
  return properties !== undefined && Object.values(properties).every(hasExample)
}

/** Bodies and answers of an operation that have a schema, by their places. */
function mediaOf([name, { requestBody, responses }]: [string, Operation]): [string, Media][] {
  const bodies = { body: requestBody, ...responses }
  return Object.entries(bodies).flatMap(([place, body]) =>
    Object.entries((body && resolve(body).content) ?? {}).flatMap(([type, media]): [string, Media][] =>
      media.schema ? [[`${name} ${place} ${type}`, media]] : [],
    ),
  )
}

/** All values under one key, at any level. */
function valuesOf(key: string, value: unknown): unknown[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, inner]) => [...(name === key ? [inner] : []), ...valuesOf(key, inner)])
}

describe('the OpenAPI document', () => {
  it('is the one that is committed: run `npm run openapi` after a change of the interface', () => {
    const committed = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))
    expect(committed).toEqual(document)
  })

  it('has no reference to a missing part', () => {
    const targets = valuesOf('$ref', document) as string[]
    const missing = targets.filter(($ref) => resolve({ $ref }) === undefined)
    expect(targets.length).toBeGreaterThan(50)
    expect(missing).toEqual([])
  })

  it('gives every operation a unique id, a summary, a known tag and its error responses', () => {
    const tags = document.tags.map((tag) => tag.name)
    const ids = operations().map(([, operation]) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const incomplete = operations().filter(
      ([, { operationId, summary, tags: own }]) => !operationId || !summary || !own?.every((tag) => tags.includes(tag)),
    )
    expect(incomplete.map(([name]) => name)).toEqual([])
    // With 401, 403, 429 and 503, which every operation may answer with.
    for (const methods of Object.values(document.paths))
      for (const { responses } of Object.values(methods)) expect(responses).toHaveProperty('default')
  })

  it('describes every operation, with an example of each body and each answer', () => {
    expect(operations().flatMap(([name, { description }]) => (description ? [] : [name]))).toEqual([])
    const bare = operations()
      .flatMap(mediaOf)
      .filter(([, { schema, example, examples }]) => example === undefined && !examples && !hasExample(schema))
    expect(bare.map(([place]) => place)).toEqual([])
  })

  it('has examples that its schemas allow', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
    ajv.addSchema(document, 'interface')
    const faults = Object.entries(document.components.schemas).flatMap(([name, { examples }]) => {
      const check = ajv.compile({ $ref: `interface#/components/schemas/${name}` })
      const wrong = ((examples ?? []) as unknown[]).filter((example) => !check(example))
      return wrong.map(() => `${name}: ${ajv.errorsText(check.errors)}`)
    })
    expect(faults).toEqual([])
  })

  it('is short enough to be read, by people and by programs', () => {
    const bytes = readFileSync(new URL('../../openapi.json', import.meta.url)).length
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES)
  })

  it('is valid OpenAPI 3.1', async () => {
    expect(await validate({ ...document })).toMatchObject({ valid: true, errors: [] })
  })

  it('declares the parameters of every path, and describes those of every query', () => {
    for (const [name, operation] of operations()) {
      const parameters = (operation.parameters ?? []).map(resolve)
      const expected = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
      expect(parameters.filter((one) => one.in === 'path').map((one) => one.name)).toEqual(expected)
      const undescribed = parameters.filter((one) => one.in === 'query' && !one.description)
      expect(undescribed.map((one) => `${name} ${one.name}`)).toEqual([])
    }
  })

  it('describes every field of every object, or says what it is by its type', () => {
    const bare = Object.entries(document.components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).flatMap(([field, schema]) =>
        schema.description || COMMON_FIELDS.includes(field) || valuesOf('$ref', { schema }).length > 0
          ? []
          : [`${name}.${field}`],
      ),
    )
    expect(bare).toEqual([])
  })
})

/** Fields that say what they are by their names. */
const COMMON_FIELDS = ['id', 'created', 'modified']

describe('the responses of the service', () => {
  it.each([
    ['a list of currencies', 'GET /api/currencies'],
    ['a list of collection requests', 'GET /api/collectionrequests'],
    ['a list of events', 'GET /api/events'],
    ['one event', 'GET /api/events/{id}'],
    ['one collection request', 'GET /api/collectionrequests/{id}'],
    ['one currency', 'GET /api/currencies/{id}'],
    ['an unknown object', 'GET /api/events/{id}', '/api/events/987654'],
    ['an invalid query', 'GET /api/events', '/api/events?ordering=colour'],
    ['a wrong key', 'GET /api/events', '/api/events', { authorization: 'Token wrong' }],
  ])('to %s are as documented', async (_what, operation, path?: string, headers?: Record<string, string>) => {
    const { body: created } = await api.post('/api/collectionrequests', valid)
    const id = operation.includes('collectionrequests') ? created.id : 1
    const answer = await api.get(path ?? operation.slice(4).replace('{id}', String(id)), headers)
    expect(differencesOf(operation, answer)).toEqual([])
  })

  it('to a valid, an invalid and a duplicate collection request are as documented', async () => {
    const post = (body: object) => api.post('/api/collectionrequests', body, { 'duplicate-check-key': 'order-7' })
    const answers = [await post({}), await post(valid), await post(valid)]
    expect(answers.map(({ status }) => status)).toEqual([400, 201, 409])
    for (const answer of answers) expect(differencesOf('POST /api/collectionrequests', answer)).toEqual([])
  })

  const valid = { phonenumber: '+80000000003', amount: '12.5', currency: 'BXC', metadata: { order: 7 } }
})

/** The differences of a response from the documented schema of this operation and status. */
function differencesOf(name: string, answer: { status: number; body: unknown }): unknown[] {
  const [method, path] = name.split(' ') as [string, string]
  const { responses } = document.paths[path]![method.toLowerCase()]!
  const status = responses[answer.status] ? answer.status : 'default'
  const response = `paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}/responses/${status}`
  const { $ref } = responses[status] as { $ref?: string }
  const pointer = $ref?.replace('#/', '') ?? response
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema(document, 'interface')
  const check = ajv.compile({ $ref: `interface#/${pointer}/content/application~1json/schema` })
  return check(answer.body) ? [] : check.errors!
}

describe('the documentation pages', () => {
  it('list the addresses of the service at /', async () => {
    const { status, body } = await api.get('/')
    expect(status).toBe(200)
    expect(body).toMatchObject({ documentation: '/docs', openapi: '/openapi.json', health: '/healthz' })
    for (const path of [body.openapi, body.health]) expect((await fetch(service.url + path)).status).toBe(200)
  })

  it('have the document of this installation at /openapi.json', async () => {
    const { body } = await api.get('/openapi.json')
    expect(body).toEqual(document)
  })

  it('show the document at /docs/reference and load nothing from other hosts', async () => {
    const page = await fetch(`${service.url}/docs/reference`)
    const html = await page.text()
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(html).not.toMatch(/(https?:)?\/\//)
    expect(html).toContain('"telemetry": false')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'")
    expect(page.headers.get('content-security-policy')).toContain("connect-src 'self'")
    for (const [, source] of html.matchAll(/src="([^"]+)"/g)) {
      const script = await fetch(new URL(source!, page.url))
      expect(script.headers.get('content-type')).toContain('javascript')
    }
  })

  it('are the same with a trailing slash, without a redirect', async () => {
    const [plain, slash] = await Promise.all(
      ['/docs/reference', '/docs/reference/'].map((path) => fetch(service.url + path)),
    )
    expect(slash!.redirected).toBe(false)
    expect(await slash!.text()).toBe(await plain!.text())
  })

  it('do not change 404 and 405 of other addresses and methods', async () => {
    expect(await api.get('/doc')).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
    expect(await api.post('/', {})).toMatchObject({ status: 405, body: { detail: 'Method "POST" not allowed.' } })
  })
})
