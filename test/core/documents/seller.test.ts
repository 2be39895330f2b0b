import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTableHeading, sellerLines } from '../../../src/core/checkout/letterhead.ts'
import { changeOfSeller, checkSeller, NO_SELLER, readSeller, setSeller } from '../../../src/core/documents/seller.ts'
import { Invalid } from '../../../src/core/refusals.ts'
import { begin } from '../../../src/db/client.ts'
import english from '../../../src/lib/messages/en.json' with { type: 'json' }
import french from '../../../src/lib/messages/fr.json' with { type: 'json' }
import swahili from '../../../src/lib/messages/sw.json' with { type: 'json' }
import { createTranslator } from '../../../src/lib/messages/translate.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

let testApp: TestApp
beforeAll(async () => {
  testApp = await buildTestApp()
})
afterAll(() => testApp.close())

const SELLER = {
  legal_name: 'Green Hill Schools Limited',
  address: 'Plot 14\nKampala',
  tax_number: '1000123456',
  phone: '+256 414 123456',
  email: 'accounts@greenhill.example',
  payment_terms: 'Within 14 days.',
}

const at = (day: string) => new Date(`${day}T12:00:00Z`)

describe('the details of the seller', () => {
  it('belong to documents of their time, the first ones also to those before', async () => {
    const { app, organization } = testApp
    const moved = { ...SELLER, address: 'Plot 20\nEntebbe' }
    expect(await readSeller(app.db, organization)).toEqual(NO_SELLER)
    const set = (day: string, seller: typeof SELLER) =>
      begin(app.db, (tx) => setSeller(tx, at(day), organization, seller))
    expect(await set('2030-01-15', SELLER)).toEqual(NO_SELLER)
    expect(await set('2030-02-15', moved)).toEqual(SELLER)
    const of = async (day: string) => (await readSeller(app.db, organization, at(day))).address
    expect([await of('2030-01-01'), await of('2030-01-15'), await of('2030-02-14'), await of('2030-02-16')]).toEqual([
      SELLER.address,
      SELLER.address,
      SELLER.address,
      moved.address,
    ])
    expect(await readSeller(app.db, organization)).toEqual(moved)
    expect(changeOfSeller(SELLER, moved)).toEqual({ address: moved.address, address_before: SELLER.address })
    const heading = await readTableHeading(app.db, { id: organization, name: 'Green Hill' }, at('2030-03-01'))
    expect(heading.letterhead).toMatchObject({ name: 'Green Hill', details: expect.arrayContaining(['Plot 20']) })
  })

  it('are taken as people type them, and refused where they are wrong', () => {
    const typed = { ...SELLER, address: ' Plot 14 \r\n\n Kampala\n', email: ' accounts@greenhill.example ' }
    expect(checkSeller(typed)).toEqual(SELLER)
    expect(checkSeller(NO_SELLER)).toEqual(NO_SELLER)
    const wrong = { ...SELLER, address: '1\n2\n3\n4\n5\n6\n7', phone: 'call me', email: 'accounts' }
    const refusal = (() => {
      try {
        return checkSeller(wrong)
      } catch (error) {
        return error
      }
    })()
    expect(refusal).toBeInstanceOf(Invalid)
    expect((refusal as Invalid).fields).toEqual({
      address: ['Ensure this field has no more than 6 lines.'],
      phone: ['Enter a phone number such as +256 414 123456.'],
      email: ['Enter a valid email address.'],
    })
    const { fields } = refusal as Invalid
    expect(createTranslator(english, french, String)(String(fields.address))).toBe('Ce champ compte au plus 6 lignes.')
    expect(createTranslator(english, swahili, String)(String(fields.phone))).toBe(
      'Weka namba ya simu kama +256 414 123456.',
    )
  })

  it('are lines in the language of the document, without a name that is said already', () => {
    expect(sellerLines(SELLER, 'Green Hill', 'en')).toEqual([
      'Green Hill Schools Limited',
      'Plot 14',
      'Kampala',
      'Tax number: 1000123456',
      'Phone: +256 414 123456',
      'E-mail: accounts@greenhill.example',
    ])
    expect(sellerLines(SELLER, SELLER.legal_name, 'fr')[2]).toBe('N° fiscal\u00a0: 1000123456')
    expect(sellerLines(NO_SELLER, 'Green Hill', 'sw')).toEqual([])
  })
})
