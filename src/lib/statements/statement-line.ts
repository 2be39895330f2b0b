import type { Amount } from '../money.ts'

/** Columns that the reconciliation reads. Only the id, and the amount or `paid_out`, are required. */
export const statementColumns = [
  'remote_id',
  'amount',
  'paid_out',
  'status',
  'currency',
  'paid_at',
  'time',
  'reversal_of',
  'fee',
  'details',
  'direction',
  'phonenumber',
  'name',
  'payer',
  'payer_name',
  'payee',
  'payee_name',
] as const
export type StatementColumn = (typeof statementColumns)[number]

/** Meaning of each column, for operators. A column without a text does not compile. */
export const columnTexts: Readonly<Record<StatementColumn, string>> = {
  remote_id: 'Required: id of the transaction at the network',
  amount: 'Required, or `paid_out`. Negative for sent money',
  paid_out: 'Sent amount, where it has a column of its own',
  status: 'State in the words of the portal. Without it all lines count as successful',
  currency: 'Compared if it is present',
  paid_at: 'Without it `--from` and `--to` say which time the statement covers',
  time: 'Time of day, where `paid_at` has only the date',
  reversal_of:
    'For a part that was taken back: the id of the whole. The part is a line of its own, with its own id and the opposite sign. With it `--apply` can ask about one that the books lack',
  fee: 'Charge of the network. One that is not booked, or differs, is reported; `--apply` books it',
  details: 'Text that says which lines are charges',
  direction: 'Whether the money was received or sent',
  phonenumber: 'Phone of the other side',
  name: 'Name of the other side',
  payer: 'Phone of the payer, of received money',
  payer_name: 'Name of the payer',
  payee: 'Phone of the payee, of sent money',
  payee_name: 'Name of the payee',
}

export type StatedStatus = 'successful' | 'reversed' | 'failed' | 'pending'

/** Payment as its network lists it. */
export interface StatementLine {
  /** The line number in the file, from 1. */
  line: number
  remote_id: string
  /** Above zero for both directions. */
  amount: Amount
  /** True if we sent the money: its amount is below zero in the file, or in the column `paid_out`. */
  sent: boolean
  status: StatedStatus
  currency: string | null
  paid_at: Date | null
  /** Id of the transaction that this line reverses in part; null for all other lines. */
  reversal_of: string | null
  /** Charge of the network for it, above zero; missing or null if the statement does not say so. */
  fee?: Amount | null
  /** The phone number of the other side as the file has it, or in E.164. Networks hide digits: `2547****1234`. */
  phonenumber?: string | null
  /** The name of the other side. */
  name?: string | null
  /**
   * Payer and purpose. Only the statement that a driver has fetched from its network has it, never a file: money is
   * booked on the word of the network only.
   */
  payment?: StatementPayment
}

/** Data of a network's own statement about received money besides its amount. */
interface StatementPayment {
  receiver: string
  /** E.164. */
  phonenumber: string
  /** The reference of our order, where the line names one. */
  order_reference: string | null
  /** Reference that the customer typed, if any. */
  reference: string | null
}

/** A line that says nothing certain about a payment. */
export interface UnreadableLine {
  line: number
  /** The id of the payment, if that can be read; empty otherwise. */
  remote_id: string
  /** Fault, with the column in its own words. */
  problem: string
}

export interface StatementChunk {
  lines: readonly StatementLine[]
  unreadable: readonly UnreadableLine[]
  /** Number of rows of the file read so far. */
  row: number
}

/** The file is not a readable statement; the message tells the remedy. */
export class WrongStatement extends Error {
  override name = 'WrongStatement'
  /** Fault, without the hint for the command line. */
  readonly problem: string
  constructor(problem: string, hint?: string) {
    super(hint === undefined ? problem : `${problem} ${hint}`)
    this.problem = problem
  }
}

/** Question to a person about the file: which sheet is read, or whether its dates begin with the day. */
export class StatementQuestion extends WrongStatement {
  override name = 'StatementQuestion'
  readonly about: 'sheet' | 'dates'
  /** The answers among which to choose. */
  readonly choices: readonly string[]
  constructor(
    about: 'sheet' | 'dates',
    problem: string,
    { hint, choices }: { hint: string; choices: readonly string[] },
  ) {
    super(problem, hint)
    this.about = about
    this.choices = choices
  }
}
