import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../../test-app.ts'
import { openShell } from '../../shell.ts'

let testApp: TestApp
let kusanya: ReturnType<typeof openShell>

beforeAll(async () => {
  testApp = await buildTestApp()
  const { DATABASE_URL, DATA_DIR } = testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR })
  await kusanya(['keys', 'create', '--name', 'till'])
  await kusanya(['organizations', 'approval', 'set', 'UGX', '1000'])
})
afterAll(() => testApp.close())

describe('the command audit', () => {
  it('lists the newest entries first', async () => {
    const { out } = await kusanya(['audit', 'list'])
    expect(out.split('\n')[1]).toMatch(/an operator .*set approval/)
    const { out: json } = await kusanya(['audit', 'list', '--action', 'create key', '--json'])
    expect(JSON.parse(json)).toMatchObject([{ action: 'create key', object_type: 'key', key: null }])
  })

  it('exports all entries with their places in the chain', async () => {
    const file = join(testApp.app.config.DATA_DIR, 'audit.jsonl')
    expect(await kusanya(['audit', 'export', file])).toEqual({ code: 0, err: '', out: `2 entries written to ${file}.` })
    const lines = (await readFile(file, 'utf8')).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { position: 1, action: 'create key', digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { position: 2, action: 'set approval' },
    ])
  })

  it('verifies the log, also against a head that was kept', async () => {
    const { out: head } = await kusanya(['audit', 'head'])
    expect(await kusanya(['audit', 'verify', '--head', head])).toEqual({
      code: 0,
      err: '',
      out: `The audit log is complete: 2 entries, head ${head}`,
    })
    const other = await kusanya(['audit', 'verify', '--head', `2:${'ab'.repeat(32)}`])
    expect(other).toMatchObject({ code: 1, out: expect.stringContaining('another entry at position 2') })
    expect(await kusanya(['audit', 'verify', '--head', 'nonsense'])).toMatchObject({ code: 1 })
  })

  it('has what operators do to wallets and contacts, and to the installation', async () => {
    const account = JSON.parse((await kusanya(['accounts', 'create', 'UGX', '--json'])).out).id
    await kusanya(['accounts', 'fund', String(account), '500'])
    await kusanya(['accounts', 'receiver', String(account), 'nowhere', '1'])
    await kusanya(['currencies', 'set-rate', 'UGX=3500'])
    await kusanya(['maintenance', 'on'])
    await kusanya(['maintenance', 'off'])
    const actions = async (...options: string[]) =>
      JSON.parse((await kusanya(['audit', 'list', '--json', ...options])).out).map(
        (row: { action: string }) => row.action,
      )
    expect((await actions()).slice(0, 2)).toEqual(['fund account', 'create account'])
    expect(await actions('--installation')).toEqual(['end maintenance', 'begin maintenance', 'set exchange rates'])
  })

  it('names the first entry that was changed, and so does doctor', async () => {
    await testApp.db.unsafe(
      "alter table audit_log disable trigger user; update audit_log set details = '{}'; alter table audit_log enable trigger user",
    )
    const verified = await kusanya(['audit', 'verify'])
    expect(verified).toMatchObject({ code: 1, out: expect.stringMatching(/^Entry 1 .*\(position 1\)\.$/) })
    const doctor = await kusanya(['doctor'])
    expect(doctor).toMatchObject({ code: 1, out: expect.stringContaining(`✗ the audit log\n    ${verified.out}`) })
  })
})
