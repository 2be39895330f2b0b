import { z } from 'zod'
import { getMessage } from '../../lib/messages/message.ts'
import { parseAmount } from '../../lib/money.ts'
import {
  booleanField,
  choiceError,
  documented,
  errorMessage,
  fieldMessages,
  readList,
  requiredText,
} from '../fields.ts'

const types = ['text', 'number', 'choice'] as const

/** Question of the organization on the page of a link. The answer is in the metadata of the request, under `name`. */
export const OwnField = z
  .object({
    name: documented(z.string(), 'The key in the metadata of the request.', 'pupil'),
    label: documented(z.string(), 'What the customer reads.', 'Name of the pupil'),
    type: documented(z.enum(types), 'Text, a number, or one of `choices`.', 'text'),
    required: documented(z.boolean(), 'Whether the customer must answer.', true),
    choices: documented(z.array(z.string()), 'What can be chosen; empty for the other types.', []),
  })
  .meta({ id: 'PaymentLinkField' })
export type OwnField = z.output<typeof OwnField>

/** The key under which the metadata of a request names its link. */
export const LINK_KEY = 'payment_link'

const MAX_FIELDS = 10
const MAX_CHOICES = 50
/** Maximum length of a customer's number: room for meters and accounts, and no exponents. */
const MAX_NUMBER_LENGTH = 15

const newField = z
  .object({
    name: z
      .string({ error: errorMessage(fieldMessages.string) })
      .regex(/^[a-z][a-z0-9_]{0,39}$/, getMessage('links.field_name'))
      .refine((name) => name !== LINK_KEY, getMessage('links.field_taken', { name: LINK_KEY })),
    label: requiredText(100),
    type: z.enum(types, { error: choiceError(types) }).default('text'),
    required: booleanField.default(false),
    choices: z
      .array(requiredText(100))
      .max(MAX_CHOICES, getMessage('links.many_choices', { max: MAX_CHOICES }))
      .default([]),
  })
  .superRefine(({ type, choices }, context) => {
    const has_wrong_choices = type === 'choice' ? choices.length === 0 : choices.length > 0
    if (has_wrong_choices) context.addIssue({ code: 'custom', message: getMessage('links.choices') })
    if (new Set(choices).size < choices.length)
      context.addIssue({ code: 'custom', message: getMessage('links.equal_choices') })
  })

/** The `fields` of a new link: a list, or a JSON text of one. */
export const newFields = z
  .preprocess(
    readList,
    z
      .array(newField, { error: errorMessage(getMessage('links.no_fields')) })
      .max(MAX_FIELDS, getMessage('links.many_fields', { max: MAX_FIELDS }))
      .refine(
        (fields) => new Set(fields.map(({ name }) => name)).size === fields.length,
        getMessage('links.equal_fields'),
      ),
  )
  .meta({
    type: ['array', 'string'],
    description:
      'Further fields for the customer: `name`, `label`, `type` (text, number, choice), `required`, `choices`.',
    examples: [[{ name: 'pupil', label: 'Name of the pupil', type: 'text', required: true }]],
  })

/** Reason why an answer is refused. */
export type AnswerFault = 'required' | 'too_long' | 'number' | 'choice'

const MAX_ANSWER_LENGTH = 200

/**
 * Reads the answers of a customer to the fields of a link.
 * @returns the answers for the metadata of the request, without those that were not given, and the fault of each wrong one
 */
export function readAnswers(
  fields: readonly OwnField[],
  given: Readonly<Record<string, unknown>>,
): { answers: Record<string, string>; faults: Record<string, AnswerFault> } {
  const answers: Record<string, string> = {}
  const faults: Record<string, AnswerFault> = {}
  for (const field of fields) {
    const value = given[field.name]
    const answer = typeof value === 'string' ? value.trim() : ''
    const fault = faultOf(field, answer)
    if (fault) faults[field.name] = fault
    else if (answer !== '') answers[field.name] = answer
  }
  return { answers, faults }
}

function faultOf({ type, required, choices }: OwnField, answer: string): AnswerFault | undefined {
  if (answer === '') return required ? 'required' : undefined
  if (answer.length > MAX_ANSWER_LENGTH) return 'too_long'
  if (type === 'choice' && !choices.includes(answer)) return 'choice'
  if (type === 'number' && (answer.length > MAX_NUMBER_LENGTH || parseAmount(answer) === undefined)) return 'number'
  return undefined
}
