import { afterAll, beforeAll, expect, it } from 'vitest'
import { SECOND_FACTOR_PURPOSE } from '../../../src/core/access/second-factors.ts'
import { startSession } from '../../../src/core/access/sessions.ts'
import { countAttempt, passwordSubject } from '../../../src/core/access/sign-in-attempts.ts'
import { begin } from '../../../src/db/client.ts'
import { encrypt } from '../../../src/lib/secrets.ts'
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

/** The entries of the organization's audit log with this action. */
async function recorded(action: string) {
  return [
    ...(await testApp.db`
      select "user", object_type, details from audit_log
      where organization = ${testApp.organization} and action = ${action} order by id`),
  ]
}

async function signInSomewhere() {
  const [owner] = await testApp.db<{ id: number }[]>`select id from users where email = ${OWNER}`
  const session = { user: owner!.id, complete: true, address: '192.0.2.7', user_agent: 'a browser' }
  await begin(testApp.db, (tx) => startSession(tx, new Date(), session))
}

it('removes the second factor of a user, and ends the sessions', async () => {
  expect((await kusanya(['users', 'second-factor', OWNER])).out).toBe(`${OWNER} signs in with the password alone.`)
  const sealed = encrypt(testApp.app.deriveSecret(SECOND_FACTOR_PURPOSE), 'JBSWY3DPEHPK3PXP')
  await testApp.db`update users set totp_secret = ${sealed}, totp_confirmed = created where email = ${OWNER}`
  await signInSomewhere()
  await testApp.db`
    insert into passkeys ("user", credential_id, public_key, counter, transports, domain, name, synced, created)
    select id, '\\x01', '\\x01', 0, '{}', 'localhost', 'Phone', false, created from users where email = ${OWNER}`
  await testApp.db`insert into recovery_codes select id, '\\x01' from users where email = ${OWNER}`
  expect((await kusanya(['users', 'second-factor', OWNER])).out).toBe(
    `${OWNER} signs in with a second factor: an authenticator app and 1 passkey, with 1 recovery code.`,
  )
  const removed = await kusanya(['users', 'second-factor', OWNER, '--remove', '--json'])
  expect(JSON.parse(removed.out)).toEqual({ email: OWNER, second_factor: false })
  expect(await recorded('reset second factor')).toMatchObject([
    { user: null, object_type: 'user', details: { by: 'an operator', email: OWNER, app: true, passkeys: 1 } },
  ])
  expect(await testApp.db`select 1 from passkeys union all select 1 from recovery_codes`).toHaveLength(0)
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

it('lets a user sign in at once after too many wrong passwords', async () => {
  const attempt = { subject: passwordSubject(OWNER), from: { address: '192.0.2.7' } }
  const tryOnce = () => begin(testApp.db, (tx) => countAttempt(tx, new Date(), attempt))
  const exhaust = async () => {
    for (let tries = 0; tries < 5; tries += 1) await tryOnce()
    await expect(tryOnce()).rejects.toThrow('throttled')
  }
  await exhaust()
  expect((await kusanya(['users', 'unlock', OWNER])).out).toBe(`${OWNER} can sign in at once.`)
  expect(await recorded('unlock sign-in')).toHaveLength(1)
  await exhaust()
  await kusanya(['users', 'password', OWNER, '--generate'])
  await exhaust()
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
    select action, "user", details from audit_log
    where organization = ${testApp.organization} and action <> 'unlock sign-in' order by id`
  expect(rows.map((row) => row.action)).toEqual([
    'reset second factor',
    'set password',
    'set password',
    'create key',
    'set fee',
    'set approval',
    'set collection hook',
    'change permissions',
  ])
  expect(rows[5]).toMatchObject({ user: null, details: { by: 'an operator', currency: 'BXC', threshold: '5000.0000' } })
})

it('revokes the keys of a user whose password is set, if asked', async () => {
  const { id: user } = (await testApp.db<{ id: number }[]>`select id from users where email = ${OWNER}`)[0]!
  const active = () => testApp.db`select name from api_keys where "user" = ${user} and revoked is null`
  const before = (await active()).length
  await kusanya(['users', 'password', OWNER, '--generate'])
  expect(await active()).toHaveLength(before)
  const { out } = await kusanya(['users', 'password', OWNER, '--generate', '--end-keys'])
  expect(out).toContain(`Revoked ${before} API key`)
  expect(await active()).toEqual([])
  const revoked = await recorded('revoke key')
  expect(revoked).toHaveLength(before)
  expect(revoked).toContainEqual({
    user: null,
    object_type: 'key',
    details: { by: 'an operator', name: 'till' },
  })
})

it('creates users by role, and changes the roles of an organization', async () => {
  const create = ['users', 'create', '--name', 'Joy', '--email', 'joy@shop.example']
  expect((await kusanya([...create, '--role', 'king'])).err).toContain('There is no role king')
  expect((await kusanya([...create, '--role', 'viewer', '--permissions', 'all'])).code).not.toBe(0)
  expect((await kusanya([...create, '--role', 'support'])).code).toBe(0)
  const set = ['users', 'roles', 'set', 'Till', '--permissions', 'view,pay_bills']
  expect((await kusanya(set)).out).toContain('The role Till of Demo Shop has the permissions: view, pay_bills.')
  await kusanya(['users', 'permissions', 'joy@shop.example', '--role', 'till'])
  const list = async () => JSON.parse((await kusanya(['users', 'list', '--json'])).out)
  const joy = (rows: { email: string }[]) => rows.find(({ email }) => email === 'joy@shop.example')
  expect(joy(await list())).toMatchObject({ role: 'Till', permissions: ['view', 'pay_bills'], last_sign_in: null })
  await kusanya([
    'users',
    'roles',
    'set',
    'Till',
    '--permissions',
    'view,pay_bills,manage_contacts',
    '--rename',
    'Desk',
  ])
  expect(joy(await list())).toMatchObject({ role: 'Desk', permissions: ['view', 'pay_bills', 'manage_contacts'] })
  expect((await kusanya(['users', 'roles', 'list'])).out).toMatch(/Desk +yes/)
  expect((await kusanya(['users', 'roles', 'delete', 'Desk'])).code).toBe(0)
  expect(joy(await list())).toMatchObject({ role: null, permissions: ['view', 'pay_bills', 'manage_contacts'] })
  expect(await recorded('delete role')).toMatchObject([{ details: { by: 'an operator', role: 'Desk' } }])
})
