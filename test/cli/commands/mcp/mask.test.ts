import { expect, it } from 'vitest'
import { mask } from '../../../../src/cli/commands/mcp/mask.ts'

it('hides phone numbers in every form, also inside texts and lists', () => {
  expect(mask({ phonenumber: '+256772000123', phone: '08031234567', phone_nos: ['+254712000456'] })).toEqual({
    phonenumber: '+256***123',
    phone: '080***567',
    phone_nos: ['+254***456'],
  })
  expect(mask({ body: 'Pay to 0772000123, or call +256 772.' })).toEqual({
    body: 'Pay to 077***123, or call +256 772.',
  })
})

it('hides tokens and pins, and what a provider said of them', () => {
  expect(mask({ tokenCode: '1234-5678', pinValue: '99', rawOutput: { token: '1' }, name: 'Amina' })).toEqual({
    tokenCode: '***',
    pinValue: '***',
    rawOutput: '***',
    name: 'Amina',
  })
})

it('hides all goods of a bought bill, under every name that a provider has for them', () => {
  const plain = { transactionStatus: 'success', transactionReference: 7, amountOfPower: '70.7KWH', tokenAmount: 5000 }
  const goods = {
    creditToken: '59467595128383917049',
    resetToken: '1234',
    token_pin: 'AB-12',
    rawData: { standardTokenValue: '59467595128383917049' },
    pins: [{ instructions: 'Dial *126*', serialNumber: 'S1', pin: '367825132139' }],
  }
  const hidden = Object.fromEntries(Object.keys(goods).map((field) => [field, '***']))
  expect(mask({ data: { ...plain, ...goods } })).toEqual({ data: { ...plain, ...hidden } })
})

it('hides the token of a meter in a text, also in groups', () => {
  expect(mask({ body: 'Token for meter 45: 5946 7595 1283 8391 7049 (70.7KWH). NGN 5,000 paid.' })).toEqual({
    body: 'Token for meter 45: *** (70.7KWH). NGN 5,000 paid.',
  })
  expect(mask(['59467595128383917049', '5946-7595-1283-8391-7049.'])).toEqual(['***', '***.'])
})

it('leaves amounts, ids, references, times and names of networks as they are', () => {
  const plain = {
    amount: '1250000000.0000',
    id: 10700149000,
    remote_transaction_id: '123456789012',
    agentReference: '1234567890',
    created: '2030-01-31T12:00:00Z',
    network_name: 'MTN Uganda',
    account: null,
  }
  expect(mask(plain)).toEqual(plain)
})
