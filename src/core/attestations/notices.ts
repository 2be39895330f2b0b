import type { Tx } from '../../db/client.ts'
import { displayAmount } from '../../lib/money.ts'
import { queueMails } from '../access/mails.ts'
import { getOrganization } from '../access/organizations.ts'
import type { Attestation } from './attestation.ts'

/** Facts about an attestation for its mails. */
export interface OrderMail {
  service_name: string
  /** The address of the console's page with the orders. */
  orders_url: string
}

/**
 * Mails the new state of an attestation to the managers and approvers of the organization. They get the same text, the
 * one who acted included: somebody else may have used this account.
 */
export async function notifyAboutAttestation(
  tx: Tx,
  { now, mail }: { now: Date; mail: OrderMail | null },
  attestation: Attestation,
  by_operator: boolean,
): Promise<void> {
  if (!mail) return
  const { organization } = attestation
  const { name } = await getOrganization(tx, organization)
  const recipients = await tx<{ email: string }[]>`
    select u.email from memberships m join users u on u.id = m."user"
    where m.organization = ${organization} and u.kind = 'person'
      and m.permissions && '{manage_organization,approve_payments}' order by u.id`
  const { subject, body } = describeAttestation(attestation, { organization: name, by_operator, mail })
  await queueMails(
    tx,
    now,
    recipients.map(({ email }) => ({ organization, recipient: email, subject, body })),
  )
}

/** The subject and the text of the mail about an attestation. */
export function describeAttestation(
  attestation: Attestation,
  { organization, by_operator, mail }: { organization: string; by_operator: boolean; mail: OrderMail },
): { subject: string; body: string } {
  const { author_name, reference, kind, connection, currency, amount, outcome, statement, state } = attestation
  const decider = attestation.decided_by_name
  const [what, follow_up] = {
    waiting: [
      `${author_name} attests the result of an order`,
      by_operator
        ? 'It waits for the operator of the installation. Nothing has changed yet.'
        : 'It waits for a second person who may approve payments. Nothing has changed yet.',
    ],
    approved: [`${decider} has approved the result of an order`, `${author_name} attested it. The order is settled.`],
    rejected: [`${decider} has rejected the result of an order`, `${author_name} attested it. Nothing has changed.`],
    withdrawn: [`${author_name} has withdrawn the attested result of an order`, 'Nothing has changed.'],
    superseded: ['The network has settled an order', 'It reported the result before anybody decided.'],
  }[state] as [string, string]
  const money = amount === null ? '' : `, ${currency} ${displayAmount(amount)}`
  return {
    subject: `${mail.service_name}: ${what} of ${organization}`.replace(/\s+/g, ' '),
    body: [
      `${what} of ${organization}:`,
      `The ${kind} ${reference} on ${connection} is ${outcome}${money}, according to the statement ${statement}.`,
      follow_up,
      `All orders that need a person: ${mail.orders_url}`,
      'You get this mail because you manage the organization or approve its payments. If you did not expect it, talk to the other managers.',
    ].join('\n\n'),
  }
}
