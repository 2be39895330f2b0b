import { prepareDemo } from '../../../src/cli/service/demo.ts'
import type { Permission } from '../../../src/core/access/api-keys.ts'
import { createUser, setMembership, setPassword } from '../../../src/core/access/organizations.ts'
import { begin } from '../../../src/db/client.ts'
import { PASSWORD, PASSWORD_HASH } from '../../password.ts'
import { buildTestApp, type TestApp, type TestAppOptions } from '../../test-app.ts'
import { openBrowser } from '../browser.ts'

/** A service with people who sign in, each from their own address. */
export interface SignInService {
  testApp: TestApp
  url: string
  /** The origin at which passkeys work here. */
  origin: string
  /** Create a user of the demo shop. @returns the id */
  addPerson(email: string, permissions?: Permission[]): Promise<number>
  /** A browser without cookies at this address. */
  openAt(address: string): ReturnType<typeof openBrowser>
  /** The entries of the audit log with one of these actions, oldest first. */
  audit(...actions: string[]): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

export async function openSignInService(options: TestAppOptions = {}): Promise<SignInService> {
  const settings = { SANDBOX_PASSWORD: PASSWORD, TRUST_PROXY: 'on', ...options.settings }
  const testApp = await buildTestApp({ ...options, settings })
  await prepareDemo(testApp.app)
  const { url } = await testApp.startService({ jobs: false })
  const password_hash = PASSWORD_HASH
  return {
    testApp,
    url,
    origin: url.replace('127.0.0.1', 'localhost'),
    addPerson: (email, permissions = ['view']) =>
      begin(testApp.db, async (tx) => {
        const now = testApp.clock.now()
        const user = await createUser(tx, now, { name: email.split('@')[0]!, email })
        await setPassword(tx, user.id, password_hash)
        await setMembership(tx, now, { organization: testApp.organization, user: user.id, permissions })
        return user.id
      }),
    openAt: (address) => openBrowser(url, { 'x-forwarded-for': address }),
    audit: async (...actions) => [
      ...(await testApp.db`
        select organization, "user", action, object, details, address from audit_log
        where action = any(${actions}::text[]) order by id`),
    ],
    close: () => testApp.close(),
  }
}
