import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../test-app.ts'
import { openShell } from './shell.ts'

let testApp: TestApp
let kusanya: ReturnType<typeof openShell>

beforeAll(async () => {
  testApp = await buildTestApp()
  const { DATABASE_URL, DATA_DIR } = testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR })
})
afterAll(() => testApp.close())

describe('the old name of a command', () => {
  it.each([
    ['texts list', 'sms list'],
    ['organizations hook show', 'organizations acceptance-url show'],
    ['organizations hook questions', 'organizations acceptance-url checks'],
  ])('still works: %s', async (old_name, name) => {
    const result = await kusanya(old_name.split(' '))
    expect(result).toMatchObject({ code: 0, err: '' })
    expect(result).toEqual(await kusanya(name.split(' ')))
  })

  it.each([
    ['--help', 'texts'],
    ['sms --help', 'texts'],
    ['organizations --help', 'hook'],
    ['organizations acceptance-url --help', 'questions'],
    ['fees set --help', '--least'],
    ['fees set --help', '--most'],
  ])('is not in the help: %s', async (command, old_name) => {
    const { out } = await kusanya(command.split(' '))
    expect(out).toContain('Usage: kusanya')
    expect(out).not.toContain(old_name)
  })
})

describe('the old names of the limits of a fee', () => {
  const set = async (...limits: string[]) => {
    const { out } = await kusanya([...'fees set --kind payment --currency UGX --json'.split(' '), ...limits])
    return JSON.parse(out)
  }

  it('still work: --least and --most', async () => {
    expect(await set('--least', '2', '--most', '9')).toMatchObject({ min_fee: '2.0000', max_fee: '9.0000' })
    expect(await set('--min', '3', '--max', '8')).toMatchObject({ min_fee: '3.0000', max_fee: '8.0000' })
  })
})
