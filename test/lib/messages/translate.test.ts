import { expect, it } from 'vitest'
import english from '../../../src/lib/messages/en.json' with { type: 'json' }
import french from '../../../src/lib/messages/fr.json' with { type: 'json' }
import { getMessage, type MessageKey } from '../../../src/lib/messages/message.ts'
import { createTranslator, type MessageValues } from '../../../src/lib/messages/translate.ts'
import { translateAmount } from '../../../src/lib/text/amount-texts.ts'

const words: Record<string, string> = { paid: 'payée' }
const inFrench = createTranslator(
  english,
  french,
  (code) => words[code] ?? code,
  (amount) => translateAmount(amount, 'fr'),
)
const say = (key: MessageKey, values?: MessageValues) => inFrench(getMessage(key, values))

it('a message is found by its English text, with its values', () => {
  expect(say('contacts.name_missing')).toBe('Le nom manque.')
  expect(say('customers.no_number', { number: 'P-17. B' })).toBe('Aucun client n’a le numéro P-17. B.')
  expect(say('wallets.too_little', { available: 'UGX 500', required: 'UGX 1,500' })).toBe(
    'Le compte contient 500\u00a0UGX, mais le paiement exige 1\u202f500\u00a0UGX.',
  )
})

it('texts of networks and parts of messages stay as they are', () => {
  for (const text of ['DEPOSITOR_LIMIT', 'collect', 'row 3', 'There is no moon.', '']) expect(inFrench(text)).toBe(text)
})

it('codes in a message are words of the language', () => {
  expect(say('invoices.nothing_to_pay', { state: 'paid' })).toBe(
    'Il n’y a rien à payer (état de la facture\u00a0: payée).',
  )
})

it('messages in a message are translated, too', () => {
  const rows_text = getMessage('parts.rows_and_more', { rows: '3, 4', count: 7 })
  expect(say('files.hidden_rows', { rows_text })).toBe(
    'Des lignes masquées ont été ignorées\u00a0: lignes 3, 4 et 7 autres.',
  )
  const limits_texts = ['MTN', 'Airtel']
    .map((name) => getMessage('parts.whole_amounts', { name, min: '500', max: '5,000' }))
    .join('; ')
  expect(say('networks.none_carries', { limits_texts })).toBe(
    'Aucun réseau de ce numéro n’accepte ce montant\u00a0: MTN prend des montants entiers de 500 à 5\u202f000; Airtel prend des montants entiers de 500 à 5\u202f000.',
  )
})

it('of two messages that fit, the longer one is meant', () => {
  const names = 'MTN, Airtel'
  expect(say('networks.none_serves_but', { currency: 'UGX', names })).toBe(
    'Aucun réseau ne dessert ce numéro en UGX. En UGX, il y a\u00a0: MTN, Airtel.',
  )
})

it('every message comes back, whatever its values', () => {
  const identity = createTranslator(english, english, (code) => code)
  const numbered = createTranslator(
    english,
    Object.fromEntries(Object.keys(english).map((key) => [key, { message: key }])),
    (code) => code,
  )
  for (const [key, { message }] of Object.entries(english)) {
    const names = [...message.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => [name!, name!] as const)
    const text = getMessage(key as MessageKey, Object.fromEntries(names))
    expect(identity(text)).toBe(text)
    if (!key.startsWith('parts.')) expect(numbered(text)).toBe(key)
  }
})
