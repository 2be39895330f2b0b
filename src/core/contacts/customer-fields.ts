import { z } from 'zod'
import { getMessage } from '../../lib/messages/message.ts'
import { documented, errorMessage, optional, phonenumber, readList, requiredText, text } from '../fields.ts'
import { keysOfNumber } from '../numbers/keys.ts'

export const MAX_NUMBER_LENGTH = 50
const MAX_TAGS = 20
const MAX_TAG_LENGTH = 50
const TAGS_MESSAGE = getMessage('contacts.many_tags', { max: MAX_TAGS })
export const MAX_NOTES_LENGTH = 2_000
export const MAX_PAYERS = 10
export const MAX_PAYER_NAME_LENGTH = 100

/** Somebody else who pays for a customer. */
export const ContactPayer = z
  .object({
    phone_number: documented(z.string(), 'E.164.', '+80000000009'),
    name: documented(z.string(), 'Name of the payer; may be empty.', 'Grace Nakato'),
  })
  .meta({ id: 'ContactPayer' })
export type ContactPayer = z.output<typeof ContactPayer>

/** Fields of a contact as a customer, as they are shown. */
export const customerShape = {
  number: documented(z.string().nullable(), 'The customer number, which payers type; unique.', null, 'P5-017'),
  tags: documented(z.array(z.string()), 'Groups of customers, such as a class or a route.', ['P5']),
  notes: documented(z.string(), 'Your own text about the customer.', ''),
  payers: documented(
    z.array(ContactPayer),
    'Other payers of the customer. The first one is asked if the customer has no phone.',
    [],
  ),
}

export const NUMBER_MESSAGE = getMessage('contacts.empty_number')

/** A customer number: one line, with single blanks. */
export const customerNumber = requiredText(MAX_NUMBER_LENGTH)
  .transform(toOneLine)
  .refine((number) => keysOfNumber(number) !== undefined, NUMBER_MESSAGE)
  .meta({
    description: 'The customer number, which payers type. Unique, ignoring case, blanks, dashes and leading zeros.',
    examples: ['P5-017'],
  })

/** Maximum length of a list in a body, with entries that are there twice, and of its text. */
const MAX_TYPED = { entries: 1_000, letters: 100_000 }
const PAYERS_MESSAGE = getMessage('contacts.many_payers', { max: MAX_PAYERS })

/** Read a list that was typed, and refuse a long one at once: half a million entries would hold up other callers. */
function readTyped(input: unknown, split: (text: string) => unknown[], message: string, context: z.RefinementCtx) {
  const is_long = typeof input === 'string' && input.length > MAX_TYPED.letters
  const is_text = typeof input === 'string' && !input.trim().startsWith('[')
  const list = is_long ? undefined : is_text ? split(input) : readList(input)
  if (!is_long && !(Array.isArray(list) && list.length > MAX_TYPED.entries)) return list
  context.addIssue({ code: 'custom', message })
  return z.NEVER
}

const tag = text(1_000)
  .transform(toOneLine)
  .superRefine((one, context) => {
    const message = tagError(one)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })

/** Tags: a list, or a text with commas. */
export const tagList = z
  .preprocess(
    (input, context) => readTyped(input, splitTags, TAGS_MESSAGE, context),
    z
      .array(tag, { error: errorMessage(getMessage('contacts.no_tags')) })
      .transform(distinctTags)
      .refine((tags) => tags.length <= MAX_TAGS, TAGS_MESSAGE),
  )
  .meta({
    type: ['array', 'string'],
    description: `Groups of customers, such as a class, a branch or a route: at most ${MAX_TAGS}.`,
    examples: [['P5', 'Bus 2']],
  })

/** Payers: a list, a JSON text of one, or lines such as `Grace Nakato +256772000001`. */
export const payerList = z
  .preprocess(
    (input, context) => readTyped(input, splitPayers, PAYERS_MESSAGE, context),
    z
      .array(
        z
          .object({
            phone_number: documented(phonenumber, 'With the country code.', '+80000000009'),
            name: optional(
              documented(text(MAX_PAYER_NAME_LENGTH).transform(toOneLine), 'Name of the payer.', 'Grace Nakato'),
            ),
          })
          .meta({ id: 'NewContactPayer' })
          .transform(
            ({ phone_number, name }): ContactPayer => ({ phone_number: phone_number.number, name: name ?? '' }),
          ),
        { error: errorMessage(getMessage('contacts.no_payers')) },
      )
      .max(MAX_PAYERS, PAYERS_MESSAGE)
      .refine(
        (payers) => new Set(payers.map(({ phone_number }) => phone_number)).size === payers.length,
        getMessage('contacts.equal_payers'),
      ),
  )
  .meta({
    description: `Other payers of the customer, such as a parent or a sponsor: at most ${MAX_PAYERS}.`,
    examples: [[{ phone_number: '+80000000009', name: 'Grace Nakato' }]],
  })

/** A text about a customer. */
export const customerNotes = documented(text(MAX_NOTES_LENGTH), 'Your own text about the customer.', '')

/** Returns the fault of a tag; undefined for none. */
export function tagError(tag: string): string | undefined {
  if ([...tag].length > MAX_TAG_LENGTH) return getMessage('contacts.long_tag', { max: MAX_TAG_LENGTH })
  return /[,;]/.test(tag) ? getMessage('contacts.tag_signs') : undefined
}

/** Returns the fault of many tags together; undefined for none. */
export function tagsError(tags: readonly string[]): string | undefined {
  return tags.length > MAX_TAGS ? TAGS_MESSAGE : undefined
}

/** Tags without empty ones and without those that differ from an earlier one only in case. */
export function distinctTags(tags: readonly string[]): string[] {
  const first = new Map<string, string>()
  for (const one of tags) if (one !== '' && !first.has(one.toLowerCase())) first.set(one.toLowerCase(), one)
  return [...first.values()]
}

/** The tags of a text with commas, semicolons or lines between them. */
export function splitTags(text: string): string[] {
  return text.split(/[,;\n]/).map(toOneLine)
}

/** The payers of a text, as people write them: `Grace Nakato +256772000001; Father 0772 000002`. */
export function splitPayers(text: string): { phone_number: string; name: string }[] {
  return text
    .split(/[;\n]/)
    .map(toOneLine)
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.length <= MAX_PAYER_LENGTH ? findPhone(part) : 0
      return { phone_number: part.slice(at), name: withoutEnd(part.slice(0, at)) }
    })
}

/**
 * Returns the position of the number at the end of a text: its plus sign, or its first digit. 0 if the text ends with
 * none.
 */
function findPhone(text: string): number {
  let at = text.length
  while (at > 0 && /[\p{Nd}\s().-]/u.test(text[at - 1]!)) at--
  if (at > 0 && /[+＋]/.test(text[at - 1]!)) return countDigits(text.slice(at)) < MIN_DIGITS ? 0 : at - 1
  // A digit that stands in a word belongs to the name.
  while (at < text.length && !(/\p{Nd}/u.test(text[at]!) && !/[\p{L}\p{Nd}]/u.test(text[at - 1] ?? ' '))) at++
  return countDigits(text.slice(at)) < MIN_DIGITS ? 0 : at
}

function countDigits(text: string): number {
  return text.match(/\p{Nd}/gu)?.length ?? 0
}

function withoutEnd(name: string): string {
  let end = name.length
  while (end > 0 && /[\s:,]/.test(name[end - 1]!)) end--
  return name.slice(0, end)
}

/** Maximum length of a payer: enough for a name and a number. */
const MAX_PAYER_LENGTH = 2 * MAX_PAYER_NAME_LENGTH
/** Fewer digits are no phone number. */
const MIN_DIGITS = 6

/** The text with single blanks and none at its ends. */
export function toOneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}
