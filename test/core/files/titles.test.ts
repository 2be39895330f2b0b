import { describe, expect, it } from 'vitest'
import { importColumns } from '../../../src/core/contacts/import/columns.ts'
import { readTitles } from '../../../src/core/files/titles.ts'
import { paymentColumns } from '../../../src/core/payments/bulk/columns.ts'

describe('the titles of a file', () => {
  it.each([
    ['Phone number', 'Name', 'Amount', 'Currency', 'Reference', 'Wallet'],
    ['Numéro de téléphone', 'Bénéficiaire', 'Montant', 'Devise', 'Référence', 'Portefeuille'],
    ['N° de téléphone', 'Nom', 'MONTANT', 'Monnaie', 'Motif', 'Compte'],
    ['Te\u0301le\u0301phone', 'Nom complet', 'Somme', 'devise', 'Libellé', 'portefeuille'],
    ['Namba ya simu', 'Jina kamili', 'Kiasi', 'Sarafu', 'Kumbukumbu', 'Pochi'],
    ['Nambari ya simu', 'Mpokeaji', 'Kiasi cha fedha', 'sarafu', 'Maelezo', 'Akaunti'],
  ])('of payments are read in each language of the console: %s, %s, %s, %s, %s, %s', (...row) => {
    const { places, ignored } = readTitles(row, paymentColumns)
    expect([...places.keys()]).toEqual(['phone_number', 'name', 'amount', 'currency', 'reference', 'wallet'])
    expect(ignored).toEqual([])
  })

  it.each([
    ['Prénom', 'Nom', 'first_name', 'last_name'],
    ['Nom', 'Courriel', 'name', 'email'],
    ['Jina la kwanza', 'Jina la ukoo', 'first_name', 'last_name'],
    ['Jina', 'Barua pepe', 'name', 'email'],
  ])('of contacts, %s and %s, are %s and %s', (one, other, ...columns) => {
    const { places } = readTitles(['Téléphone', one, other], importColumns)
    expect(Object.fromEntries(places)).toEqual({ phone_number: 0, [columns[0]!]: 1, [columns[1]!]: 2 })
  })
})
