import { describe, expect, it } from 'vitest'
import {
  chooseDecoy,
  directoryToken,
  hashEmail,
  isDirectoryToken,
  openPart,
  signPart,
} from '../../../src/core/cells/directory.ts'

const SECRET = 'the secret of all cells, with 32 characters'
const PART = { cell: 4, made: '2030-01-15T12:00:00Z', organizations: 2, requests: 7, database_bytes: 9, users: ['x'] }

describe('a part of the directory', () => {
  it('is read by a cell with the same secret, and only as the part of its cell', () => {
    const signed = signPart(SECRET, PART)
    expect(openPart(SECRET, 4, signed)).toEqual(PART)
    expect(openPart(SECRET, 3, signed)).toBeUndefined()
    expect(openPart(`${SECRET}!`, 4, signed)).toBeUndefined()
    for (const changed of [
      { ...signed, part: signed.part.replace('"requests":7', '"requests":8') },
      { ...signed, signature: '' },
      { part: signed.part },
      null,
    ])
      expect(openPart(SECRET, 4, changed)).toBeUndefined()
  })

  it('holds no address, and the same hash for every spelling of one', () => {
    expect(hashEmail(SECRET, ' Grace@Shop.example')).toBe(hashEmail(SECRET, 'grace@shop.example'))
    expect(hashEmail(SECRET, 'grace@shop.example')).not.toBe(hashEmail(`${SECRET}!`, 'grace@shop.example'))
  })

  it('is only for cells', () => {
    expect(isDirectoryToken(SECRET, directoryToken(SECRET))).toBe(true)
    for (const token of ['', SECRET, directoryToken(`${SECRET}!`)]) expect(isDirectoryToken(SECRET, token)).toBe(false)
  })

  it('has a decoy for each unknown address: any of the cells, and always the same', () => {
    const emails = Array.from({ length: 60 }, (_, index) => `nobody${index}@shop.example`)
    const chosen = emails.map((email) => chooseDecoy(SECRET, email, [0, 3, 4]))
    expect(new Set(chosen)).toEqual(new Set([0, 3, 4]))
    expect(emails.map((email) => chooseDecoy(SECRET, email, [0, 3, 4]))).toEqual(chosen)
  })
})
