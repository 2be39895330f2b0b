import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCell } from '../../../interface/test-cell.ts'
import type { TestService } from '../../../interface/test-service.ts'
import { openShell } from '../../shell.ts'

let cell: TestService
let kusanya: ReturnType<typeof openShell>
const settings = {
  CELLS: '{"0":"http://127.0.0.1:1","3":"http://127.0.0.1:2"}',
  CELLS_SECRET: 'the secret of all cells, with 32 characters',
}
beforeAll(async () => {
  cell = await openCell(3, settings)
  const { DATABASE_URL, DATA_DIR } = cell.testApp.app.config
  kusanya = openShell({ ...settings, CELL: '3', DATABASE_URL: DATABASE_URL!, DATA_DIR })
})
afterAll(() => cell?.close())

describe('the commands of a cell', () => {
  it('list all cells with their load, also one that is away', async () => {
    await cell.createRequest()
    const { code, out } = await kusanya(['cells', 'list', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject([
      { cell: 0, organizations: null, problem: 'It does not answer.' },
      { cell: 3, address: 'http://127.0.0.1:2', organizations: 2, users: 2, problem: null },
    ])
  })

  it('create an organization only in the cell that was meant', async () => {
    const made = await kusanya(['organizations', 'create', 'Mama Grace Shop', '--cell', '3', '--json'])
    expect(JSON.parse(made.out).id).toBeGreaterThan(30_000_000_000_000)
    const refused = await kusanya(['organizations', 'create', 'Mama Grace Shop', '--cell', '0'])
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toContain('This is cell 3. Run the command with the settings of cell 0, at http://127.0.0.1:1.')
    expect((await kusanya(['organizations', 'create', 'Mama Grace Shop', '--cell', '900'])).code).toBe(1)
  })

  it('refuse the database of another cell', async () => {
    const { DATABASE_URL, DATA_DIR } = cell.testApp.app.config
    const other = openShell({ CELL: '0', DATABASE_URL: DATABASE_URL!, DATA_DIR })
    const { code, err } = await other(['organizations', 'list'])
    expect(code).toBe(1)
    expect(err).toContain('The database belongs to cell 3, and CELL is 0. Set CELL=3')
    const doctor = await other(['doctor', '--only', 'database', '--json'])
    expect(doctor.out).toContain('The database belongs to cell 3')
  })
})
