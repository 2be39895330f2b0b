import { prepareDemo } from '../../src/cli/service/demo.ts'
import { allPermissions, type Permission } from '../../src/core/access/api-keys.ts'
import { createOrganization, createUser, setMembership, setPassword } from '../../src/core/access/organizations.ts'
import { begin } from '../../src/db/client.ts'
import { PASSWORD, PASSWORD_HASH } from '../password.ts'
import { buildTestApp, type TestApp } from '../test-app.ts'
import { openBrowser } from './browser.ts'

/** The demo shop with three signed-in users: its owner, a user who may only view, and the owner of another shop. */
export interface Shop {
  testApp: TestApp
  url: string
  owner: ReturnType<typeof openBrowser>
  viewer: ReturnType<typeof openBrowser>
  otherOwner: ReturnType<typeof openBrowser>
  /** The actions in the audit log of the shop, oldest first. */
  audit(): Promise<string[]>
}

export async function openShop(settings: Record<string, string> = {}): Promise<Shop> {
  const testApp = await buildTestApp({ settings: { SANDBOX_PASSWORD: PASSWORD, ...settings } })
  await prepareDemo(testApp.app)
  const { url } = await testApp.startService()
  const now = testApp.clock.now()
  const other = await begin(testApp.db, (tx) => createOrganization(tx, now, 'Other Shop'))
  await addPerson(testApp, { email: 'viewer@shop.example', organization: testApp.organization, permissions: ['view'] })
  await addPerson(testApp, { email: 'owner@other.example', organization: other.id, permissions: allPermissions })
  const [owner, viewer, otherOwner] = ['owner@demo.example', 'viewer@shop.example', 'owner@other.example'].map(() =>
    openBrowser(url),
  ) as [Shop['owner'], Shop['viewer'], Shop['otherOwner']]
  await owner.signIn('owner@demo.example', PASSWORD)
  await viewer.signIn('viewer@shop.example', PASSWORD)
  await otherOwner.signIn('owner@other.example', PASSWORD)
  return {
    testApp,
    url,
    owner,
    viewer,
    otherOwner,
    audit: async () =>
      (await testApp.db`select action from audit_log where organization = ${testApp.organization} order by id`)
        .map((row) => row.action as string)
        .filter((action) => action !== 'sign in'),
  }
}

/** Create a user who can sign in with `PASSWORD`. */
export async function addPerson(
  testApp: TestApp,
  person: { email: string; organization: number; permissions: readonly Permission[] },
): Promise<number> {
  const { email, organization, permissions } = person
  const hash = PASSWORD_HASH
  return begin(testApp.db, async (tx) => {
    const user = await createUser(tx, testApp.clock.now(), { name: email.split('@', 1)[0]!, email })
    await setPassword(tx, user.id, hash)
    await setMembership(tx, testApp.clock.now(), { organization, user: user.id, permissions })
    return user.id
  })
}
