import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApiClient, eventually } from '../../test-app.ts'
import { openProgramRunner, type ProgramRunner } from '../program-runner.ts'

/* The program as a real process, from its start on an empty folder to its end. */

let runner: ProgramRunner

beforeAll(async () => {
  runner = await openProgramRunner()
})
afterAll(() => runner.close())

it('starts on an empty folder, collects with the key that it prints, and stops at Ctrl-C with its PostgreSQL', async () => {
  const service = await runner.start({ settings: { READS_PER_MINUTE: '100000' } })
  const key = /API key +(\S+)/.exec(service.output())![1]!
  const api = createApiClient(service.url, key)
  const request = { phonenumber: '+80000000004', amount: '20', currency: 'BXC', send_instructions: true }
  const { status, body } = await api.post('/api/collectionrequests', request)
  expect(status).toBe(201)
  await eventually(
    'the money of the request',
    async () => (await api.get(`/api/collectionrequests/${body.id}`)).body.status === 'successful' || undefined,
    90_000,
  )
  service.child.kill('SIGINT')
  await service.ended
  expect([service.child.exitCode, service.errors()]).toEqual([0, ''])
  await expect(readFile(runner.postmasterFile)).rejects.toThrow('ENOENT')
})
