import type { Reader, Tx } from '../../db/client.ts'
import { queueMails } from '../access/mails.ts'
import { getOrganization } from '../access/organizations.ts'

/** Settings for mails about proposals and their decisions. */
export interface MailSettings {
  service_name: string
  /** Address of the console. */
  console_url: string
}

/** Mail about the new state of a proposal. */
export interface Notice {
  /** Beginning of a sentence that says what has happened, and that the name of the organization ends. */
  what: string
  paragraphs: readonly string[]
  /** Page of the console with all such proposals, below its address, and its name. */
  page: { name: string; path: string }
  /** Reason why people get it. */
  reason: string
  /** Mail address of a person whom it concerns, besides the guardians. */
  concerns?: string | null
}

/**
 * Mails the new state of a proposal to the managers and approvers of an organization. They get the same text, the one
 * who acted included: somebody else may have used this account.
 */
export async function mailGuardians(
  tx: Tx,
  { now, mail }: { now: Date; mail?: MailSettings | null },
  organization: number,
  { what, paragraphs, page, reason, concerns }: Notice,
): Promise<void> {
  if (!mail) return
  const { name } = await getOrganization(tx, organization)
  const recipients = new Set([...(await listGuardians(tx, organization)), ...(concerns ? [concerns] : [])])
  const subject = `${mail.service_name}: ${what} of ${name}`.replace(/\s+/g, ' ')
  const body = [
    `${what} of ${name}:`,
    ...paragraphs,
    `${page.name}: ${mail.console_url}/${page.path}`,
    `You get this mail because you ${reason}. If you did not expect it, talk to the other managers.`,
  ].join('\n\n')
  await queueMails(
    tx,
    now,
    [...recipients].map((recipient) => ({ organization, recipient, subject, body })),
  )
}

/** Lists the mail addresses of the managers and approvers. */
async function listGuardians(db: Reader, organization: number): Promise<string[]> {
  const rows = await db<{ email: string }[]>`
    select u.email from memberships m join users u on u.id = m."user"
    where m.organization = ${organization} and u.kind = 'person'
      and m.permissions && '{manage_organization,approve_payments}' order by u.id`
  return rows.map(({ email }) => email)
}
