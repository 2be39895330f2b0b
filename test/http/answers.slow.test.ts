import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { addApi, addConsoleResources } from '../../src/api/index.ts'
import { type App, buildApp } from '../../src/app.ts'
import { createLog } from '../../src/cli/service/log.ts'
import { readConfig } from '../../src/config.ts'
import { addConsole } from '../../src/console/index.ts'
import { createServer, type Server } from '../../src/http/server.ts'
import { addPaymentPages } from '../../src/pay/index.ts'
import { valuesOf } from '../lib/encoding/generated-values.ts'
import { expectSameAsZod } from '../lib/encoding/same-as-zod.ts'

let app: App
let server: Server
/** The schema of every answer, by the names of the routes that have it. */
const answers = new Map<z.ZodType, string>()

beforeAll(async () => {
  // Nothing connects to the database.
  const config = readConfig({ DATABASE_URL: 'postgres://kusanya@127.0.0.1:1/none', SECRET_KEY: 'x'.repeat(32) })
  const clock = { now: () => new Date(), real: () => new Date() }
  const log = await createLog({ LOG_LEVEL: 'silent' }, 'command')
  app = await buildApp(config, log, { clock, connections: [] })
  server = createServer({ log, trust_proxy: 'off' })
  server.addHook('onRoute', ({ method, url, schema }) => {
    // The stream of events is sent as it is.
    for (const [status, answer] of Object.entries(schema?.response ?? {}))
      for (const found of schemasOf(answer))
        if (found.def.type !== 'custom') answers.set(found, `${method} ${url} ${status}`)
  })
  addApi(server, app)
  addPaymentPages(server, app)
  addConsole(server, app, addConsoleResources)
  await server.ready()
})
afterAll(async () => {
  await server.close()
  await app.close()
})

/** Return the schema of an answer, or the schemas of its media types. */
function schemasOf(answer: unknown): z.ZodType[] {
  if (answer instanceof z.ZodType) return [answer]
  return Object.values((answer as { content: Record<string, { schema: z.ZodType }> }).content).map((one) => one.schema)
}

describe('every answer of the API, the pages of payments and the console', () => {
  it('is encoded as zod encodes it', () => {
    expect(answers.size).toBeGreaterThan(150)
    for (const [schema, route] of answers)
      fc.assert(
        fc.property(valuesOf(schema, 0), (value) => {
          expect(expectSameAsZod(schema, value), route).toBe(true)
        }),
        { numRuns: 20 },
      )
  })

  it('is refused as zod refuses it when a part of it is wrong', () => {
    let refused = 0
    for (const schema of answers.keys())
      fc.assert(
        fc.property(valuesOf(schema, 20), (value) => {
          if (!expectSameAsZod(schema, value)) refused += 1
        }),
        { numRuns: 40 },
      )
    expect(refused).toBeGreaterThan(500)
  })
})
