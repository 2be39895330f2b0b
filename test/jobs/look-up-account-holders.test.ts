import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertContacts, type Person } from '../../src/core/contacts/contacts.ts'
import { createContact } from '../../src/core/contacts/details.ts'
import { findNetworkNames } from '../../src/core/contacts/lookups.ts'
import { begin } from '../../src/db/client.ts'
import { lookUpAccountHolders } from '../../src/jobs/look-up-account-holders.ts'
import type { AccountHolderLookup } from '../../src/networks/contract.ts'
import { type FakeNetwork, fakeConnection } from '../connections/fake-connection.ts'
import { buildTestApp, type TestApp, testClock } from '../test-app.ts'

let testApp: TestApp
let contact_count = 0
/** The next answer of the network, and the numbers that it was asked about. */
let answer: () => Promise<AccountHolderLookup>
let asked: string[] = []

const network: FakeNetwork = {
  code: 'sandbox',
  name: 'Sandbox Network',
  limits: { decimals: 4, min: 1n, max: 10n ** 15n },
  accountHolder: (phonenumber) => {
    asked.push(phonenumber)
    return answer()
  },
}

/** Another network of the same country, where numbers of the first one are ported to. */
const other: FakeNetwork = {
  code: 'other',
  name: 'Other Network',
  limits: network.limits,
  phones: /^\+80077/,
  accountHolder: async (phonenumber) => {
    asked.push(`other: ${phonenumber}`)
    return ported ? { outcome: 'found', name: 'Grace Akello' } : { outcome: 'not_found' }
  },
}
let ported = false
/** The real clock, on which leases run. */
let real_ms = Date.parse('2026-03-02T08:00:00Z')

function inTestCountry(one: FakeNetwork) {
  const made = fakeConnection(one)
  return {
    ...made,
    driver: { ...made.driver, places: made.driver.places.map((place) => ({ ...place, country: 'XX' })) },
  }
}

beforeAll(async () => {
  const overrides = { connections: [inTestCountry(network), inTestCountry(other)] }
  testApp = await buildTestApp({ clock: testClock(undefined, () => new Date(real_ms)), overrides })
})
beforeEach(() => {
  asked = []
})
afterAll(() => testApp.close())

async function addContact(network_name: string | null = 'Sandbox Network'): Promise<number> {
  contact_count += 1
  const phone_number = { number: `+8006600${String(contact_count).padStart(4, '0')}`, country: 'XX' }
  const context = { organization: testApp.organization, author: 1, network_name }
  const input = { phone_number, first_name: 'Grace', last_name: 'Akello' }
  return (await begin(testApp.db, (tx) => createContact(tx, testApp.clock.now(), context, input))).id
}

/** Run the due look-ups. Returns their number. */
async function runJob(): Promise<number> {
  const job = lookUpAccountHolders(testApp.app)
  const rows = await job.claim(job.limit)
  await job.run(rows)
  return rows.length
}

async function read(id: number) {
  const [row] = await testApp.db`select * from contacts where id = ${id}`
  return row!
}

describe('the look-up of a ported number', () => {
  it('finds the network that knows it now', async () => {
    answer = async () => ({ outcome: 'not_found' })
    ported = true
    const id = await addContact()
    await runJob()
    ported = false
    const contact = await read(id)
    expect(contact).toMatchObject({
      network_name: 'Other Network',
      name_on_network: 'Grace Akello',
      phone_is_mm_registered: 'yes',
    })
    const { organization } = testApp
    const phones = [contact.phone_number as string]
    expect(await findNetworkNames(testApp.db, organization, phones)).toEqual(new Map([[phones[0], 'Other Network']]))
    expect(await findNetworkNames(testApp.db, organization + 1, phones)).toEqual(new Map())
  })

  it('keeps what its own network said when no other one knows it', async () => {
    answer = async () => ({ outcome: 'not_found' })
    const id = await addContact()
    await runJob()
    expect(await read(id)).toMatchObject({ network_name: 'Sandbox Network', phone_is_mm_registered: 'no' })
    expect(asked).toHaveLength(2)
  })
})

describe('the look-up of a contact', () => {
  it('is made once', async () => {
    answer = async () => ({ outcome: 'found', name: ' AKELLO GRACE ' })
    const id = await addContact()
    expect(await runJob()).toBe(1)
    expect(await read(id)).toMatchObject({
      name_on_network: 'AKELLO GRACE',
      phone_is_mm_registered: 'yes',
      name_matches_network_score: 100,
      due_at: null,
      leased_until: null,
      attempts: 0,
    })
    expect(await runJob()).toBe(0)
    expect(asked).toHaveLength(1)
  })

  it('is repeated after growing waits while the network gives no answer, and then ends', async () => {
    answer = async () => ({ outcome: 'unknown', message: 'down' })
    const id = await addContact()
    expect(await runJob()).toBe(1)
    for (const wait_s of [60, 600, 3_600, 21_600]) {
      testApp.clock.advance(wait_s - 1)
      expect(await runJob()).toBe(0)
      testApp.clock.advance(1)
      expect(await runJob()).toBe(1)
    }
    expect(await read(id)).toMatchObject({ phone_is_mm_registered: 'unknown', due_at: null })
    expect(asked).toHaveLength(5)
  })

  it('counts an error of the connector as no answer', async () => {
    answer = async () => {
      throw new Error('a bug')
    }
    const id = await addContact()
    expect(await runJob()).toBe(1)
    expect((await read(id)).due_at).toEqual(new Date(testApp.clock.now().getTime() + 60_000))
    answer = async () => ({ outcome: 'not_found' })
    testApp.clock.advance(60)
    await runJob()
    expect(await read(id)).toMatchObject({ phone_is_mm_registered: 'no', due_at: null })
  })

  it('is stored, although another one of its group cannot be', async () => {
    await testApp.db`alter table contacts add constraint refused check (name_on_network <> 'Refused')`
    const [refused, other] = [await addContact(), await addContact()]
    const { phone_number } = await read(refused)
    answer = async () => ({ outcome: 'found', name: asked.at(-1) === phone_number ? 'Refused' : 'Grace Akello' })
    await expect(runJob()).rejects.toThrow('1 of 2 answers could not be applied.')
    await testApp.db`alter table contacts drop constraint refused`
    expect(await read(refused)).toMatchObject({ name_on_network: '' })
    expect(await read(other)).toMatchObject({ name_on_network: 'Grace Akello' })
  })

  it('is not made for a number that no network serves', async () => {
    await addContact(null)
    expect(await runJob()).toBe(0)
  })

  it('shortens a name that is too long', async () => {
    answer = async () => ({ outcome: 'found', name: 'x'.repeat(5_000) })
    const id = await addContact()
    await runJob()
    expect((await read(id)).name_on_network).toHaveLength(200)
  })
})

describe('a process that creates a contact', () => {
  const newPerson = (changes: Partial<Person> = {}): Person => {
    contact_count += 1
    return {
      organization: testApp.organization,
      author: 1,
      network_name: 'Sandbox Network',
      phone_number: `+8006600${String(contact_count).padStart(4, '0')}`,
      ...changes,
    }
  }
  const insert = (...people: Person[]) => begin(testApp.app.db, (tx) => insertContacts(tx, testApp.clock.now(), people))
  beforeEach(async () => {
    answer = async () => ({ outcome: 'found', name: 'Grace Akello' })
    real_ms += 16_000
    while ((await runJob()) > 0);
    asked = []
  })

  it('looks it up at once, without a claim, when none waits', async () => {
    const job = lookUpAccountHolders(testApp.app)
    expect(await job.nextDue()).toBeNull()
    const [contact] = await insert(newPerson())
    expect(await read(contact!.id)).toMatchObject({ attempts: 1, leased_until: expect.any(Date) })
    expect(await runJob()).toBe(0)
    expect(await job.nextDue()).toEqual(testApp.clock.now())
    await job.run(await job.claim(job.limit))
    expect(asked).toEqual([contact!.phone_number])
    expect(await read(contact!.id)).toMatchObject({ name_on_network: 'Grace Akello', due_at: null, attempts: 0 })
  })

  it('leaves it to the claims while others wait, when it has no network, and when it is to be looked up later', async () => {
    const job = lookUpAccountHolders(testApp.app)
    await addContact()
    await job.nextDue()
    const [waiting] = await insert(newPerson())
    expect(await read(waiting!.id)).toMatchObject({ attempts: 0, leased_until: null })
    expect(await runJob()).toBe(2)
    await job.nextDue()
    const later = newPerson({ look_up_at: new Date(testApp.clock.now().getTime() + 60_000) })
    for (const contact of await insert(later, newPerson({ network_name: null })))
      expect(await read(contact.id)).toMatchObject({ attempts: 0, leased_until: null })
    testApp.clock.advance(60)
    expect(await runJob()).toBe(1)
  })

  it('forgets it when the transaction is undone', async () => {
    const job = lookUpAccountHolders(testApp.app)
    await job.nextDue()
    await begin(testApp.app.db, async (tx) => {
      await insertContacts(tx, testApp.clock.now(), [newPerson()])
      throw new Error('undone')
    }).catch(() => {})
    expect(await job.nextDue()).toBeNull()
    expect(asked).toEqual([])
  })

  it('is followed by another one when it ends before the look-up, once its lease is over', async () => {
    const killed = lookUpAccountHolders(testApp.app)
    await killed.nextDue()
    const [contact] = await insert(newPerson())
    expect(await runJob()).toBe(0)
    real_ms += 16_000
    expect(await runJob()).toBe(1)
    expect(asked).toEqual([contact!.phone_number])
    // It was not killed, but stood still: its lease is over.
    expect(await killed.claim(killed.limit)).toEqual([])
  })
})
