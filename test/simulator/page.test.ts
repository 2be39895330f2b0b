import { expect, it } from 'vitest'
import { renderPage } from '../../src/simulator/page.ts'

it('shows the prompts of the phones, with amounts as everywhere', () => {
  const prompt = {
    door: 'mtn-momo',
    reference: 'r-1',
    phonenumber: '+256772000001',
    receiver: '100',
    reason: '<Rent>',
    amount: '3000.5000',
    currency: 'UGX',
  }
  expect(renderPage([], [prompt as Parameters<typeof renderPage>[1][number]], [])).toContain(
    'UGX 3,000.50 to 100: &#60;Rent&#62;',
  )
})
