import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOrganization } from '../../../src/core/access/organizations.ts'
import {
  type Contact,
  findOrCreateContacts,
  isAnonymous,
  type Person,
  readContacts,
} from '../../../src/core/contacts/contacts.ts'
import { begin } from '../../../src/db/client.ts'
import { openShop, type Shop } from '../shop.ts'

let shop: Shop
let numbers = 0

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

describe('a contact', () => {
  it('is created for a new number, with the fields of the interface', async () => {
    const phone_number = newNumber()
    const [contact] = await meet({ phone_number })
    expect(contact).toEqual({
      id: expect.any(Number),
      organization: shop.organization,
      first_name: 'Anonymous',
      last_name: 'Contact',
      email: null,
      phone_number,
      type: 'employee',
      status: 'active',
      metadata: null,
      phone_is_supported: 'yes',
      phone_is_mm_registered: 'unknown',
      name_on_network: '',
      name_matches_network_status: 'unchecked',
      name_matches_network_score: 0,
      network_name: 'Sandbox Network',
      created: shop.now(),
      modified: shop.now(),
      author: 1,
      updated_by: null,
    })
    expect((await eventsOf(phone_number)).map((event) => event.data)).toMatchObject([{ id: contact!.id }])
  })

  it('is found the next time, without another event', async () => {
    const phone_number = newNumber()
    const [first] = await meet({ phone_number })
    const [again] = await meet({ phone_number })
    expect(again).toEqual(first)
    expect(await eventsOf(phone_number)).toHaveLength(1)
  })

  it('shows that no network serves its number', async () => {
    const [contact] = await meet({ phone_number: newNumber(), network_name: null })
    expect(contact).toMatchObject({ phone_is_supported: 'no', network_name: '' })
  })

  it('belongs to one organization: another organization has its own contact for the number', async () => {
    const phone_number = newNumber()
    const other = await begin(shop.db, (tx) => createOrganization(tx, shop.now(), 'Other'))
    const [mine, theirs] = await meet({ phone_number }, { phone_number, organization: other.id })
    expect(theirs!.id).not.toBe(mine!.id)
  })

  it('gets a name while it is anonymous', async () => {
    const phone_number = newNumber()
    const [anonymous] = await meet({ phone_number })
    expect(isAnonymous(anonymous!)).toBe(true)
    shop.testApp.clock.advance(60)
    const [named] = await meet({ phone_number, first_name: 'Grace', last_name: 'Akello', author: 7 })
    expect(named).toMatchObject({ first_name: 'Grace', last_name: 'Akello', modified: shop.now(), updated_by: 7 })
    expect(isAnonymous(named!)).toBe(false)
  })

  it('keeps its name when another name comes later', async () => {
    const phone_number = newNumber()
    await meet({ phone_number, first_name: 'Grace' })
    const [contact] = await meet({ phone_number, first_name: 'Mallory', last_name: 'Mallory' })
    expect(contact).toMatchObject({ first_name: 'Grace', last_name: 'Contact' })
    const [completed] = await meet({ phone_number, last_name: 'Akello' })
    expect(completed).toMatchObject({ first_name: 'Grace', last_name: 'Akello' })
  })

  it('takes the first of two names in one batch', async () => {
    const phone_number = newNumber()
    await meet({ phone_number })
    const met = await meet({ phone_number, first_name: 'First' }, { phone_number, first_name: 'Second' })
    expect(met.map((contact) => contact.first_name)).toEqual(['First', 'First'])
  })
})

describe('many concurrent transactions', () => {
  it('create one contact and one event for the same new person', async () => {
    const phone_number = newNumber()
    const met = await Promise.all(Array.from({ length: 12 }, () => meet({ phone_number }, { phone_number })))
    expect(new Set(met.flat().map((contact) => contact.id)).size).toBe(1)
    expect(await eventsOf(phone_number)).toHaveLength(1)
  })

  it('do not deadlock when they create the same contacts in different orders', async () => {
    const people = Array.from({ length: 20 }, () => ({ phone_number: newNumber() }))
    const met = await Promise.all([meet(...people), meet(...people.toReversed()), meet(...people)])
    const ids = met.map((contacts) => contacts.map((contact) => contact.id))
    expect(ids[1]!.toReversed()).toEqual(ids[0])
    expect(ids[2]).toEqual(ids[0])
  })

  it('do not deadlock when they name the same contacts in different orders', async () => {
    const people = Array.from({ length: 20 }, () => ({ phone_number: newNumber(), first_name: 'Grace' }))
    await meet(...people.map(({ phone_number }) => ({ phone_number })))
    // In a circle PostgreSQL would give one of the two up.
    const met = await Promise.all([meet(...people), meet(...people.toReversed())])
    expect(met.flat().every((contact) => contact.first_name === 'Grace')).toBe(true)
  })
})

function newNumber(): string {
  numbers += 1
  return `+8007700${String(numbers).padStart(4, '0')}`
}

function meet(...people: (Partial<Person> & { phone_number: string })[]): Promise<Contact[]> {
  const whole = people.map((person) => ({
    organization: shop.organization,
    network_name: 'Sandbox Network',
    author: 1,
    ...person,
  }))
  return begin(shop.db, async (tx) => {
    const contacts = await findOrCreateContacts(tx, shop.now(), whole)
    // The answer equals the stored rows.
    const stored = await readContacts(tx, whole)
    for (const contact of contacts) expect([...stored.values()]).toContainEqual(contact)
    return contacts
  })
}

async function eventsOf(phone_number: string) {
  const events = await shop.events('contact.created')
  return events.filter((event) => event.data.phone_number === phone_number)
}
