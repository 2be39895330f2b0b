import { afterAll, beforeAll, expect, it } from 'vitest'
import { readChainHead } from '../../../../src/core/access/audit-chain.ts'
import { readConsistencyFindings } from '../../../../src/core/consistency.ts'
import { checkConsistency } from '../../../../src/jobs/check-consistency.ts'
import { buildTestApp, type TestApp } from '../../../test-app.ts'
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

it('finds nothing wrong with sound data, while the service runs', async () => {
  const { code, out } = await kusanya(['doctor'])
  expect(out.split('\n')).toEqual([
    '✓ the settings',
    '✓ the migrations',
    expect.stringMatching(/^! fsync of PostgreSQL is off\./),
    expect.stringMatching(/^ {4}→ Set fsync = on/),
    expect.stringMatching(/^! full_page_writes of PostgreSQL is off\./),
    expect.stringMatching(/^ {4}→ Set full_page_writes = on/),
    '✓ the role of the service',
    '✓ the clocks',
    '? The disk of the database cannot be seen from here: watch it on its machine.',
    '✓ the backups',
    '✓ the replication',
    '✓ stored secrets',
    '✓ the certificates',
    '✓ the connections',
    '✓ floats',
    '✓ sending',
    '✓ the jobs',
    '✓ the webhooks',
    '✓ the retention',
    '✓ the books',
    '✓ money on hold',
    '✓ money at the operator',
    '✓ paid requests',
    '✓ paid orders',
    '✓ counts of requests',
    '✓ the audit log',
    '✓ callbacks',
    '✓ unassigned money',
    '✓ late payouts',
    '✓ attested orders',
  ])
  expect(code).toBe(0)
})

it('names the faults and ends with 1; the nightly check logs the same and counts it for the metrics', async () => {
  const { db, app, organization, clock } = testApp
  // The service checks its data when it starts.
  await expect.poll(() => readConsistencyFindings(db)).toBe(0)
  await db`update accounts set balance = balance + 5 where organization = ${organization} and currency = 'BXC' and kind = 'held'`
  await db`insert into collection_request_counts (organization, status, count) values (${organization}, 'failed', 3)`
  const { code, out, err } = await kusanya(['doctor'])
  expect(code).toBe(1)
  expect(err).toContain('4 things are wrong.')
  expect(out).toContain(`All BXC accounts of organization ${organization} together hold 5 instead of zero.`)
  expect(out).toContain(`Organization ${organization} has 0 requests that are failed, and 3 are counted.`)
  expect(out).toContain(`Organization ${organization} has BXC 5 on hold`)
  const json = await kusanya(['doctor', '--only', 'data', '--json'])
  const listed = JSON.parse(json.out)
  expect(listed).toHaveLength(4)
  expect(listed[0]).toMatchObject({ check: 'the books', name: 'data', level: 'error' })
  expect(listed[0].what_to_do).toContain('`npx kusanya sending hold`')

  clock.advance(24 * 3_600)
  const logged: unknown[] = []
  const informed: { event: string }[] = []
  const job = checkConsistency({
    ...app,
    log: Object.assign(app.log, {
      error: (entry: unknown) => logged.push(entry),
      info: (entry: { event: string }) => informed.push(entry),
    }),
  })
  const rows = await job.claim(1)
  // The service's own job may have been quicker.
  if (rows.length > 0) await job.run(rows)
  await expect.poll(() => logged.length).toBe(4)
  expect(logged[0]).toMatchObject({ event: 'consistency_check_failed', finding: expect.stringContaining('holds 5,') })
  expect(await readConsistencyFindings(db)).toBe(4)
  const head = { event: 'audit_head_noted', ...(await readChainHead(db)) }
  await expect.poll(() => informed.filter(({ event }) => event === head.event)).toEqual([head])
  expect(await job.claim(1)).toEqual([])
  const metrics = await (await fetch(`${app.address.local}/metrics`)).text()
  expect(metrics).toContain('kusanya_consistency_findings 4')

  await db`update accounts set balance = balance - 5 where organization = ${organization} and currency = 'BXC' and kind = 'held'`
  await db`delete from collection_request_counts`
})

it('warns of a role that owns the tables, or has other rights than it needs', async () => {
  const as_owner = await kusanya(['doctor'], {
    environment: { DATABASE_URL: testApp.app.config.MIGRATION_DATABASE_URL! },
  })
  expect(as_owner.out).toMatch(/^! The role kusanya of DATABASE_URL owns \d+ tables/m)
  await testApp.db`grant update on transfers to kusanya_service`
  const { out } = await kusanya(['doctor'])
  expect(out).toMatch(/^! The role kusanya_service .* has other rights than the service needs on transfers\./m)
})

it('makes only the named checks, and lists them for an unknown name', async () => {
  const { code, out } = await kusanya(['doctor', '--only', 'settings', 'clock'])
  expect([code, out]).toEqual([0, '✓ the settings\n✓ the clocks'])
  const unknown = await kusanya(['doctor', '--only', 'weather'])
  expect(unknown.code).toBe(1)
  expect(unknown.err).toContain('Allowed choices are settings, migrations')
})

it('says that checks could not be made, and is not content, without a database and with a wrong setting', async () => {
  const nowhere = { DATABASE_URL: 'postgres://kusanya@127.0.0.1:1/kusanya' }
  const away = await kusanya(['doctor', '--only', 'clock', 'jobs'], { environment: nowhere })
  expect(away.code).toBe(1)
  expect(away.out).toMatch(/^✗ the database\n {4}The database cannot be reached .*\n {4}→ Start PostgreSQL/)
  expect(away.out).toContain('? the jobs\n    This check could not be made. There is no database.')
  expect(away.err).toContain('One thing is wrong. 2 checks could not be made.')
  const wrong = await kusanya(['doctor', '--json'], { environment: { PORT: 'many' } })
  expect(wrong.code).toBe(1)
  const [first, second] = JSON.parse(wrong.out)
  expect(first).toMatchObject({ name: 'settings', level: 'error', finding: expect.stringContaining('PORT=many') })
  expect(second).toMatchObject({ name: 'migrations', level: 'not_made' })
})
