import { z } from 'zod'
import { column, type Row, table } from '../db/table.ts'
import { type Amount, parseAmount } from '../lib/money.ts'
import { Reference } from './world/fields.ts'

const amount = z.string().transform((text, context): Amount => {
  const sum = text.length > 40 ? undefined : parseAmount(text)
  if (sum !== undefined && sum > 0n) return sum
  context.addIssue('must be an amount above zero')
  return z.NEVER
})

const asciiText = z.string().regex(/^[\x20-\x7e]{0,100}$/, 'must be up to 100 visible ASCII characters')

/** The body of `POST /biller/vends`. */
export const VendBody = z.object({
  reference: Reference,
  kind: z.enum(['airtime', 'databundle', 'electricity', 'cabletv', 'epin', 'exampin']),
  service_type: asciiText,
  account_number: asciiText,
  phone: asciiText,
  amount,
  /** Scenario to simulate. Null: the phone number decides, or the sale succeeds. */
  scenario: asciiText.nullable(),
  prepaid: z.boolean().nullable(),
  /** Price of a kWh without tax. */
  tariff: amount.nullable(),
  pin_value: amount.nullable(),
  pins: z.int().min(1).max(1_000).nullable(),
})
export type VendBody = z.infer<typeof VendBody>

/** The body of `POST /biller/accounts`. */
export const AccountBody = z.object({
  service_type: asciiText,
  account_number: asciiText,
  product_code: asciiText.nullable(),
})
export type AccountBody = z.infer<typeof AccountBody>

/** A sale as the simulated biller stores it. */
export const vendTable = table('simulator_vends', {
  id: column.id(),
  reference: column.text(),
  kind: column.text<VendBody['kind']>(),
  service_type: column.text(),
  account_number: column.text(),
  phone: column.text(),
  amount: column.numeric(),
  scenario: column.text(),
  /** The end of the sale, shown from `known_at` on. */
  state: column.text<'vended' | 'refused'>(),
  refusal: column.text().nullable(),
  vended: column.json<VendedGoods>().nullable(),
  known_at: column.timestamptz(),
  created: column.timestamptz(),
  token: column.text().nullable(),
  key_change: column.boolean(),
})
export type VendRow = Row<typeof vendTable>

/** Goods that the customer of the simulated biller receives. */
export interface VendedGoods {
  token: string | null
  amount_of_power: string | null
  pins: { instructions: string; serial_number: string; pin: string; expires_on: string }[]
  provider_message: string
  raw_output: Record<string, unknown> | null
  more: Record<string, unknown>
}

const refusalMessages: Record<string, string> = {
  declined: 'The biller declined this purchase.',
  service_blocked: 'The service is blocked.',
  account_not_found: 'There is no such account.',
}

/** A sale as the biller shows it now. A later token is not shown before its time. */
export function showVend(row: VendRow, now: Date) {
  const open = row.known_at > now
  const state = open && row.scenario !== 'token-later' ? 'pending' : row.state
  return {
    reference: row.reference,
    remote_id: String(row.id),
    state,
    vended: state !== 'vended' ? null : open ? { ...row.vended!, token: null, raw_output: null, more: {} } : row.vended,
    refusal: state === 'refused' ? { reason: row.refusal!, message: refusalMessages[row.refusal!]! } : null,
  }
}
