import { strangerPhone } from './pupils.ts'

/** Money to the till, with what was typed. `{P5-014}` stands for the digits of the invoice of this pupil. */
export interface ToTill {
  by: 'till'
  phone: string
  amount: number
  typed: string
}

/** Money by the page of an invoice, which the parent opens on a phone. */
export interface ByPage {
  by: 'page'
  phone: string
  amount: number
  pupil: string
}

/** Money by a prompt that the bursar requests at the invoice. */
export interface ByHand {
  by: 'prompt'
  phone: string
  amount: number
  pupil: string
  /** Money that arrives at the till while the prompt waits on the phone. */
  meanwhile?: ToTill
}

/** Money by the payment link of the school. */
export interface ByLink {
  by: 'link'
  phone: string
  amount: number
}

/** Money by the prompt that a reminder sends. */
export interface ByReminder {
  by: 'reminder'
  phone: string
  amount: number
}

export type Payment = ToTill | ByPage | ByHand | ByLink | ByReminder

export const till = (phone: string, amount: number, typed = ''): ToTill => ({ by: 'till', phone, amount, typed })
export const page = (pupil: string, phone: string, amount: number): ByPage => ({ by: 'page', pupil, phone, amount })
export const prompt = (pupil: string, phone: string, amount: number, meanwhile?: ToTill): ByHand => ({
  by: 'prompt',
  pupil,
  phone,
  amount,
  ...(meanwhile && { meanwhile }),
})
export const link = (phone: string, amount: number): ByLink => ({ by: 'link', phone, amount })
export const reminder = (phone: string, amount: number): ByReminder => ({ by: 'reminder', phone, amount })

/** Decision of the bursar on unmatched or wrongly matched money. A suggestion names the invoices of pupils. */
export type Decision =
  | { accepts: readonly string[] }
  | { splits: Readonly<Record<string, number>> }
  | { moves_to: string }
  | 'returns it'

/**
 * Case of a payer, and the final places of the money. They are `P5-001` for the invoice of a pupil, `P5-001 credit`,
 * and `unmatched`, `returned`, `reversed` and `link`.
 */
export interface Case {
  what: string
  pays: readonly Payment[]
  ends: Readonly<Record<string, number>>
  bursar?: Decision
}

let strangers = 0

/** The phone of somebody whom the school does not know; another one for each call. */
export function stranger(): string {
  strangers += 1
  return strangerPhone(strangers)
}

/** All payments of a case, with those that arrive while another one waits. */
export function paymentsOf({ pays }: Case): Payment[] {
  return pays.flatMap((one) => (one.by === 'prompt' && one.meanwhile ? [one, one.meanwhile] : [one]))
}
