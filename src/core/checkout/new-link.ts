import { z } from 'zod'
import { getMessage } from '../../lib/messages/message.ts'
import { formatAmount } from '../../lib/money.ts'
import { isTimestamp, parseTimestamp } from '../../lib/time.ts'
import { readTypedAmount, tooManyDecimals } from '../../lib/typed-amount.ts'
import {
  booleanField,
  choiceError,
  documented,
  errorMessage,
  fieldMessages,
  nullable,
  optional,
  positiveAmount,
  readList,
  requiredText,
  splitList,
  text,
} from '../fields.ts'
import { collectingAccount } from '../ledger/accounts.ts'
import { countryOf, currencyCountries, roundToCurrency, TEST_CURRENCY } from '../ledger/currencies.ts'
import { type FieldErrors, Invalid } from '../refusals.ts'
import { targetUrlError } from '../target-urls.ts'
import { newFields } from './own-fields.ts'

const MAX_AMOUNTS = 12
const MAX_FRAMES = 10
const MAX_URL_LENGTH = 1_000

/** Time when a link stops, as text. */
export const expiryDate = z
  .string({ error: errorMessage(getMessage('links.date')) })
  .refine(isTimestamp, getMessage('links.date'))
  .meta({
    description:
      'When the link stops taking payments: a time from now such as `24 hours`, DD/MM/YYYY[ HH:MM:SS] or ISO 8601.',
    examples: ['24 hours'],
  })

const returnUrl = requiredText(MAX_URL_LENGTH)
  .transform((url) => url.trim())
  .superRefine((url, context) => {
    const message = targetUrlError(url)
    if (message) context.addIssue({ code: 'custom', message })
  })
  .meta({
    description: 'An https URL of yours; the signed result is added to its query.',
    examples: ['https://shop.example/thanks'],
  })

/** Origins only, so that nothing else gets into the content policy of the page. */
const frameAncestors = z
  .preprocess(
    (input) => (typeof input === 'string' && !input.trim().startsWith('[') ? splitList(input) : readList(input)),
    z
      .array(
        z
          .string({ error: errorMessage(fieldMessages.string) })
          .transform((origin) => origin.trim().toLowerCase())
          .refine(isHttpsOrigin, getMessage('links.origin')),
        { error: errorMessage(getMessage('links.no_origins')) },
      )
      .max(MAX_FRAMES, getMessage('links.many_origins', { max: MAX_FRAMES })),
  )
  .meta({
    type: ['array', 'string'],
    description: 'Origins whose pages may show the page in a frame; none unless given.',
    examples: [['https://shop.example']],
  })

const amountList = z
  .preprocess(
    (input) => (typeof input === 'string' && !input.trim().startsWith('[') ? splitList(input) : readList(input)),
    z
      .array(positiveAmount, { error: errorMessage(getMessage('links.no_amounts')) })
      .min(1, getMessage('links.one_amount'))
      .max(MAX_AMOUNTS, getMessage('links.many_amounts', { max: MAX_AMOUNTS }))
      .refine((amounts) => new Set(amounts).size === amounts.length, getMessage('links.equal_amounts')),
  )
  .meta({ type: ['array', 'string'], description: 'The amounts to choose from.', examples: [['1000', '2000']] })

function isHttpsOrigin(origin: string): boolean {
  return /^https:\/\/[a-z0-9.-]{1,253}(:\d{1,5})?$/.test(origin) && URL.canParse(origin)
}

/**
 * Fields that can be changed later. The amount cannot: a customer may have it on the screen, and the code may be
 * printed.
 */
const changeable = {
  title: documented(requiredText(100), 'What is paid; networks show about 20 characters.', 'School fees, term 2'),
  description: documented(text(1_000), 'Text below the title.', 'For one child.'),
  success_message: documented(
    text(140),
    'Text on the receipt and of the SMS; `{amount}` and `{customer}` are replaced.',
    'Thank you!',
  ),
}

/** The body that creates a payment link. @param currencies those that may be collected */
export function newPaymentLinkBody(currencies: readonly string[]) {
  return z
    .object({
      title: changeable.title,
      description: optional(changeable.description),
      currency: z
        .string({ error: choiceError(currencies) })
        .trim()
        .refine((code) => currencies.includes(code), {
          error: (issue) => fieldMessages.choice(issue.input, currencies),
        })
        .meta({ examples: ['BXC'], description: `One of ${currencies.join(', ')}.` }),
      account: optional(collectingAccount),
      country: optional(
        z
          .enum([...new Set(Object.values(currencyCountries))], {
            error: choiceError([...new Set(Object.values(currencyCountries))]),
          })
          .meta({
            description: 'Country whose phone numbers need no country code. Default: the one of the currency.',
            examples: ['XX'],
          }),
      ),
      amount: optional(documented(positiveAmount, 'The amount, if it is fixed.', '1500')),
      min_amount: optional(documented(positiveAmount, 'The smallest amount, if the customer chooses.', '1000')),
      max_amount: optional(documented(positiveAmount, 'The largest amount, if the customer chooses.', '50000')),
      amounts: optional(amountList),
      single_use: optional(documented(booleanField, 'Whether it can be paid only once. Default false.', false)),
      expiry_date: optional(expiryDate),
      fields: optional(newFields),
      success_message: optional(changeable.success_message),
      return_url: optional(returnUrl),
      frame_ancestors: optional(frameAncestors),
    })
    .meta({ id: 'NewPaymentLink', examples: [{ title: 'School fees, term 2', amount: '1500', currency: 'BXC' }] })
}
type NewPaymentLinkBody = z.output<ReturnType<typeof newPaymentLinkBody>>

/** The fields of a change. */
export const linkChanges = z
  .object({
    title: optional(changeable.title),
    description: documented(changeable.description, 'Text below the title; empty for none.', '').optional(),
    success_message: documented(
      changeable.success_message,
      'Text on the receipt; empty for the default.',
      '',
    ).optional(),
    state: optional(
      z
        .enum(['active', 'closed'], { error: choiceError(['active', 'closed']) })
        .meta({ description: 'Closes the link, or opens it again.', examples: ['closed'] }),
    ),
    expiry_date: documented(nullable(expiryDate), 'When it stops taking payments; null for never.', null),
    return_url: documented(nullable(returnUrl), 'An https URL of yours; null for none.', null),
    frame_ancestors: frameAncestors.optional(),
  })
  .meta({ id: 'PaymentLinkChanges', examples: [{ state: 'closed' }] })

export type PaymentLinkChanges = z.output<typeof linkChanges>

/** A link that has passed validation and is to be stored. */
export interface NewPaymentLink {
  title: string
  description: string
  currency: string
  account: number | null
  country: string
  amount: bigint | null
  min_amount: bigint | null
  max_amount: bigint | null
  /** Amounts in the form of the wire. */
  amounts: string[] | null
  single_use: boolean
  expiry_date: Date | null
  fields: z.output<typeof newFields>
  success_message: string
  return_url: string | null
  frame_ancestors: string[]
}

/** Fills in defaults, and checks fields together. @throws Invalid with an error for each wrong field */
export function toNewPaymentLink(body: NewPaymentLinkBody, now: Date): NewPaymentLink {
  const errors: FieldErrors = {}
  checkAmounts(body, errors)
  const own_country = countryOf(body.currency)
  // Without a named account, which may be a cross-border one, the phones belong to the country of the currency.
  if (body.country && body.country !== own_country && !body.account && body.currency !== TEST_CURRENCY)
    errors.country = [getMessage('wallets.cross_border', { currency: body.currency })]
  const expiry_date = body.expiry_date === undefined ? null : readExpiry(body.expiry_date, now, errors)
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  return {
    title: body.title.trim(),
    description: body.description?.trim() ?? '',
    currency: body.currency,
    account: body.account || null,
    country: body.country ?? own_country,
    amount: body.amount ?? null,
    min_amount: body.min_amount ?? null,
    max_amount: body.max_amount ?? null,
    amounts: body.amounts?.map(formatAmount) ?? null,
    single_use: body.single_use ?? false,
    expiry_date,
    fields: body.fields ?? [],
    success_message: body.success_message?.trim() ?? '',
    return_url: body.return_url ?? null,
    frame_ancestors: body.frame_ancestors ?? [],
  }
}

/** Reads the date on which a link stops. Null stays null: it never stops. */
export function readExpiry(text: string | null, now: Date, errors: FieldErrors): Date | null {
  const date = text === null ? null : parseTimestamp(text, now)
  if (date === undefined) errors.expiry_date = [getMessage('links.date')]
  else if (date && date <= now) errors.expiry_date = [getMessage('requests.past_expiry')]
  return date ?? null
}

const ONE_KIND = getMessage('links.amount')

function checkAmounts(body: NewPaymentLinkBody, errors: FieldErrors): void {
  const { amount, min_amount: min, max_amount: max, amounts, currency } = body
  const is_open = min !== undefined || max !== undefined
  if ([amount !== undefined, is_open, amounts !== undefined].filter(Boolean).length !== 1) {
    errors.amount = [ONE_KIND]
    return
  }
  if (is_open && (min === undefined || max === undefined))
    errors[min === undefined ? 'min_amount' : 'max_amount'] = [fieldMessages.required]
  else if (is_open && max! < min!) errors.max_amount = [getMessage('links.largest')]
  const too_fine = (one: bigint | undefined) => one !== undefined && roundToCurrency(one, currency) !== one
  const message = tooManyDecimals(currency)
  if (too_fine(amount)) errors.amount = [message]
  if (too_fine(min)) errors.min_amount = [message]
  if (too_fine(max)) errors.max_amount = [message]
  if (amounts?.some(too_fine)) errors.amounts = [message]
}

/** Reason why a customer's amount does not fit the link. `missing`: none was given or chosen. */
export type AmountFault = 'missing' | 'number' | 'range' | 'choice'

/** Fields of a link about its amount. */
type LinkAmounts = Pick<NewPaymentLink, 'amount' | 'min_amount' | 'max_amount' | 'amounts' | 'currency'> &
  Partial<Pick<NewPaymentLink, 'country'>>

/** Reads the amount that a customer has typed or chosen. A fixed one is never read from the form. */
export function readLinkAmount(link: LinkAmounts, given: string): { amount: bigint } | { fault: AmountFault } {
  if (link.amount !== null) return { amount: link.amount }
  if (given.trim() === '') return { fault: 'missing' }
  const read = readTypedAmount(given, link)
  const amount = 'amount' in read ? read.amount : undefined
  if (link.amounts !== null)
    return amount !== undefined && link.amounts.includes(formatAmount(amount)) ? { amount } : { fault: 'choice' }
  if (amount === undefined || roundToCurrency(amount, link.currency) !== amount) return { fault: 'number' }
  return amount >= link.min_amount! && amount <= link.max_amount! ? { amount } : { fault: 'range' }
}
