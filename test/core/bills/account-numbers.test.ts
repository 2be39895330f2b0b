import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeAccount, readAccountNumber } from '../../../src/core/bills/account-numbers.ts'
import type { Service } from '../../../src/core/bills/catalogue.ts'
import { readCatalogueFile } from '../../../src/core/bills/catalogue-file.ts'
import { exportCatalogue, importCatalogue } from '../../../src/core/bills/catalogue-import.ts'
import type { BillRefusal } from '../../../src/core/bills/refusals.ts'
import { begin } from '../../../src/db/client.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

let testApp: TestApp
beforeAll(async () => {
  testApp = await buildTestApp()
})
afterAll(() => testApp.close())

describe('account numbers with letters', () => {
  const utility = (account: object) => ({
    category: 'electricity',
    service_type: 'zesa_prepaid',
    name: 'ZESA',
    country: 'ZA',
    currency: 'ZAR',
    biller_id: 1,
    product_id: 1,
    prepaid: true,
    tariff: 2,
    account,
  })
  const readFile = (account: object) =>
    readCatalogueFile(
      JSON.stringify({
        format: 'kusanya-catalogue/1',
        categories: [{ code: 'electricity', name: 'Electricity' }],
        services: [utility(account)],
      }),
    )
  const serviceWith = (account: object) => {
    const read = readFile(account)
    if ('errors' in read) throw new Error(JSON.stringify(read.errors))
    return read.catalogue.services[0]! as unknown as Service
  }
  const messageOf = (service: Service, text: string) => {
    try {
      return readAccountNumber(service, text)
    } catch (error) {
      return (error as BillRefusal).fields?.account_number?.[0]
    }
  }

  it('fit a pattern of the catalogue, with or without its separators', () => {
    const service = serviceWith({ kind: 'text', patterns: ["'ZA'-999/99"], name: 'customer reference' })
    expect(
      ['ZA-123/45', 'za-123/45', ' ZA 123 45 ', 'ZA12345', 'za-123-45'].map((text) => messageOf(service, text)),
    ).toEqual(Array(5).fill('ZA-123/45'))
    const wanted = 'Enter a customer reference: "ZA", "-", 3 digits, "/", 2 digits (such as ZA-123/45).'
    for (const text of ['ZB-123/45', 'ZA-12/345678', 'ZA-1234', "ZA-123/45' or 1=1", '١٢٣', ''])
      expect([text, messageOf(service, text)]).toEqual([text, wanted])
    expect(describeAccount(service)).toBe('customer reference: "ZA", "-", 3 digits, "/", 2 digits (such as ZA-123/45)')
  })

  it('are not guessed where two patterns would fit', () => {
    const service = serviceWith({ kind: 'text', patterns: ['99-999', '999-99', 'AX9'], keep_case: true })
    expect(['12-345', '123-45', 'bC7', 'Bc7'].map((text) => messageOf(service, text))).toEqual([
      '12-345',
      '123-45',
      'bC7',
      'Bc7',
    ])
    expect(messageOf(service, '12345')).toBe(
      'Enter an account number: 2 digits, "-", 3 digits (such as 12-345), or 3 digits, "-", 2 digits (such as 123-45), ' +
        'or 1 letter, 1 letter or digit, 1 digit (such as AB1).',
    )
  })

  it('have a length and a name, and capitals unless the catalogue keeps the case', () => {
    const card = serviceWith({ kind: 'text', least: 4, most: 8, name: 'IUC number' })
    expect(['ab-12', 'A B C D'].map((text) => messageOf(card, text))).toEqual(['AB-12', 'ABCD'])
    for (const text of ['abc', 'abcdefghi', '-abcd', 'ab;cd', 'äbcd'])
      expect(messageOf(card, text)).toBe('Enter an IUC number: 4 to 8 letters, digits and the characters . / - _.')
    const digits = serviceWith({ kind: 'digits', least: 10, most: 10, name: 'IUC number' })
    expect(messageOf(digits, '12')).toBe('Enter an IUC number of 10 digits.')
    expect(describeAccount(digits)).toBe('IUC number: 10 digits')
  })

  it('come back from an export as they were', async () => {
    for (const account of [
      { kind: 'text', patterns: ["'ZA'-999/99", 'AAX'], keep_case: true, name: 'customer reference' },
      { kind: 'text', least: 4, most: 8 },
      { kind: 'digits', least: 10, most: 11, name: 'IUC number' },
    ]) {
      const read = readFile(account)
      if ('errors' in read) throw new Error(JSON.stringify(read.errors))
      await begin(testApp.db, (tx) => importCatalogue(tx, testApp.clock.now(), read.catalogue, { add: true }))
      const exported = await exportCatalogue(testApp.db)
      const services = exported.services as { service_type: string; account: object }[]
      expect(services.find(({ service_type }) => service_type === 'zesa_prepaid')?.account).toEqual(account)
    }
  })

  it('have rules that are checked in the file', () => {
    const problemOf = (account: object) => {
      const read = readFile(account)
      return 'errors' in read ? read.errors.map(({ place, message }) => `${place}: ${message}`) : []
    }
    const at = 'services[0] (zesa_prepaid).account'
    expect(problemOf({ kind: 'text' })).toEqual([`${at}: There must be either patterns, or least and most.`])
    expect(problemOf({ kind: 'text', least: 9, most: 3 })).toEqual([`${at}: least is above most.`])
    expect(problemOf({ kind: 'text', patterns: ['ZA-99'] })).toEqual([
      `${at}.patterns[0]: "Z" means nothing in a pattern: A is a letter, 9 a digit, X either; what is always the same is in single quotes.`,
    ])
    expect(problemOf({ kind: 'text', patterns: ["'ZA'-"] })).toEqual([
      `${at}.patterns[0]: A pattern must have at least one A, 9 or X.`,
    ])
    expect(problemOf({ kind: 'text', patterns: ['9'.repeat(61)] })).toEqual([
      `${at}.patterns[0]: A pattern has at most 60 characters.`,
    ])
  })
})
