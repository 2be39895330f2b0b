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

  it.each([
    ['Adm No.', "Pupil's name", 'Class', 'Stream', "Mother's phone", 'Father', 'Father contact', 'Remarks'],
    ['Admission Number', 'Student', 'CLASS', 'stream', 'Mother Phone No', 'Father name', 'Tel. of father', 'Notes'],
    ['Matricule', 'Nom complet', 'Classe', 'Filière', 'Téléphone de la mère', 'Nom du père', 'Tél. père', 'Remarque'],
    [
      'Namba ya mwanafunzi',
      'Mwanafunzi',
      'Darasa',
      'Mkondo',
      'Simu ya mama',
      'Jina la baba',
      'Simu ya baba',
      'Maelezo',
    ],
  ])('of customers are those that schools have: %s, %s, %s, %s, %s, %s, %s, %s', (...row) => {
    const { places, ignored } = readTitles(row, importColumns)
    const found = ['number', 'name', 'class', 'stream', 'mother_phone', 'father_name', 'father_phone', 'notes']
    expect([[...places.keys()], ignored]).toEqual([found, []])
  })

  it.each([
    ['Reg no', 'Parent/Guardian phone', 'Sponsor', 'Group', 'Route'],
    ['Student ID', 'Parent contact', "Sponsor's name", 'Groupe', 'Ligne'],
    ['Customer number', 'Simu ya mzazi', 'Jina la mfadhili', 'Kikundi', 'Njia'],
  ])('of customers, %s, %s, %s, %s and %s, are read as well', (...row) => {
    const { places } = readTitles([...row, 'Name'], importColumns)
    const found = ['number', 'guardian_phone', 'sponsor_name', 'group', 'route', 'name']
    expect([...places.keys()]).toEqual(found)
  })
})
