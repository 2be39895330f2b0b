import { describe, expect, it } from 'vitest'
import { erasePerson } from '../../src/lib/erase-person.ts'

const PHONE = '+256772000001'
const PERSON = { phone: PHONE, contact: 7 }
const erase = (message: unknown) =>
  JSON.parse(erasePerson(JSON.stringify(message), PERSON, 'erased-7')) as Record<string, unknown>

describe('erasing a person from a stored message', () => {
  it('erases a customer without a phone where the contact is named, and leaves the phone of the payer', () => {
    const pupil = { phone: null, contact: 7 }
    const invoice = { id: 3, contact: 7, customer_name: 'Betty', phonenumber: PHONE, notes: 'P5', total: '5.0000' }
    const contact = { id: 7, phone_number: '', first_name: 'Betty', name_on_network: '' }
    const other = { id: 7, first_name: 'Grace', phonenumber: PHONE }
    expect(JSON.parse(erasePerson(JSON.stringify({ invoice, contact, other }), pupil, 'erased-7'))).toEqual({
      invoice: { ...invoice, customer_name: '', notes: '' },
      contact: { ...contact, first_name: 'Erased' },
      other,
    })
  })

  it('leaves the name of the customer for whom the person pays', () => {
    const invoice = { contact: 8, customer_name: 'Betty', phonenumber: PHONE }
    expect(erase(invoice)).toEqual({ ...invoice, phonenumber: 'erased-7' })
  })

  it('erases the personal fields of every object with the number, at any depth, and keeps ids, amounts and states', () => {
    const contact = {
      id: 7,
      phone_number: PHONE,
      first_name: 'Grace',
      last_name: 'Akello',
      email: null,
      metadata: null,
    }
    const request = { id: 3, phonenumber: PHONE, amount: '15.0000', reason: 'School fees Grace', metadata: { a: 1 } }
    expect(erase({ hook: { id: 1 }, data: { ...request, status: 'failed', contact } })).toEqual({
      hook: { id: 1 },
      data: {
        id: 3,
        phonenumber: 'erased-7',
        amount: '15.0000',
        reason: '',
        metadata: {},
        status: 'failed',
        contact: {
          id: 7,
          phone_number: 'erased-7',
          first_name: 'Erased',
          last_name: 'Contact',
          email: null,
          metadata: null,
        },
      },
    })
  })

  it('leaves other people unchanged', () => {
    const other = { phonenumber: '+256772000002', first_name: 'Brian', reason: 'Order 7' }
    expect(erase({ other, mine: { phonenumber: PHONE, first_name: 'Grace' } })).toEqual({
      other,
      mine: { phonenumber: 'erased-7', first_name: 'Erased' },
    })
  })

  it('replaces the number everywhere else, with and without its plus', () => {
    expect(erase({ description: 'Collection 1 from +256772000001', msisdn: '256772000001' })).toEqual({
      description: 'Collection 1 from erased-7',
      msisdn: 'erased-7',
    })
    expect(erasePerson('<from>256772000001</from>', PERSON, 'erased-7')).toBe('<from>erased-7</from>')
  })

  it('erases the description of a payment to this person only, and keeps that of a payment to several', () => {
    const alone = { phone_nos: [PHONE], description: 'Wages Grace', metadata: { run: 1 } }
    expect(erase(alone)).toEqual({ phone_nos: ['erased-7'], description: '', metadata: {} })
    const several = { phone_nos: [{ phonenumber: PHONE, description: 'Grace' }, { phonenumber: '+256772000002' }] }
    expect(erase({ ...several, description: 'Wages of May' })).toEqual({
      phone_nos: [{ phonenumber: 'erased-7', description: '' }, { phonenumber: '+256772000002' }],
      description: 'Wages of May',
    })
  })
})
