import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { amountMarks, groupTypedAmount } from '../../src/lib/typed-amount.ts'
import { SCRIPT } from '../../src/pay/script.ts'

/* The field of an amount on the page of a payment link, as a browser with scripts shows it. */

/** Open the form of a page in a country, and return what types into its amount. */
function openField(country: string, language?: 'fr') {
  let changed = () => {}
  const amount = {
    value: '',
    selectionStart: 0,
    dataset: amountMarks(country, language),
    addEventListener: (_event: string, listener: () => void) => {
      changed = listener
    },
    setSelectionRange: (start: number) => {
      amount.selectionStart = start
    },
  }
  const silent = { addEventListener: () => {}, textContent: '', dataset: {} }
  const form = { ...silent, querySelector: (what: string) => (what === 'button' ? silent : amount) }
  const document = { querySelector: () => form, getElementById: () => silent }
  runInNewContext(SCRIPT, { document, location: { pathname: '/' }, addEventListener: () => {}, setTimeout: () => {} })
  return (value: string, caret = value.length) => {
    Object.assign(amount, { value, selectionStart: caret })
    changed()
    return { text: amount.value, caret: amount.selectionStart }
  }
}

it.each([
  ['KE', ['2', '25', '250', '2500', '2,5000', '25,000.', '25,000.5']],
  ['UG', ['1000000', '1,000,00', '10,00']],
  ['TZ', ['25 000', '25 0001', '0.5']],
  ['RW', ['2500', '2.5000', '25.000,5']],
])('shows an amount in %s as the console does, whatever is typed', (country, texts) => {
  const type = openField(country)
  let before = ''
  for (const text of texts) {
    const expected = groupTypedAmount(text, before, country)
    expect(type(text).text).toBe(expected)
    before = expected
  }
})

it('separates the thousands with spaces on a French page', () => {
  const type = openField('UG', 'fr')
  for (const text of ['2', '25', '250', '2500']) type(text)
  expect(type('2\u202f5000').text).toBe('25\u202f000')
  expect(type('25\u202f000,5').text).toBe('25\u202f000,5')
})

it('keeps the caret before the digits that it stood before', () => {
  const type = openField('KE')
  type('25,000')
  expect(type('251,000', 3)).toEqual({ text: '251,000', caret: 3 })
  expect(type('2519,000', 4)).toEqual({ text: '2,519,000', caret: 5 })
})
