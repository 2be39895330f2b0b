import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldTypes, openTestService, type TestService } from '../interface/test-service.ts'
import { eventually } from '../test-app.ts'

let service: TestService
let numbers = 0

beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const JANE = { first_name: 'Jane', last_name: 'Doe' }

function newNumber(): string {
  numbers += 1
  return `+8005500${String(numbers).padStart(4, '0')}`
}

async function make(fields: Record<string, unknown> = {}) {
  return service.shop.post('/api/contacts', { ...JANE, phone_number: newNumber(), ...fields })
}

describe('POST /api/contacts', () => {
  it('creates a contact with all fields of the interface, and an event', async () => {
    const phone_number = newNumber()
    const given = { phone_number, email: 'jane@example.com', metadata: { shoe: 42 }, type: 'vendor' }
    const { status, body } = await make(given)
    expect(status).toBe(201)
    expect(body).toMatchObject({ ...JANE, ...given, status: 'active', national_id: null, author: service.user })
    expect(fieldTypes(body)).toEqual({
      id: 'number',
      organization: 'number',
      first_name: 'string',
      last_name: 'string',
      email: 'string',
      phone_number: 'string',
      type: 'string',
      status: 'string',
      metadata: 'object',
      phone_is_supported: 'string',
      phone_is_mm_registered: 'string',
      name_on_network: 'string',
      name_matches_network_status: 'string',
      name_matches_network_score: 'number',
      network_name: 'string',
      created: 'string',
      modified: 'string',
      author: 'number',
      updated_by: 'null',
      national_id: 'null',
      national_id_type: 'null',
      number: 'null',
      tags: 'array',
      notes: 'string',
      payers: 'array',
    })
    const { national_id, national_id_type, number, tags, notes, payers, ...expected } = body
    const events = (await service.shop.get('/api/events?type=contact.created&limit=5')).body.results
    expect(events.map((event: { data: unknown }) => event.data)).toContainEqual(expected)
  })

  it('names every invalid field', async () => {
    expect((await service.shop.post('/api/contacts', {})).body).toEqual({
      phone_number: ['This field is required.'],
      first_name: ['This field is required.'],
      last_name: ['This field is required.'],
    })
    const wrong = { phone_number: '12', first_name: ' ', email: 'jane', type: 'friend', national_id_type: 'library' }
    expect((await make(wrong)).body).toEqual({
      phone_number: ['Enter a valid phone number (e.g. +256772000001).'],
      first_name: ['This field may not be blank.'],
      email: ['Enter a valid email address.'],
      type: [expect.stringContaining('"friend" is not a valid choice.')],
      national_id_type: [expect.stringContaining('"library" is not a valid choice.')],
    })
    expect((await make({ national_id: '1' })).body).toEqual({ national_id_type: ['This field is required.'] })
  })

  it('adds the name to a contact of a request without one, and refuses a second contact with the same phone', async () => {
    const phone_number = newNumber()
    const { contact } = await service.createRequest({ phonenumber: phone_number })
    const { status, body } = await make({ phone_number })
    expect(status).toBe(201)
    expect(body).toMatchObject({ ...JANE, id: (contact as { id: number }).id, updated_by: service.user })
    const again = await make({ phone_number })
    expect(again.status).toBe(400)
    expect(again.body).toEqual({ phone_number: [`There is a contact with this number already (${body.id}).`] })
  })

  it('creates only one of two that arrive at the same time', async () => {
    const phone_number = newNumber()
    const answers = await Promise.all([make({ phone_number }), make({ phone_number })])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400])
  })

  it('honours the Duplicate-Check-Key', async () => {
    const send = () =>
      service.shop.post('/api/contacts', { ...JANE, phone_number: newNumber() }, { 'duplicate-check-key': 'contact' })
    const first = await send()
    const second = await send()
    expect([first.status, second.status]).toEqual([201, 409])
    expect(second.body).toMatchObject({ type: 'contact', id: first.body.id })
  })

  it('needs the permission to manage contacts', async () => {
    const key = await service.newKey({ permissions: ['view'] })
    const headers = { authorization: `Token ${key}` }
    expect((await service.shop.post('/api/contacts', JANE, headers)).status).toBe(403)
    expect((await service.shop.get('/api/contacts', headers)).status).toBe(200)
  })
})

describe('the look-up at the network', () => {
  const lookedUp = (id: number) =>
    eventually(`contact ${id} to be looked up`, async () => {
      const { body } = await service.shop.get(`/api/contacts/${id}`)
      return body.phone_is_mm_registered === 'unknown' ? undefined : body
    })

  it('finds out whether the number has mobile money, its holder, and the similarity of the names', async () => {
    const same = await lookedUp((await make({ first_name: 'CUSTOMER', last_name: 'Sandbox' })).body.id)
    expect(same).toMatchObject({
      phone_is_mm_registered: 'yes',
      name_on_network: 'Sandbox Customer',
      name_matches_network_status: 'checked',
      name_matches_network_score: 100,
      modified: same.created,
      updated_by: null,
    })
    const other = await lookedUp((await make({ phone_number: '+80055000402' })).body.id)
    expect(other.name_on_network).toBe('AKELLO, Grâce Namukasa')
    expect(other.name_matches_network_score).toBeLessThan(50)
  })

  it('shows that a number has no mobile money, and that the network gives no name', async () => {
    expect(await lookedUp((await make({ phone_number: '+80055000401' })).body.id)).toMatchObject({
      phone_is_mm_registered: 'no',
      name_on_network: '',
      name_matches_network_status: 'unchecked',
    })
    expect(await lookedUp((await make({ phone_number: '+80055000403' })).body.id)).toMatchObject({
      phone_is_mm_registered: 'yes',
      name_on_network: '',
      name_matches_network_score: 0,
    })
  })

  it('compares the names again after each change, and not while there is no name', async () => {
    const phone_number = newNumber()
    const { contact } = await service.createRequest({ phonenumber: phone_number })
    const { id } = contact as { id: number }
    expect(await lookedUp(id)).toMatchObject({ name_matches_network_status: 'unchecked' })
    await service.createRequest({ phonenumber: phone_number, first_name: 'Sandbox', last_name: 'Customer' })
    const { body: named } = await service.shop.get(`/api/contacts/${id}`)
    expect(named).toMatchObject({ name_matches_network_status: 'checked', name_matches_network_score: 100 })
    const { body: renamed } = await service.shop.send('PATCH', `/api/contacts/${id}`, { last_name: 'Custard' })
    expect(renamed.name_matches_network_score).toBe(75)
  })
})

describe('PATCH /api/contacts/<id>', () => {
  it('changes only the given fields', async () => {
    const { body: before } = await make({ email: 'jane@example.com', metadata: { a: 1 } })
    const papers = { national_id: 'CM1', national_id_type: 'passport' }
    const { status, body } = await service.shop.send('PATCH', `/api/contacts/${before.id}`, {
      ...papers,
      status: 'inactive',
      phone_number: '+80000000077',
      email: null,
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...JANE,
      ...papers,
      status: 'inactive',
      email: 'jane@example.com',
      metadata: { a: 1 },
    })
    expect(body).toMatchObject({ phone_number: before.phone_number, updated_by: service.user })
  })

  it('accepts forms, too', async () => {
    const { id } = (await make()).body
    const { body } = await service.shop.send('PATCH', `/api/contacts/${id}`, 'metadata.size=42&first_name=Joan', {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect(body).toMatchObject({ first_name: 'Joan', metadata: { size: '42' } })
  })
})

describe('a customer with a number', () => {
  const BETTY = { first_name: 'Betty', last_name: 'Nakato' }
  const patch = (id: number, body: object) => service.shop.send('PATCH', `/api/contacts/${id}`, body)
  const ids = async (query: string) =>
    (await service.shop.get(`/api/contacts?${query}`)).body.results.map((one: { id: number }) => one.id)

  it('is created with tags, notes and payers, as lists or as texts, and needs no phone', async () => {
    const payers = [{ phone_number: '+80055019001', name: 'Grace' }]
    const given = { number: ' P5 - 017 ', tags: [' P5', 'p5', 'Bus 2'], notes: 'Asthma', payers }
    const { status, body } = await service.shop.post('/api/contacts', { ...BETTY, ...given })
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ phone_number: '', number: 'P5 - 017', tags: ['Bus 2', 'P5'], notes: 'Asthma', payers }),
    ])
    expect(body).toMatchObject({ phone_is_supported: 'no', network_name: '' })
    const [event] = (await service.shop.get('/api/events?type=contact.created&limit=1')).body.results
    expect(event.data).toMatchObject({ id: body.id, phone_number: '' })
    const text = 'number=P5-018&tags=P5,+Bus+2&first_name=Joe&last_name=Nakato&payers=Grace+%2B80055019001'
    const form = await service.shop.send('POST', '/api/contacts', text, {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect([form.status, form.body]).toEqual([201, expect.objectContaining({ tags: ['Bus 2', 'P5'], payers })])
  })

  it('is found by number, tag and payer, however they are written', async () => {
    const [joe, betty] = await ids('payer=%2B80055019001')
    expect(await ids('number=p5%20017')).toEqual([betty])
    expect(await ids('number=P5%2F18')).toEqual([joe])
    expect(await ids('tag=bus%202')).toEqual([joe, betty])
    expect(await ids('tag=bus')).toEqual([])
    expect(await ids('payer=80055019001&number=p5-17')).toEqual([betty])
    expect((await service.otherShop.get('/api/contacts?tag=p5')).body.count).toBe(0)
  })

  it('keeps what a change does not give, and loses what it empties', async () => {
    const [betty] = await ids('number=P5-017')
    expect((await patch(betty, { last_name: 'Nankya' })).body).toMatchObject({
      number: 'P5 - 017',
      tags: ['Bus 2', 'P5'],
    })
    expect((await patch(betty, { tags: null, notes: '', payers: [] })).body).toMatchObject({
      number: 'P5 - 017',
      tags: [],
      notes: '',
      payers: [],
    })
    const refused = await patch(betty, { number: null })
    expect([refused.status, refused.body]).toEqual([400, { number: ['A customer without a phone needs a number.'] }])
    expect((await patch(betty, { number: 'P6-001' })).body).toMatchObject({ number: 'P6-001', phone_number: '' })
    expect(await ids('number=P5-017')).toEqual([])
  })

  it('has a unique number, and every wrong field is named', async () => {
    const [betty] = await ids('number=P6-001')
    const taken = await make({ number: 'p6 0001' })
    expect([taken.status, taken.body]).toEqual([
      400,
      { number: [`Betty Nankya (contact ${betty}) has the number p6 0001 already.`] },
    ])
    expect((await service.shop.post('/api/contacts', { ...BETTY, number: 'P6/1' })).status).toBe(400)
    const wrong = {
      number: '—',
      tags: ['a'.repeat(51), 'a,b'],
      notes: 'n'.repeat(2_001),
      payers: [{ phone_number: '12' }],
    }
    expect((await make(wrong)).body).toEqual({
      number: ['A customer number has at least one letter or digit.'],
      tags: ['Ensure each tag has no more than 50 characters.', 'A tag has no comma and no semicolon.'],
      notes: ['Ensure this field has no more than 2000 characters.'],
      payers: ['Enter a valid phone number (e.g. +256772000001).'],
    })
    const many = {
      tags: Array.from({ length: 21 }, (_, index) => `T${index}`),
      payers: 'Grace +80055019001; +80055019001',
    }
    expect((await make(many)).body).toEqual({
      tags: ['A contact has at most 20 tags.'],
      payers: ['Two payers have the same phone number.'],
    })
    expect((await service.otherShop.get('/api/contacts')).body.count).toBe(0)
  })
})

describe('GET /api/contacts', () => {
  it('filters contacts by name, email, number and date', async () => {
    const phone_number = newNumber()
    await make({ phone_number, first_name: 'Rare', last_name: 'Bird', email: 'rare@bird.example' })
    const count = async (query: string) => (await service.shop.get(`/api/contacts?${query}`)).body.count
    const number = `phone_number=${phone_number.slice(1)}`
    for (const query of ['first_name=Rare', 'last_name=Bird', 'email=rare@bird.example', number])
      expect([query, await count(query)]).toEqual([query, 1])
    expect(await count('first_name=rare')).toBe(0)
    expect(await count(`${number}&created_after=2030-01-15&created_before=2030-01-16`)).toBe(1)
    expect(await count('created_after=2030-01-17')).toBe(0)
    expect((await service.otherShop.get('/api/contacts')).body.count).toBe(0)
  })
})
