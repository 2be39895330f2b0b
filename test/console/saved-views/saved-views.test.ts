import { afterAll, beforeAll, expect, it } from 'vitest'
import { allPermissions } from '../../../src/core/access/api-keys.ts'
import { changeView, createView, deleteView, listViews, NewView } from '../../../src/core/access/saved-views.ts'
import { begin } from '../../../src/db/client.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'
import { addPerson } from '../shop.ts'

let testApp: TestApp
let ann: { organization: number; user: number }
let ben: { organization: number; user: number }

beforeAll(async () => {
  testApp = await buildTestApp()
  const { organization } = testApp
  const add = async (email: string) => ({
    organization,
    user: await addPerson(testApp, { email, organization, permissions: allPermissions }),
  })
  ann = await add('ann@shop.example')
  ben = await add('ben@shop.example')
})
afterAll(() => testApp.close())

const LIST = '/payments'
const LATE = {
  list: LIST,
  name: 'Late',
  search: { payment_state: 'new', ordering: '-amount', columns: 'amount,state' },
}
const save = (owner: typeof ann, view: NewView) =>
  begin(testApp.app.db, (tx) => createView(tx, testApp.clock.real(), owner, view))
const namesOf = async (owner: typeof ann) => (await listViews(testApp.app.db, owner, LIST)).map(({ name }) => name)

it('stores views for their user alone, under names that differ', async () => {
  const late = await save(ann, LATE)
  expect(late).toMatchObject(LATE)
  await save(ann, { ...LATE, name: 'A second' })
  await save(ann, { ...LATE, list: '/invoices' })
  await expect(save(ann, { ...LATE, name: ' Late ' })).rejects.toThrow()
  await save(ben, LATE)
  expect([await namesOf(ann), await namesOf(ben)]).toEqual([['A second', 'Late'], ['Late']])

  const change = (owner: typeof ann, name: string) =>
    begin(testApp.app.db, (tx) =>
      changeView(tx, testApp.clock.real(), owner, { id: late.id, name, search: { payment_state: 'rejected' } }),
    )
  await expect(change(ben, 'Mine')).rejects.toThrow()
  await expect(change(ann, 'A second')).rejects.toThrow()
  expect(await change(ann, 'Rejected')).toMatchObject({ name: 'Rejected', search: { payment_state: 'rejected' } })
  expect(await change(ann, 'Rejected')).toMatchObject({ name: 'Rejected' })

  const remove = (owner: typeof ann) => begin(testApp.app.db, (tx) => deleteView(tx, owner, late.id))
  await expect(remove(ben)).rejects.toThrow()
  await remove(ann)
  await expect(remove(ann)).rejects.toThrow()
  expect([await namesOf(ann), await namesOf(ben)]).toEqual([['A second'], ['Late']])
})

it('refuses more views of a list than its menu shows', async () => {
  for (let number = 0; number < 50; number++) await save(ann, { list: '/contacts', name: `View ${number}`, search: {} })
  await expect(save(ann, { list: '/contacts', name: 'One more', search: {} })).rejects.toMatchObject({
    fields: { name: ['You have 50 views of this list. Delete one first.'] },
  })
})

it('takes only what an address can have', () => {
  const accepts = (changes: object) => NewView.safeParse({ ...LATE, ...changes }).success
  expect(accepts({})).toBe(true)
  for (const changes of [
    { list: 'payments' },
    { list: '//evil.example' },
    { list: '/payments?x=1' },
    { name: '' },
    { name: 'x'.repeat(61) },
    { search: { 'a b': '1' } },
    { search: { amount: 5 } },
    { search: { amount: 'x'.repeat(501) } },
    { search: Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`filter_${index}`, 'x'])) },
  ])
    expect(accepts(changes), JSON.stringify(changes)).toBe(false)
})
