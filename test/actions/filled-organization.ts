import type { List } from '../../src/actions/lists/list.ts'
import { operatorFor, runAction } from '../../src/actions/run.ts'
import { actions } from '../../src/actions/table.ts'
import { allPermissions } from '../../src/core/access/api-keys.ts'
import { findUser, isOnlyOrganization } from '../../src/core/access/organizations.ts'
import { Refusal } from '../../src/core/refusals.ts'
import { setConsents } from '../../src/core/sms/consents.ts'
import { begin, type Database } from '../../src/db/client.ts'
import type { TestApp } from '../test-app.ts'
import { samples } from './samples.ts'

/* An organization in which everything was done that actions can do. */

export type Door = 'API' | 'console'

/**
 * Perform each action twice, and make what no action leaves, so that all lists of the demo organization have
 * rows. Beside another organization the operator performs each once.
 * @returns the names of actions that were refused, because beside another organization they belong to the operator
 */
export async function fillOrganization(testApp: TestApp): Promise<ReadonlySet<string>> {
  const { organization } = testApp
  const { id, name } = (await findUser(testApp.db, 'owner@demo.example'))!
  const manager = { organization, user: id, name, permissions: new Set(allPermissions), confirm: async () => {} }
  const operator = operatorFor(organization, { id, email: 'owner@demo.example' })
  // No list shows what users change in their own accounts, and the operator's work needs no rows of lists.
  const concerned = actions.filter(({ permission }) => !['self', 'operator', 'anyone'].includes(permission))
  const refused = new Set<string>()
  const is_alone = await isOnlyOrganization(testApp.db, organization)
  for (const action of concerned)
    for (const actor of action.second_person || !is_alone ? [operator] : [manager, operator]) {
      const { prepare, input } = samples[action.name]!
      const made = { ...input, ...(await begin(testApp.db, async (tx) => prepare?.(tx, testApp))) }
      const done = runAction(testApp.app, actor, action, action.input.parse(made))
      await done.catch((error: unknown) => {
        if (is_alone || !(error instanceof Refusal)) throw error
        refused.add(action.name)
      })
    }
  await begin(testApp.db, async (tx) => {
    await tx`insert into contact_tags (organization, contact, tag) select organization, id, 'P5' from contacts`
    const consent = { organization, word: null, connection: null, by: name, at: testApp.clock.now() }
    const states = ['withdrawn', 'given'] as const
    await setConsents(
      tx,
      states.map((state, index) => ({ ...consent, state, phonenumber: `+25677200000${index}` })),
    )
  })
  await testApp.db`analyze`
  return refused
}

/** An object for each list that belongs to one. */
export async function findObjects(db: Database): Promise<Record<string, number>> {
  const [found] = await db<Record<string, number>[]>`
    select (select max(collection_request) from request_actions) as collectionrequests,
      (select min(id) from accounts where kind = 'local') as wallets, (select max(id) from payments) as payments,
      (select max(id) from bulk_payments) as "bulk-payments", (select max(id) from reconciliation_runs) as reconciliations`
  return found!
}

/** Return the addresses of a list, by door. */
export function addressesOf({ api, console: page }: List, objects: Record<string, number>): [Door, string][] {
  const fill = (path: string) => path.replace(':id', () => String(objects[path.split('/')[1]!] ?? 0))
  return [
    ...(api ? ([['API', `/api${fill(api.path)}`]] as [Door, string][]) : []),
    ...(page ? ([['console', fill(page.path)]] as [Door, string][]) : []),
  ]
}
