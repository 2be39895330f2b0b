import { afterAll, beforeAll, expect, it } from 'vitest'
import { operator, runAction } from '../../../../src/actions/run.ts'
import { setPasswordAction } from '../../../../src/core/access/account/user-actions.ts'
import { allPermissions, createKey, findKey } from '../../../../src/core/access/api-keys.ts'
import { createOrganization, setMembership } from '../../../../src/core/access/organizations.ts'
import { begin } from '../../../../src/db/client.ts'
import { addPerson } from '../../../console/shop.ts'
import { buildTestApp, type TestApp } from '../../../test-app.ts'

let testApp: TestApp
beforeAll(async () => {
  testApp = await buildTestApp()
})
afterAll(() => testApp.close())

it('A new password ends the keys of the user on demand, and each organization of the user reads it', async () => {
  const { app, db, clock, organization } = testApp
  const email = 'leaver@shop.example'
  const user = await addPerson(testApp, { email, organization, permissions: allPermissions })
  const [other, key] = await begin(db, async (tx) => {
    const { id } = await createOrganization(tx, clock.now(), 'Other Shop')
    await setMembership(tx, clock.now(), { organization: id, user, permissions: ['view'] })
    const { row } = await createKey(tx, clock.now(), { organization, user, name: 'Webshop', max_keys: 10 })
    return [id, row.id]
  })

  await runAction(app, operator(null), setPasswordAction, { email, password_hash: 'kept', end_keys: false })
  expect(await findKey(db, key)).toMatchObject({ revoked: null })
  await runAction(app, operator(null), setPasswordAction, { email, password_hash: 'other', end_keys: true })
  expect(await findKey(db, key)).toMatchObject({ revoked: expect.any(Date) })
  const entries = await db<object[]>`select organization, action, object from audit_log order by id`
  const set = [organization, other].map((one) => ({ organization: one, action: 'set password', object: user }))
  expect(entries).toEqual([...set, ...set, { organization, action: 'revoke key', object: key }])
})
