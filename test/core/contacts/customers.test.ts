import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOrganization } from '../../../src/core/access/organizations.ts'
import { findOrCreateContacts } from '../../../src/core/contacts/contacts.ts'
import {
  type ContactDetails,
  changeContact,
  contactChanges,
  createContact,
  findContact,
  newContactBody,
} from '../../../src/core/contacts/details.ts'
import { eraseContact } from '../../../src/core/contacts/erasure.ts'
import { claimLookups } from '../../../src/core/contacts/lookups.ts'
import { eraseNextChunk, finishErasure, listMessageRanges } from '../../../src/core/contacts/message-erasure.ts'
import { begin } from '../../../src/db/client.ts'
import { openShop, type Shop } from '../shop.ts'

let shop: Shop
let author: number

beforeAll(async () => {
  shop = await openShop()
  author = shop.requestInput().author
})
beforeEach(() => shop.clear())
afterAll(() => shop.close())

function create(fields: object, organization = shop.organization): Promise<ContactDetails> {
  const input = newContactBody.parse({ first_name: 'Betty', last_name: 'Nakato', ...fields })
  const context = { organization, author, network_name: input.phone_number ? 'Sandbox Network' : null }
  return begin(shop.db, (tx) => createContact(tx, shop.now(), context, input))
}

function change(contact: number, fields: object): Promise<ContactDetails> {
  return begin(shop.db, (tx) => changeContact(tx, shop.now(), contact, contactChanges.parse(fields), author))
}

function erase(contact: number) {
  return begin(shop.db, (tx) => eraseContact(tx, shop.now(), contact, { author, lease_end: null }))
}

async function keysOf(contact: number) {
  const keys = await shop.db<{ key: string; is_whole: boolean }[]>`
    select key, is_whole from contact_number_keys where contact = ${contact} order by is_whole desc, key`
  return keys.map(({ key, is_whole }) => (is_whole ? `${key}!` : key))
}

describe('the number of a customer', () => {
  it('has the keys by which payers may write it, each once', async () => {
    const { id } = await create({ number: 'STU-0017' })
    expect(await keysOf(id)).toEqual(['stu.17!', '0017', '17', 'stu0017', 'stu17'])
    await change(id, { number: '42' })
    expect(await keysOf(id)).toEqual(['42!'])
  })

  it.each([
    ['P5-017', 'p5 17'],
    ['P5-017', 'P05/0017'],
    ['0042', '٤٢'],
    ['Élève 7', 'ELEVE-007'],
    ['12', ' 1２ '],
  ])('%s is taken when somebody gives %j', async (first, second) => {
    const holder = await create({ number: first })
    const message = {
      fields: { number: [expect.stringContaining(`Betty Nakato (contact ${holder.id}) has the number`)] },
    }
    await expect(create({ number: second, phone_number: '+80000000051' })).rejects.toMatchObject(message)
    await expect(create({ number: second })).rejects.toMatchObject(message)
    const other = await create({ number: 'X1' })
    await expect(change(other.id, { number: second })).rejects.toMatchObject(message)
    expect(await findContact(shop.db, other.id)).toMatchObject({ number: 'X1' })
    expect(await shop.db`select 1 from contacts where phone_number = '+80000000051'`).toEqual([])
  })

  it('stays with its customer when that one gives it again in another form', async () => {
    const { id } = await create({ number: 'P5-017' })
    expect(await change(id, { number: 'p5 17' })).toMatchObject({ number: 'p5 17', phone_number: '' })
  })

  it('may be that of a customer of another organization', async () => {
    const other = await begin(shop.db, (tx) => createOrganization(tx, shop.now(), 'Other School'))
    const [ours, theirs] = [await create({ number: '17' }), await create({ number: '17' }, other.id)]
    expect(theirs.id).not.toBe(ours.id)
    const followed = await shop.db<{ organization: number }[]>`
      select organization from money_positions where organization = any(${[shop.organization, other.id]}::bigint[])`
    expect(followed).toHaveLength(2)
    await shop.db`delete from contact_number_keys where organization = ${other.id}`
    await shop.db`delete from contacts where organization = ${other.id}`
  })

  it('is given to one of several who want it at the same time', async () => {
    const results = await Promise.allSettled([
      create({ number: '17' }),
      create({ number: '017', phone_number: '+80000000051' }),
      create({ number: '0017', phone_number: '+80000000052' }),
    ])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(await shop.db`select 1 from contacts`).toHaveLength(1)
  })

  it('goes to a contact that has paid before and has no name', async () => {
    const person = { organization: shop.organization, phone_number: '+80000000051', network_name: null, author }
    const [known] = await begin(shop.db, (tx) => findOrCreateContacts(tx, shop.now(), [person]))
    const made = await create({ phone_number: '+80000000051', number: 'P5-1', tags: 'P5', notes: 'New' })
    expect(made).toMatchObject({ id: known!.id, first_name: 'Betty', number: 'P5-1', tags: ['P5'], notes: 'New' })
  })
})

describe('a customer without a phone', () => {
  it('is never looked up, and several may share a payer', async () => {
    const payers = 'Grace Nakato +80000000051'
    const [betty, joe] = [await create({ number: '1', payers }), await create({ number: '2', payers })]
    expect([betty.phone_number, joe.phone_number]).toEqual(['', ''])
    expect(betty.payers).toEqual([{ phone_number: '+80000000051', name: 'Grace Nakato' }])
    const times = { now: shop.now(), real: shop.now(), lease_end: shop.now() }
    expect(await begin(shop.db, (tx) => claimLookups(tx, times, 10))).toEqual([])
  })

  it('needs a number', () => {
    const nobody = newContactBody.safeParse({ first_name: 'Betty', last_name: 'Nakato' })
    expect(nobody.error?.issues).toMatchObject([{ path: ['phone_number'], message: 'This field is required.' }])
  })
})

describe('the erasure of a person', () => {
  it('takes number, tags, notes and payers, so that somebody else can get the number', async () => {
    const { id } = await create({ number: 'P5-017', tags: 'P5', notes: 'Asthma', payers: 'Grace +80000000051' })
    await erase(id)
    expect(await findContact(shop.db, id)).toMatchObject({
      first_name: 'Erased',
      phone_number: `erased-${id}`,
      number: null,
      tags: [],
      notes: '',
      payers: [],
    })
    expect(await keysOf(id)).toEqual([])
    expect(await create({ number: 'p5 17' })).toMatchObject({ number: 'p5 17' })
    await expect(change(id, { number: '9' })).rejects.toMatchObject({
      fields: { non_field_errors: [expect.anything()] },
    })
  })

  it('takes a payer from the customers of the same organization', async () => {
    const other = await begin(shop.db, (tx) => createOrganization(tx, shop.now(), 'Third School'))
    const mother = await create({ first_name: 'Grace', phone_number: '+80000000051' })
    const payers = 'Grace +80000000051; Father +80000000052'
    const [ours, theirs] = [await create({ number: '1', payers }), await create({ number: '1', payers }, other.id)]
    await erase(mother.id)
    expect((await findContact(shop.db, ours.id))!.payers).toEqual([{ phone_number: '+80000000052', name: 'Father' }])
    expect((await findContact(shop.db, theirs.id))!.payers).toHaveLength(2)
    for (const table of ['contact_payers', 'contact_number_keys', 'contacts'])
      await shop.db.unsafe(`delete from ${table} where organization = ${other.id}`)
  })

  it('reaches the events of a customer without a phone', async () => {
    const { id } = await create({ number: '1' })
    const kept = await create({ first_name: 'Joe', number: '2' })
    const due = await erase(id)
    const ranges = await begin(shop.db, (tx) => listMessageRanges(tx, due))
    expect(ranges.map(({ source }) => source)).toEqual(['events'])
    await begin(shop.db, (tx) => eraseNextChunk(tx, due, ranges[0]!))
    await begin(shop.db, (tx) => finishErasure(tx, shop.now(), due))
    const names = (await shop.events('contact.created')).map(({ data }) => [data.id, data.first_name])
    expect(names).toEqual([
      [id, 'Erased'],
      [kept.id, 'Joe'],
    ])
    expect(await shop.db`select number_being_erased, due_at from contacts where id = ${id}`).toMatchObject([
      { number_being_erased: null, due_at: null },
    ])
  })
})
