import { z } from 'zod'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import type { Phone } from '../../lib/phone.ts'
import { type Language, languages } from '../../lib/text/languages.ts'
import {
  anyAmount,
  booleanField,
  choiceError,
  documented,
  errorMessage,
  fieldMessages,
  integer,
  optional,
  optionalName,
  phonenumber,
  positiveAmount,
  readList,
  requiredText,
  splitList,
  text,
} from '../fields.ts'
import { collectingAccount } from '../ledger/accounts.ts'
import { decimalsError } from '../ledger/currencies.ts'
import { Invalid } from '../refusals.ts'
import { DAY_MESSAGE, isDay, type ReadAt, readDay } from './due-days.ts'
import { computeTotals, type NewLine, type Totals } from './totals.ts'

const MAX_LINES = 100
const MAX_REMINDERS = 10
/** Range in days before and after the due date. */
const REMINDERS = { min: -60, max: 180 }
const DEFAULT_DUE = '14 days'
/** Fifteen digits before the point, as amounts of requests have. */
const MAX_TOTAL = 10n ** 19n
const ONE = 10_000n
const HUNDRED_PERCENT = 100n * ONE

const newLine = z
  .object({
    text: documented(requiredText(200), 'What is sold.', 'Consulting'),
    quantity: optional(documented(positiveAmount, 'How much of it, with up to four decimals. Default 1.', '2')),
    unit_price: documented(anyAmount, 'The price of one, without tax; negative for a discount.', '750'),
    tax_rate: optional(
      documented(
        anyAmount.refine((rate) => rate >= 0n && rate <= HUNDRED_PERCENT, getMessage('invoices.tax_range')),
        'In percent. Default: no tax.',
        '18',
      ),
    ),
  })
  .meta({ id: 'NewInvoiceLine' })
  .transform(
    ({ quantity, tax_rate, ...line }): NewLine => ({ ...line, quantity: quantity ?? ONE, tax_rate: tax_rate ?? null }),
  )

export const newLines = z
  .preprocess(
    readList,
    z
      .array(newLine, { error: errorMessage(getMessage('invoices.no_lines')) })
      .min(1, getMessage('invoices.one_line'))
      .max(MAX_LINES, getMessage('invoices.many_lines', { max: MAX_LINES })),
  )
  .meta({ description: 'What is sold: at least one line.', examples: [[{ text: 'Consulting', unit_price: '1500' }]] })

/** A day as text, or a time from now. */
const dueDate = z
  .string({ error: errorMessage(DAY_MESSAGE) })
  .refine(isDay, DAY_MESSAGE)
  .meta({
    id: 'DueDate',
    description:
      'The last day to pay: YYYY-MM-DD, DD/MM/YYYY, `28 February`, or a time from now such as `14 days`. Default: 14 days.',
    examples: ['14 days'],
  })

const reminderDays = z
  .preprocess(
    (input) => (typeof input === 'string' && !input.trim().startsWith('[') ? splitList(input) : readList(input)),
    z
      .array(integer(REMINDERS), { error: errorMessage(getMessage('invoices.no_days')) })
      .max(MAX_REMINDERS, getMessage('invoices.many_reminders', { max: MAX_REMINDERS }))
      .transform((days) => [...new Set(days)].sort((a, b) => a - b)),
  )
  .meta({
    id: 'ReminderDays',
    type: ['array', 'string'],
    description: 'When the customer is reminded by SMS, in days after the due date; negative before. Default: never.',
    examples: [[-3, 0, 7]],
  })

/** @param currencies those that may be collected */
export function currencyField(currencies: readonly string[]) {
  return z
    .string({ error: choiceError(currencies) })
    .trim()
    .refine((code) => currencies.includes(code), { error: (issue) => fieldMessages.choice(issue.input, currencies) })
    .meta({ examples: ['BXC'], description: `One of ${currencies.join(', ')}.` })
}

/** Fields of an invoice besides its customer and its lines. */
export const invoiceSettings = {
  account: optional(collectingAccount),
  due_date: optional(dueDate),
  notes: documented(text(1_000), 'Text below the lines.', 'Thank you.').optional(),
  language: optional(
    z.enum(languages, { error: choiceError(languages) }).meta({
      description: 'The language of the customer: of page, PDF, SMS and mails. Default `en`.',
      examples: ['en'],
    }),
  ),
  min_part: optional(
    documented(
      anyAmount.refine((part) => part >= 0n, getMessage('invoices.zero_or_more')),
      'Smallest part payment that its page accepts. Default, and 0: only the open amount.',
      '500',
    ),
  ),
  reminder_days: reminderDays.optional(),
  reminder_prompts: optional(
    documented(booleanField, 'Whether a reminder also requests the open amount with a prompt. Default false.', false),
  ),
}

/** Fields that an invoice and a change of a draft have in common. */
const settings = {
  contact: optional(documented(integer({ min: 1 }), 'The customer; or a phone number.', 3)),
  phonenumber: optional(phonenumber),
  first_name: optionalName('For a phone number without a contact. Default `Anonymous`.', 'Jane'),
  last_name: optionalName('For a phone number without a contact. Default `Contact`.', 'Doe'),
  ...invoiceSettings,
}

/** The body that makes a draft. */
export function newInvoiceBody(currencies: readonly string[]) {
  return z.object({ currency: currencyField(currencies), lines: newLines, ...settings }).meta({
    id: 'NewInvoice',
    examples: [{ phonenumber: '+80000000000', currency: 'BXC', lines: [{ text: 'Consulting', unit_price: '1500' }] }],
  })
}

/** The fields of a change of a draft. */
export function invoiceChanges(currencies: readonly string[]) {
  return z
    .object({ currency: optional(currencyField(currencies)), lines: newLines.optional(), ...settings })
    .meta({ id: 'InvoiceChanges', examples: [{ due_date: '30 days' }] })
}

/** The body that changes a draft. Fields that are not given stay. */
export type InvoiceChanges = z.output<ReturnType<typeof invoiceChanges>>

/** The body that adds up lines without storing anything. */
export function invoiceTotalsBody(currencies: readonly string[]) {
  return z.object({ currency: currencyField(currencies), lines: newLines })
}

/** The customer of a new invoice: a contact, or a phone number whose contact is found or made. */
export type Customer = { contact: number } | { phone: Phone; first_name?: string; last_name?: string }

/** A draft that has passed validation and is to be stored. */
export interface Draft {
  currency: string
  account: number | null
  lines: NewLine[]
  /** Day such as `2030-01-31`. */
  due_date: string
  notes: string
  language: Language
  reminder_days: number[]
  reminder_prompts: boolean
  /** The least that its page takes as a part; null: only the open amount. */
  min_part: Amount | null
}

/** The customer whom a body names; undefined if it names none. @throws Invalid if it names two */
export function readCustomer(body: InvoiceChanges): Customer | undefined {
  const { contact, phonenumber: phone, first_name, last_name } = body
  if (contact !== undefined && phone !== undefined)
    throw new Invalid({ contact: [getMessage('invoices.give_customer')] })
  if (contact !== undefined) return { contact }
  if (phone === undefined) return undefined
  return { phone, ...(first_name ? { first_name } : {}), ...(last_name ? { last_name } : {}) }
}

/** Fields of a draft besides its lines. */
export type DraftSettings = Omit<Draft, 'lines'>
type SettingsBody = Pick<InvoiceChanges, keyof typeof invoiceSettings>

/** Builds a draft, with defaults for missing fields of the body. @throws Invalid */
export function toDraft(body: SettingsBody & Pick<Draft, 'currency' | 'lines'>, at: ReadAt): Draft {
  const { lines } = body
  const draft = { ...toSettings(body, at), lines }
  checkDraft(draft)
  return draft
}

/**
 * Builds the settings of a draft whose lines are not known yet, with defaults for missing fields of the body.
 * @throws Invalid
 */
export function toSettings(body: SettingsBody & Pick<Draft, 'currency'>, at: ReadAt): DraftSettings {
  const { currency } = body
  const defaults: DraftSettings = {
    currency,
    account: null,
    notes: '',
    language: 'en',
    reminder_days: [],
    reminder_prompts: false,
    min_part: null,
    due_date: dueDay(DEFAULT_DUE, at),
  }
  return changeSettings(defaults, body, at)
}

/** Returns a draft with changes. Missing fields stay as they are. @throws Invalid */
export function changeDraft(draft: Draft, changes: InvoiceChanges, at: ReadAt): Draft {
  const currency = changes.currency ?? draft.currency
  const changed = { ...changeSettings({ ...draft, currency }, changes, at), lines: changes.lines ?? draft.lines }
  checkDraft(changed)
  return changed
}

function changeSettings(settings: DraftSettings, changes: SettingsBody, at: ReadAt): DraftSettings {
  const { account, notes, language, reminder_days, reminder_prompts, min_part } = changes
  return {
    currency: settings.currency,
    account: account === undefined ? settings.account : account || null,
    due_date: changes.due_date === undefined ? settings.due_date : dueDay(changes.due_date, at),
    notes: notes?.trim() ?? settings.notes,
    language: language ?? settings.language,
    reminder_days: reminder_days ?? settings.reminder_days,
    reminder_prompts: reminder_prompts ?? settings.reminder_prompts,
    min_part: min_part === undefined ? settings.min_part : min_part || null,
  }
}

/** Checks the total of a draft, and its minimum part. @returns the sums @throws Invalid */
export function checkDraft(draft: Draft): Totals {
  const totals = addUp(draft)
  checkMinPart(draft, totals.total)
  return totals
}

function checkMinPart({ currency, min_part }: Draft, total: Amount): void {
  if (min_part === null) return
  const message =
    decimalsError(min_part, currency) ??
    (min_part > total
      ? getMessage('invoices.part_above_total', { total: `${currency} ${displayAmount(total)}` })
      : undefined)
  if (message) throw new Invalid({ min_part: [message] })
}

/** Computes the totals of a draft. @throws Invalid if the total cannot be paid */
export function addUp({ currency, lines }: Pick<Draft, 'currency' | 'lines'>): Totals {
  const totals = computeTotals(currency, lines)
  if (totals.total <= 0n) throw new Invalid({ lines: [getMessage('invoices.total_above_zero')] })
  if (totals.total >= MAX_TOTAL || lines.some(({ quantity }) => quantity >= MAX_TOTAL))
    throw new Invalid({ lines: [getMessage('invoices.total_digits')] })
  return totals
}

function dueDay(input: string, at: ReadAt): string {
  const day = readDay(input, at)
  if (day === undefined) throw new Invalid({ due_date: [DAY_MESSAGE] })
  return day
}
