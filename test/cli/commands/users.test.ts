import { afterAll, beforeAll, expect, it } from 'vitest'
import { startSession } from '../../../src/core/access/sessions.ts'
import { begin } from '../../../src/db/client.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'
import { openShell } from '../shell.ts'

const OWNER = 'owner@demo.example'

let testApp: TestApp
let kusanya: ReturnType<typeof openShell>

beforeAll(async () => {
  testApp = await buildTestApp()
  const { DATABASE_URL, DATA_DIR } = testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR, LOG_LEVEL: 'silent' })
})
afterAll(() => testApp.close())

async function openSessions(): Promise<number> {
  const [row] = await testApp.db<{ count: number }[]>`select count(*) from sessions`
  return row!.count
}

async function signInSomewhere() {
  const [owner] = await testApp.db<{ id: number }[]>`select id from users where email = ${OWNER}`
  const session = { user: owner!.id, complete: true, address: '192.0.2.7', user_agent: 'a browser' }
  await begin(testApp.db, (tx) => startSession(tx, new Date(), session))
}

it('removes the second factor of a user, and ends the sessions', async () => {
  expect((await kusanya(['users', 'second-factor', OWNER])).out).toBe(`${OWNER} signs in with the password alone.`)
  await testApp.db`update users set totp_secret = 'sealed', totp_confirmed = created where email = ${OWNER}`
  await signInSomewhere()
  expect((await kusanya(['users', 'second-factor', OWNER])).out).toBe(`${OWNER} signs in with a second factor.`)
  const removed = await kusanya(['users', 'second-factor', OWNER, '--remove', '--json'])
  expect(JSON.parse(removed.out)).toEqual({ email: OWNER, second_factor: false })
  expect(await openSessions()).toBe(0)
  expect(await kusanya(['users', 'second-factor', 'nobody@demo.example'])).toMatchObject({
    err: expect.stringContaining('There is no user with the address nobody@demo.example.'),
  })
})

it('ends the sessions of a user whose password is set', async () => {
  await signInSomewhere()
  await kusanya(['users', 'password', OWNER, '--generate'])
  expect(await openSessions()).toBe(0)
})

it('records the actions of an operator in the audit log of the organization, with the words of the console', async () => {
  for (const command of [
    `keys create --name till --user ${OWNER}`,
    'fees set --kind collection --currency BXC --percent 1.5',
    'organizations approval set BXC 5000',
    'organizations acceptance-url set https://shop.example/ask',
    `users permissions ${OWNER} --permissions view,manage_organization`,
  ])
    expect(await kusanya(`${command} -o ${testApp.organization}`.split(' '))).toMatchObject({ code: 0 })
  const rows = await testApp.db`
    select action, "user", details from audit_log where organization = ${testApp.organization} order by id`
  expect(rows.map((row) => row.action)).toEqual([
    'reset second factor',
    'set password',
    'create key',
    'set fee',
    'set approval',
    'set collection hook',
    'change permissions',
  ])
  expect(rows[4]).toMatchObject({ user: null, details: { by: 'an operator', currency: 'BXC', threshold: '5000.0000' } })
})
