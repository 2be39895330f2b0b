import type { StatedStatus, StatementColumn } from './statement-line.ts'

/** Peculiarities of the files from a network's portal. */
export interface Portal {
  /** Time zone of times that name none; the country's of the connection unless given. */
  zone?: string
  /** Titles of columns. They are found before the usual ones, in any case and with any signs. */
  titles?: Partial<Record<StatementColumn, readonly string[]>>
  /** Words for states, in small letters. */
  states?: Partial<Record<StatedStatus, readonly string[]>>
  /** Details of lines that are no payment but the charge of one: they have its id. */
  charges?: RegExp
  /** Words of the column for the direction, in small letters. */
  directions?: { received: readonly string[]; sent: readonly string[] }
}

/** The usual titles of the columns, in small letters without blanks and signs. */
export const usualTitles: Readonly<Record<StatementColumn, readonly string[]>> = {
  remote_id: ['remote_id', 'remote_transaction_id', 'transaction_id', 'receipt no', 'receipt', 'transaction no', 'id'],
  amount: ['amount', 'paid in', 'credit', 'transaction amount', 'money in'],
  paid_out: ['paid_out', 'withdrawn', 'debit', 'money out'],
  status: ['status', 'transaction status', 'state'],
  currency: ['currency'],
  paid_at: [
    'paid_at',
    'payment_date',
    'completion time',
    'transaction date and time',
    'transaction date',
    'date and time',
    'date',
    'created at',
    'creation date',
    'time',
  ],
  time: ['transaction time', 'time of day', 'time'],
  fee: ['fee', 'fees', 'charge', 'charges', 'transaction fee', 'transaction charge'],
  reversal_of: ['reversal_of', 'linked transaction id', 'original transaction id'],
  details: ['details', 'description', 'narration', 'particulars', 'reason type', 'transaction type', 'type'],
  direction: ['direction', 'dr/cr', 'cr/dr', 'debit/credit', 'credit/debit', 'transaction type', 'type'],
  phonenumber: [
    'phonenumber',
    'phone number',
    'phone',
    'msisdn',
    'mobile number',
    'other party info',
    'customer msisdn',
  ],
  name: ['name', 'customer name', 'other party name', 'account name'],
  payer: ['payer', 'from', 'sender', 'sender msisdn', 'payer msisdn', 'from msisdn'],
  payer_name: ['payer name', 'from name', 'sender name'],
  payee: ['payee', 'to', 'receiver msisdn', 'payee msisdn', 'to msisdn'],
  payee_name: ['payee name', 'to name', 'receiver name'],
}

/** All titles of a column at a network, the network's own first. */
export function titlesOf(column: StatementColumn, portal: Portal): readonly string[] {
  return [...(portal.titles?.[column] ?? []), ...usualTitles[column]].map(plainTitle)
}

/** Returns a title without case, blanks, signs and texts in brackets: `Amount (KES)` is `amount`. */
export function plainTitle(text: string): string {
  return text
    .replace(/\([^()]*\)/g, '')
    .replaceAll('&', ' and ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

const usualStates: Readonly<Record<StatedStatus, readonly string[]>> = {
  successful: [
    'successful',
    'success',
    'succeeded',
    'complete',
    'completed',
    'completed successfully',
    'transaction success',
    'transaction successful',
    'paid',
    'settled',
    'ok',
    'approved',
    'confirmed',
    'processed',
    'succes',
    'reussi',
    'reussie',
    'effectue',
    'effectuee',
    'terminee',
  ],
  reversed: ['reversed', 'reversal', 'refunded', 'rolled back', 'rembourse', 'remboursee'],
  failed: [
    'failed',
    'failure',
    'fail',
    'transaction failed',
    'cancelled',
    'canceled',
    'declined',
    'rejected',
    'expired',
    'timeout',
    'timed out',
    'error',
    'unsuccessful',
    'aborted',
    'attempted',
    'echec',
    'echoue',
    'echouee',
    'annule',
    'annulee',
    'rejetee',
    'expiree',
  ],
  pending: [
    'pending',
    'processing',
    'initiated',
    'in progress',
    'in process',
    'ongoing',
    'created',
    'submitted',
    'accepted',
    'authorized',
    'pending authorized',
    'queued',
    'ambiguous',
    'en attente',
    'en cours',
  ],
}

/** Words in small letters without accents, and with one blank between them: `RÉUSSIE.` is `reussie`. */
function plainWords(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s_.-]+/g, ' ')
    .trim()
}

/** The state that a portal means. Undefined for a word that is not known. */
export function readState(text: string, portal: Portal): StatedStatus | undefined {
  const word = plainWords(text)
  for (const words of [portal.states ?? {}, usualStates])
    for (const [state, known] of Object.entries(words) as [StatedStatus, readonly string[]][])
      if (known.includes(word)) return state
  return undefined
}

const usualDirections = {
  received: ['cr', 'c', 'credit', 'credited', 'in', 'incoming', 'received', 'deposit', 'collection', 'money in'],
  sent: [
    'dr',
    'd',
    'debit',
    'debited',
    'out',
    'outgoing',
    'sent',
    'payout',
    'disbursement',
    'withdrawal',
    'money out',
    'refund',
  ],
}

/** Returns true if a word says that we sent the money. Undefined for a word that says nothing about it. */
export function readDirection(text: string, { directions }: Portal): boolean | undefined {
  const word = plainWords(text)
  for (const { received, sent } of [directions ?? { received: [], sent: [] }, usualDirections]) {
    if (received.includes(word)) return false
    if (sent.includes(word)) return true
  }
  return undefined
}

const usualCharges = /(?:^|[^a-z])(?:charges?|fees?)(?:$|[^a-z])/i

/** True if the details of a line say that it is a charge. */
export function isCharge(details: string, { charges = usualCharges }: Portal): boolean {
  return charges.test(details)
}
