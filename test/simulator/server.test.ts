import { expect, it } from 'vitest'
import type { Database } from '../../src/db/client.ts'
import { defineDoor } from '../../src/simulator/doors/door.ts'
import { createFaults } from '../../src/simulator/faults.ts'
import { createSimulatorServer } from '../../src/simulator/server.ts'
import type { World } from '../../src/simulator/world/world.ts'

/** A server with three doors, one of which fails to add its routes. None of them uses the database. */
async function open() {
  const added: string[] = []
  const errors: unknown[] = []
  const doors = ['one', 'other', 'broken'].map((code) =>
    defineDoor({
      code,
      name: code,
      hosts: {},
      credentials: [],
      numbers: [],
      switches: {},
      callbacks: () => [],
      routes(server) {
        added.push(code)
        if (code === 'broken') throw new Error('No routes.')
        server.get('/name', { config: { verb: 'name' } }, async () => ({ code }))
      },
    }),
  )
  const calls = new Map<string, Map<string, number>>()
  const server = createSimulatorServer({
    db: {} as Database,
    now: () => new Date(),
    doors,
    calls,
    faults: createFaults(),
    worldOf: () => ({}) as World,
    addMore: (root) => void root.get('/', async () => 'people'),
    onError: (error) => errors.push(error),
  })
  const base = await server.listen({ host: '127.0.0.1', port: 0 })
  return { server, base, added, errors, calls }
}

it('makes the routes of a door for its first call, once', async () => {
  const { server, base, added, calls } = await open()
  try {
    expect(added).toEqual([])
    const answers = await Promise.all(['one', 'one', 'other'].map((code) => fetch(`${base}/${code}/name?a=1`)))
    expect(await Promise.all(answers.map((answer) => answer.json()))).toMatchObject([
      { code: 'one' },
      { code: 'one' },
      { code: 'other' },
    ])
    expect(added.toSorted()).toEqual(['one', 'other'])
    expect(calls.get('one')).toEqual(new Map([['name', 2]]))
    expect(await (await fetch(base)).text()).toBe('people')
    for (const path of ['/nothing', '/one/nothing', '/one-more/name'])
      expect((await fetch(base + path)).status).toBe(404)
  } finally {
    await server.close()
  }
})

it('ends a call to a door that cannot be opened, and reports the error', async () => {
  const { server, base, errors } = await open()
  await expect(fetch(`${base}/broken/name`)).rejects.toThrow()
  expect(errors).toMatchObject([{ message: 'No routes.' }])
  await server.close()
})

it('keeps the connections of its callers as long as their pools do', async () => {
  const { server } = await open()
  expect(server.server.keepAliveTimeout).toBeGreaterThan(60_000)
  await server.close()
})
