import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, eventually, type TestApp } from '../../../test-app.ts'
import { openShell } from '../../shell.ts'

let testApp: TestApp
let kusanya: ReturnType<typeof openShell>

beforeAll(async () => {
  testApp = await buildTestApp()
  await testApp.startService()
  const { DATABASE_URL, DATA_DIR } = testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR })
})
afterAll(() => testApp.close())

describe('payments import', () => {
  it('checks a file first, and starts it only with --yes and all rows decided', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'kusanya-import-')), 'wages.csv')
    await writeFile(file, 'phone,name,amount,currency\n+80000000031,Ann,11,BXC\n+80000000032,Joe,"1,1000",BXC\n')
    const run = (...more: string[]) => kusanya(['payments', 'import', file, '--description', 'Wages', ...more])
    const checked = await run()
    expect(checked.out).toContain('wages.csv: 2 rows, 1 cannot be paid, 0 may be paid twice.')
    expect(checked.out).toContain('row 3, Amount: ')
    expect(checked.out).toContain('Nothing was started.')
    const refused = await run('--yes')
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('Nothing was started.') })
    expect((await kusanya(['payments', 'imports'])).out).toBe('There are no files of payments.')
    const started = await run('--yes', '--skip-wrong')
    expect(started.out).toMatch(/^Bulk payment \d+ is started: 1 rows, BXC 11/)
    await eventually('the payment', async () => {
      testApp.app.wake()
      return /created/.test((await kusanya(['payments', 'imports', '--json'])).out) || undefined
    })
    // The same file again would pay twice.
    expect((await run('--yes', '--skip-wrong')).err).toContain('Rows that may be paid twice: 1.')
    await rm(dirname(file), { recursive: true })
  })
})
