import { displayAmount } from '../../lib/money.ts'
import type { Notice } from '../approvals/notices.ts'
import type { Attestation } from './attestation.ts'

/** Describes the new state of an attestation for its mail. @param by_operator true if only the operator may approve it */
export function noticeOfAttestation(attestation: Attestation, by_operator: boolean): Notice {
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
    what,
    paragraphs: [
      `The ${kind} ${reference} on ${connection} is ${outcome}${money}, according to the statement ${statement}.`,
      follow_up,
    ],
    page: { name: 'All orders that need a person', path: 'orders' },
    reason: 'manage the organization or approve its payments',
  }
}
