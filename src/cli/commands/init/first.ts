import { linkUrl } from '../../../actions/link-delivery.ts'
import { operator, runAction } from '../../../actions/run.ts'
import type { App } from '../../../app.ts'
import { sendPasswordLinkAction } from '../../../core/access/actions.ts'
import { listMembers, listOrganizations, type Organization, type User } from '../../../core/access/organizations.ts'
import { hasPassword } from '../../../core/access/passwords.ts'
import { createOrganizationAction } from '../../../core/approvals/changes/user-actions.ts'
import { listAccounts } from '../../../core/ledger/accounts.ts'
import { prepareDemo } from '../../service/demo.ts'
import { firstPlace } from '../../service/first-organization.ts'
import type { FirstAnswers } from './answers.ts'

/** Present state of the first organization, with the data that its manager needs. */
export interface MadeOrganization {
  organization: Organization
  /** Null for an organization without users. */
  manager: User | null
  /** Link for the manager to choose a password; null once it is chosen. */
  link: string | null
  /** The generated password; only in the sandbox. */
  password: string | null
  /** API key of the sandbox. In live mode keys are made when they are needed. */
  api_key: string | null
  /** The id of its first wallet. */
  account: number | null
  /** The address of the service on this machine. */
  address: string
}

/**
 * Create or find the first organization. After a crash, a repeated call continues. Each part is one transaction.
 * @param first the answers; null for the sandbox's demo organization, and if an organization exists
 */
export async function makeFirst(app: App, first: FirstAnswers | null): Promise<MadeOrganization> {
  const address = app.address.local
  if (app.config.MODE === 'sandbox') {
    const chosen = first ? { name: first.name, owner: first.manager, place: firstPlace(first) } : undefined
    const { organization, owner, api_key, password } = await prepareDemo(app, chosen)
    const [account] = await listAccounts(app.db, organization.id)
    const link = password === null ? null : await makeLink(app, organization, owner)
    return { organization, manager: owner, link, password, api_key, account: account?.id ?? null, address }
  }
  const [organization] = await listOrganizations(app.db)
  const found = organization ?? (await createLive(app, first!))
  const [manager] = await listMembers(app.db, found.id)
  const [account] = await listAccounts(app.db, found.id)
  const link = manager && !(await hasPassword(app.db, manager.id)) ? await makeLink(app, found, manager) : null
  return {
    organization: found,
    manager: manager ?? null,
    link,
    password: null,
    api_key: null,
    account: account?.id ?? null,
    address,
  }
}

/** Create the organization of a live installation with its manager and a wallet. */
async function createLive(app: App, first: FirstAnswers): Promise<Organization> {
  const { name, manager: owner, currency } = first
  const { time_zone, country } = firstPlace(first)
  const input = { name, time_zone, country: country ?? undefined, owner, currency }
  return (await runAction(app, operator(null), createOrganizationAction, input)).organization
}

async function makeLink(app: App, organization: Organization, { id }: User): Promise<string> {
  const { token } = await runAction(app, operator(organization.id), sendPasswordLinkAction, { id, first: true })
  return linkUrl(app, token)
}
