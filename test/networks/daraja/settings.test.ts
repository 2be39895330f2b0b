import { describe, expect, it } from 'vitest'
import { secretNames, settingFields } from '../../../src/drivers/settings.ts'
import { traitsFor } from '../../../src/networks/contract.ts'
import { daraja } from '../../../src/networks/daraja/index.ts'
import { darajaSettings } from '../../../src/networks/daraja/settings.ts'
import { SECRET_ADDRESS, settings } from './recorded-network.ts'

function check(changes: object = {}, callback_url = SECRET_ADDRESS, environment = 'production') {
  const parsed = darajaSettings.parse({ ...settings, ...changes })
  const connection = { slug: 'shop-ke', environment, hosts: { api: 'https://x' }, settings: parsed }
  return daraja.checkSettings!(connection as never, callback_url)
}

describe('the settings of Daraja', () => {
  it('are described, and the secret ones are known', () => {
    expect(settingFields(daraja).map(({ name }) => name)).toEqual(Object.keys(darajaSettings.shape))
    expect(secretNames(daraja)).toEqual(['consumer_key', 'consumer_secret', 'passkey', 'initiator_password'])
  })

  it('need little', () => {
    const little = { consumer_key: 'a', consumer_secret: 'b', short_code: '174379' }
    expect(darajaSettings.parse(little)).toMatchObject({ kind: 'paybill', c2b_version: 'v2', pull_transactions: false })
    expect(darajaSettings.safeParse({ ...little, short_code: 'shop' }).success).toBe(false)
    expect(darajaSettings.safeParse({ ...little, sender_addresses: '196.201' }).success).toBe(false)
    expect(darajaSettings.safeParse({ ...little, sender_addresses: '10.0.0.0/8' }).success).toBe(true)
    expect(darajaSettings.safeParse({ ...little, nominated_number: '0722000000' }).success).toBe(false)
  })

  it('are right', () => {
    expect(check()).toEqual({})
    expect(
      check({
        payout_short_code: undefined,
        initiator: undefined,
        initiator_password: undefined,
        certificate: undefined,
      }),
    ).toEqual({})
  })

  it.each([
    ['mpesa', 'https://mpesa.example.com/x'],
    ['m-pesa', 'https://pay.example.com/M-Pesa'],
    ['safaricom', 'https://pay.example.com/Safaricom'],
    ['exe', 'https://executive.example.com/x'],
    ['cmd', 'https://pay.example.com/cmd'],
    ['sql', 'https://pay.example.com/x?a=SQL'],
    ['query', 'https://pay.example.com/query'],
  ])('refuse a callback address with the word %s, in words', (word, address) => {
    for (const environment of ['sandbox', 'production'])
      expect(check({}, address, environment)).toEqual({ callback_url: expect.stringContaining(`"${word}"`) })
  })

  it.each([
    ['http', 'http://pay.example.com/x', 'https'],
    ['a tunnel', 'https://abc.ngrok-free.app/x', 'tunnels'],
    ['this machine', 'https://localhost:8080/x', 'public internet'],
    ['a private address', 'https://192.168.1.4/x', 'public internet'],
    ['a private IPv6 address', 'https://[fd00::1]/x', 'public internet'],
  ])('refuse %s in production only', (_name, address, words) => {
    expect(check({}, address)).toEqual({ callback_url: expect.stringContaining(words) })
    expect(check({}, address, 'sandbox')).toEqual({})
  })

  it('report missing or wrong settings for payouts', () => {
    expect(Object.keys(check({ initiator: undefined }))).toEqual(['initiator'])
    expect(Object.keys(check({ initiator: undefined, initiator_password: undefined, certificate: undefined }))).toEqual(
      ['initiator', 'initiator_password', 'certificate'],
    )
    expect(Object.keys(check({ certificate: 'abc' }))).toEqual(['certificate'])
    expect(Object.keys(check({ initiator_password: 'x'.repeat(300) }))).toEqual(['initiator_password'])
    expect(Object.keys(check({ kind: 'till' }))).toEqual(['till'])
    expect(check({ kind: 'till', till: '5123456' })).toEqual({})
    expect(Object.keys(check({ pull_transactions: true }))).toEqual(['nominated_number'])
    expect(Object.keys(check({ trust_confirmations: true, sender_addresses: 'any' }))).toEqual(['trust_confirmations'])
  })
})

describe('the driver', () => {
  it('has a code that Daraja does not refuse, and says how it is asked', () => {
    expect(daraja.code).toBe('daraja')
    expect(traitsFor(daraja, 'charge')).toMatchObject({
      reference: 'ascii-12',
      repeat: 'charges-again',
      asked_by: 'remote_id',
      answers: 'in-reply',
    })
    expect(traitsFor(daraja, 'payout')).toMatchObject({
      reference: 'uuid-v4',
      asked_by: 'reference',
      answers: 'by-callback',
    })
    expect(traitsFor(daraja, 'refund')).toMatchObject({ asked_by: 'remote_id', answers: 'by-callback' })
  })

  it.each([
    ['+254708374149', true],
    ['+254110123456', true],
    ['+254740123456', true],
    ['+254757123456', true],
    ['+254790123456', true],
    ['+254733123456', false],
    ['+254750123456', false],
    ['+254770123456', false],
    ['+254100123456', false],
    ['+25470837414', false],
    ['+256772000001', false],
  ])('serves %s: %s', (phonenumber, serves) => {
    expect(daraja.places[0]!.phones.test(phonenumber)).toBe(serves)
  })
})
