import type { Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Amount } from '../../lib/money.ts'
import { parsePhone } from '../../lib/phone.ts'
import { truncateToSecond } from '../../lib/time.ts'
import type { ApprovalKind, Proposal } from '../approvals/proposals.ts'
import { ingestIncomingPayments } from '../collections/incoming-payments.ts'
import type { ConnectionRef } from '../connections/destinations.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { requireMoneyPermission } from '../spending/approvers.ts'
import { type FindingState, lockOpen } from './findings.ts'

/*
 * Received money that a statement lists, that the ledger lacks and that the network cannot be asked about is entered by
 * two persons. One enters it from the line of the statement, and a second one approves it. Only the approval changes
 * the ledger.
 */

/** A person who enters money or decides about it, and the connection whose statement lists it. */
export interface EntryContext {
  now: Date
  organization: number
  run: number
  finding: number
  by: { user: number; name: string }
  connection: ConnectionRef
  /** True if the connection is in service: others bring no money into the books. */
  in_service: boolean
}

interface EntryRow {
  run: number
  state: FindingState
  kind: string
  remote_id: string
  stated_status: string | null
  stated_amount: Amount | null
  stated_currency: string | null
  stated_sent: boolean | null
  stated_fee: Amount | null
  stated_reversal_of: string | null
  stated_at: Date | null
  stated_phone: string | null
  stated_name: string | null
  entry_account: number | null
  entry_phone: string | null
  entered_by: number | null
}

/**
 * Enters the received money of a line, for a second person to approve. Nothing else changes.
 * @throws NotFound. Forbidden without the permission to initiate or to approve payments. Invalid for a line that is no
 *   received money, without a whole phone number, with a wallet of another currency, and on a connection that is not in
 *   service
 */
export async function enterFinding(
  tx: Tx,
  context: EntryContext,
  input: { account: number; phonenumber: string | null; note: string },
): Promise<void> {
  const { now, organization, finding, by } = context
  await requireMoneyPermission(tx, { organization, user: by.user }, ['initiate_payments', 'approve_payments'])
  requireInService(context)
  await lockOpen(tx, context.run, finding)
  const row = await readRow(tx, finding)
  if (!isEnterable(row)) throw new Invalid({ finding: [getMessage('reconciliation.only_received')] })
  const [account] = await tx<{ currency: string }[]>`
    select currency from accounts where id = ${input.account} and organization = ${organization} and kind = 'local'`
  if (!account || (row.stated_currency !== null && account.currency !== row.stated_currency))
    throw new Invalid({
      account: [
        row.stated_currency === null
          ? getMessage('reconciliation.choose_equal_wallet')
          : getMessage('reconciliation.choose_wallet', { currency: row.stated_currency }),
      ],
    })
  const phone = parsePhone(input.phonenumber ?? row.stated_phone ?? '')
  if (!phone) throw new Invalid({ phonenumber: [getMessage('reconciliation.hidden_phone')] })
  await tx`
    update reconciliation_findings set state = 'entered', answer = '', entry_account = ${input.account},
      entry_phone = ${phone.number}, entry_note = ${input.note}, entered_by = ${by.user}, entered_by_name = ${by.name},
      entered = ${truncateToSecond(now)}
    where id = ${finding}`
}

/**
 * Approval of entered money. It records the money in the ledger, as a report of the network would, and is refused on a
 * connection that is not in service. A rejection opens the difference again.
 */
export const entryApproval: ApprovalKind<EntryRow & Proposal, EntryContext, unknown> = {
  noun: 'statement line',
  deciders: 'approvers',
  own: 'reconciliation.second_person',
  withdrawal: 'rejection',
  expired: null,
  requireOperator: null,
  notice: null,
  async lock(tx, { organization, run }, { id: finding }) {
    const row = await readRow(tx, finding)
    if (row.run !== run) throw new NotFound(getMessage('reconciliation.no_difference', { finding }))
    return { ...row, organization, author: row.entered_by }
  },
  closed: ({ state }) =>
    state === 'entered' ? undefined : { finding: [getMessage('reconciliation.difference_state', { state })] },
  async approve(tx, context, row) {
    requireInService(context)
    await record(tx, context, row)
    await end(tx, context, 'resolved')
  },
  reject: (tx, context) => end(tx, context, 'open'),
  async read() {},
}

async function end(tx: Tx, { now, finding, by }: EntryContext, state: FindingState): Promise<void> {
  await tx`
    update reconciliation_findings set state = ${state}, decided_by = ${by.user}, decided_by_name = ${by.name},
      decided = ${truncateToSecond(now)}, note = coalesce(entry_note, '')
    where id = ${finding}`
}

async function record(tx: Tx, { now, connection }: EntryContext, row: EntryRow): Promise<void> {
  const [place] = await tx<{ currency: string; number: string | null }[]>`
    select a.currency, p.number from accounts a
    left join connection_places p on p.account = a.id and p.connection = ${connection.slug}
    where a.id = ${row.entry_account} order by p.number limit 1`
  const { currency, number } = place!
  await ingestIncomingPayments(tx, now, [
    {
      network: connection,
      source: 'statement',
      account: row.entry_account!,
      receiver: number ?? '',
      remote_id: row.remote_id,
      status: 'successful',
      amount: row.stated_amount!,
      currency,
      phonenumber: row.entry_phone!,
      paid_at: row.stated_at!,
      order_reference: null,
      // A line names no order. It may be the money of one that is in the books without the id of the network.
      hides_order: true,
      reference: null,
      ...(row.stated_fee !== null && { fee: row.stated_fee }),
    },
  ])
}

/** True if a line lists received money that the ledger lacks, with all data that an entry needs. */
function isEnterable(row: EntryRow): boolean {
  const { kind, stated_status, stated_sent, stated_reversal_of, stated_amount, stated_at } = row
  const is_received = stated_sent === false && stated_reversal_of === null && stated_status === 'successful'
  return kind === 'missing_in_books' && is_received && stated_amount !== null && stated_at !== null
}

function requireInService({ in_service, connection }: EntryContext): void {
  if (!in_service)
    throw new Invalid({
      finding: [getMessage('reconciliation.not_in_service', { connection: connection.slug })],
    })
}

/** Locks and reads a finding. @throws NotFound */
async function readRow(tx: Tx, finding: number): Promise<EntryRow> {
  const [row] = await tx<EntryRow[]>`
    select run, state, kind, remote_id, stated_status, stated_amount, stated_currency, stated_sent, stated_fee, stated_reversal_of,
      stated_at, stated_phone, stated_name, entry_account, entry_phone, entered_by
    from reconciliation_findings where id = ${finding} for update`
  if (!row) throw new NotFound(getMessage('reconciliation.no_difference', { finding }))
  return row
}
