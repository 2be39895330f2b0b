import { describe, expect, it } from 'vitest'
import { buildTokenText } from '../../../src/core/bills/token-sms.ts'
import { smsSuffix } from '../../../src/core/sms/message.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { countParts } from '../../../src/lib/sms-text.ts'

const SOLD = {
  account_number: '45123456789',
  amount: parseAmount('10000')!,
  currency: 'NGN',
  vended: { token: '12345678901234567890', amount_of_power: '32.5 kWh', more: {} },
}

function build(service_name: string, organization: string, more: Record<string, string> = {}) {
  const sold = { ...SOLD, service_name, vended: { ...SOLD.vended, more } }
  const text = buildTokenText(sold as Parameters<typeof buildTokenText>[0], organization)
  return { text, parts: countParts(text + smsSuffix('Kusanya')).parts }
}

describe('the SMS with a token', () => {
  it('names the service if it fits one SMS', () => {
    expect(build('Ikeja Prepaid', 'Demo Shop')).toEqual({
      text: 'Ikeja Prepaid. Token for meter 45123456789: 1234 5678 9012 3456 7890 (32.5 kWh). NGN 10,000 paid at Demo Shop.',
      parts: 1,
    })
  })

  it('leaves the service out if its name needs a second SMS, and names it if there are two anyway', () => {
    const { text, parts } = build('Port Harcourt Electric Prepaid', 'Mama Grace General Stores')
    expect(text).toMatch(
      /^Token for meter 45123456789: 1234 5678 9012 3456 7890 .* paid at Mama Grace General Stores\.$/,
    )
    expect(parts).toBe(1)
    const tokens = { resetToken: '1'.repeat(20), configureToken: '2'.repeat(20) }
    expect(build('Ikeja Prepaid', 'Demo Shop', tokens)).toMatchObject({
      text: expect.stringMatching(/^Ikeja Prepaid\. .* Enter first: 1111 .*, then 2222 /),
      parts: 2,
    })
  })
})
