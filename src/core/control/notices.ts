import type { Reader, Tx } from '../../db/client.ts'
import { formatTimestamp } from '../../lib/time.ts'
import { queueMails } from '../access/mails.ts'
import { getOrganization } from '../access/organizations.ts'
import type { ControlChange } from './control-change.ts'

/** Settings for mails about a change. */
export interface MailSettings {
  service_name: string
  /** The address of the console's page with the changes. */
  changes_url: string
}

/**
 * Mails the new state of a change to the managers, the approvers, and the person whom it concerns. They get the same
 * text, the one who acted included: somebody else may have used this account.
 */
export async function notifyAboutChange(
  tx: Tx,
  context: { now: Date; mail: MailSettings | null },
  change: ControlChange,
  concerns: string | null,
): Promise<void> {
  const { now, mail } = context
  if (!mail) return
  const { name } = await getOrganization(tx, change.organization)
  const recipients = new Set([...(await listGuardians(tx, change.organization)), ...(concerns ? [concerns] : [])])
  const { subject, body } = describeChange(change, name, mail)
  await queueMails(
    tx,
    now,
    [...recipients].map((recipient) => ({ organization: change.organization, recipient, subject, body })),
  )
}

/** The mail addresses of the managers and approvers. */
async function listGuardians(db: Reader, organization: number): Promise<string[]> {
  const rows = await db<{ email: string }[]>`
    select u.email from memberships m join users u on u.id = m."user"
    where m.organization = ${organization} and u.kind = 'person'
      and m.permissions && '{manage_organization,approve_payments}' order by u.id`
  return rows.map(({ email }) => email)
}

/** The subject and the text of the mail about a change. */
export function describeChange(
  change: ControlChange,
  organization: string,
  { service_name, changes_url }: MailSettings,
): { subject: string; body: string } {
  const author = change.author_name ?? 'An operator'
  const decider = change.decided_by_name ?? 'An operator'
  const [what, follow_up] = {
    pending: [
      `${author} asks for a change`,
      `It waits for a second manager until ${change.expires && formatTimestamp(change.expires)}.`,
    ],
    applied: [`${author} has made a change`, 'It is now in effect.'],
    confirmed: [`${decider} has confirmed a change`, `${author} asked for it. It is now in effect.`],
    rejected: [`${decider} has rejected a change`, `${author} asked for it. Nothing has changed.`],
    withdrawn: [`${author} has withdrawn a change`, 'Nothing has changed.'],
    expired: ['A change has expired', 'Nothing has changed.'],
  }[change.state] as [string, string]
  return {
    subject: `${service_name}: ${what} of ${organization}`.replace(/\s+/g, ' '),
    body: [
      `${what} of ${organization}:`,
      change.description,
      follow_up,
      `All changes: ${changes_url}`,
      'You get this mail because you manage the organization, approve its payments, or because the change concerns you. If you did not expect it, talk to the other managers.',
    ].join('\n\n'),
  }
}
