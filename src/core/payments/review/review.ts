import type { Reader } from '../../../db/client.ts'
import type { AccountHolderLookup } from '../../../lib/adapter-types.ts'
import { zip } from '../../../lib/batches/zip.ts'
import { readKnownPhone } from '../../../lib/phone.ts'
import { nameSimilarity } from '../../../lib/text/name-similarity.ts'
import { type Contact, contactKey, isAnonymous, readContacts } from '../../contacts/contacts.ts'
import { findAccount, listActiveWallets, readReceivers } from '../../ledger/accounts.ts'
import { readFees } from '../../ledger/fees.ts'
import { previewApproval } from '../../spending/approval-preview.ts'
import { readLimitRooms } from '../../spending/limits.ts'
import { SAME_NAME_SCORE } from '../approval-queue.ts'
import { feesOfPayment, fundsError, type NewPayment, type NewRecipient } from '../create.ts'
import {
  countNames,
  type PaymentReview,
  type ReviewedName,
  type ReviewedRecipient,
  type ReviewedSum,
  sortByDoubt,
} from './payment-review.ts'

/** Answers of the networks about holders, by phone number. A number without an answer is missing. */
export type HolderAnswers = ReadonlyMap<string, AccountHolderLookup>

/** The numbers of a payment whose holders no network has named yet. */
export async function findUnknownHolders(
  db: Reader,
  { organization, recipients }: NewPayment,
): Promise<{ organization: number; phone_number: string; network_name: string }[]> {
  const people = new Map(
    recipients.map(({ phonenumber, network }) => [
      phonenumber,
      { organization, phone_number: phonenumber, network_name: network.name },
    ]),
  )
  const contacts = await readContacts(db, [...people.values()])
  return [...people.values()].filter((one) => contacts.get(contactKey(one))?.phone_is_mm_registered !== 'yes')
}

/**
 * Reads what a planned payment would do: who gets it by the networks' names, its costs, the wallet, and the rules and
 * limits. Nothing is written or held, so the acceptance of the payment checks again.
 * @throws Invalid if the money is not there, or if the payment passes a limit
 */
export async function reviewPayment(
  db: Reader,
  now: Date,
  item: NewPayment,
  answers: HolderAnswers,
): Promise<PaymentReview> {
  const { organization, currency, amount, author } = item
  const [rates, wallets, senders] = await Promise.all([
    readFees(db, [organization]),
    listActiveWallets(db, [organization]),
    readReceivers(db, [item.account]),
  ])
  const fees = feesOfPayment(item, rates.get(organization)!)
  const error = fundsError(item, fees, wallets, senders.get(item.account)!)
  if (error) throw error
  const limits = await readLimitRooms(db, now, item)
  const contacts = await readContacts(
    db,
    item.recipients.map(({ phonenumber }) => ({ organization, phone_number: phonenumber })),
  )
  const recipients = zip(item.recipients, fees).map(([recipient, fee]) => ({
    ...toReviewed(recipient, contacts.get(contactKey({ organization, phone_number: recipient.phonenumber })), answers),
    currency,
    fee,
  }))
  return {
    recipients: sortByDoubt(recipients),
    recipients_count: recipients.length,
    names: countNames(recipients),
    sums: [await readSum(db, item, fees)],
    start_date: item.start_date,
    approval: await previewApproval(db, now, { organization, author, sums: [{ currency, amount }] }),
    limits,
  }
}

async function readSum(db: Reader, item: NewPayment, fees: readonly bigint[]): Promise<ReviewedSum> {
  const wallet = await findAccount(db, item.account)
  const fee = fees.reduce((sum, one) => sum + one, 0n)
  const total = item.amount + fee
  const before = wallet?.balance ?? 0n
  return {
    account: item.account,
    account_name: wallet?.name ?? '',
    currency: item.currency,
    recipients: item.recipients.length,
    amount: item.amount,
    fee,
    total,
    before,
    // Money that the organization never accepted is in no wallet.
    after: item.source === item.account ? before - total : before,
  }
}

function toReviewed(
  recipient: NewRecipient,
  contact: Contact | undefined,
  answers: HolderAnswers,
): Omit<ReviewedRecipient, 'fee' | 'currency'> {
  const { phonenumber, amount, network } = recipient
  const typed = [recipient.first_name, recipient.last_name].filter(Boolean).join(' ')
  const known = contact && !isAnonymous(contact) ? `${contact.first_name} ${contact.last_name}` : ''
  const name = typed || known
  const holder = holderOf(contact, answers.get(phonenumber))
  return {
    phonenumber,
    name,
    name_on_network: holder.name_on_network,
    name_state: compare(name, holder),
    network: network.name,
    country: readKnownPhone(phonenumber)?.country ?? '',
    amount,
  }
}

/** Knowledge of the networks about a number. */
interface Holder {
  name_on_network: string
  registered: boolean | undefined
}

/** A new answer counts before the one that the contact has kept. */
function holderOf(contact: Contact | undefined, answer: AccountHolderLookup | undefined): Holder {
  if (answer?.outcome === 'not_found') return { name_on_network: '', registered: false }
  if (answer?.outcome === 'found') return { name_on_network: answer.name?.trim() ?? '', registered: true }
  const registered = { yes: true, no: false }[contact?.phone_is_mm_registered ?? '']
  return { name_on_network: contact?.name_on_network ?? '', registered }
}

function compare(name: string, { name_on_network, registered }: Holder): ReviewedName {
  if (registered === false) return 'not_registered'
  if (registered === undefined) return 'unknown'
  if (name === '' || name_on_network === '') return 'not_compared'
  return nameSimilarity(name, name_on_network) < SAME_NAME_SCORE ? 'differs' : 'matches'
}
