import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textRow, workbookOf } from '../../lib/sheets/workbook.ts'
import { eventually } from '../../test-app.ts'
import { acceptedBy } from '../reviewed.ts'
import { openShop, type Shop } from '../shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.testApp.close())

describe('payments from a file', () => {
  const upload = (lines: readonly string[], headers: Record<string, string> = {}, person = shop.owner) => {
    const content = Buffer.from(['phone number,name,amount,currency', ...lines].join('\n')).toString('base64')
    const body = { file_name: 'wages.csv', content, description: 'Wages' }
    return person.send('POST', '/bulk-payments', body, headers)
  }
  const LINES = ['+80000000063,Ann Other,11,BXC', '00000064,Joe Soap,12,BXC']

  it('are a draft first, and are paid once, however often they are started', async () => {
    const { testApp, owner } = shop
    const key = { 'duplicate-check-key': 'one upload' }
    const { status, body: draft } = await upload(LINES, key)
    expect([status, draft.state, draft.with_problems, draft.rows]).toEqual([201, 'draft', 0, 2])
    expect((await upload(LINES, key)).body).toMatchObject({ type: 'bulkpayment', id: draft.id })
    const path = `/bulk-payments/${draft.id}`
    const payments = (await owner.get('/payments')).body.count
    // Both are reviewed before one is started: a file that is started has nothing to review.
    const reviews = await Promise.all([1, 2].map(async () => (await owner.post(`${path}/review`)).body))
    const both = await Promise.all(reviews.map((one) => owner.send('POST', `${path}/start`, {}, acceptedBy(one))))
    expect(both.map((one) => one.status)).toEqual([200, 200])
    await eventually('the payments', async () => {
      testApp.clock.advance(1)
      testApp.app.wake()
      return (await owner.get(path)).body.states.paid === 2 || undefined
    })
    expect((await owner.post(`${path}/start`)).body.state).toBe('created')
    expect((await owner.get('/payments')).body.count).toBe(payments + 1)
    const paid = (await owner.get(`${path}/rows?show=paid`)).body.results
    expect(paid).toMatchObject([{ phonenumber: '+80000000063' }, { phonenumber: '+80000000064', amount: '12.0000' }])
    const found = async (search: string) => (await owner.get(`${path}/rows?search=${search}`)).body.results
    expect(await found('soap')).toMatchObject([{ id: 3, name: 'Joe Soap' }])
    expect(await found('0000063')).toMatchObject([{ id: 2 }])
    const { body: files } = await owner.get('/bulk-payments')
    expect(files.results[0]).toMatchObject({
      progress: 'paid',
      paid_rows: 2,
      failed_rows: 0,
      sums: [{ currency: 'BXC', amount: '23.0000', paid: '23.0000', failed: '0.0000' }],
    })
    expect((await owner.send('DELETE', path)).status).toBe(400)
    expect((await owner.post(`${path}/retry`)).body).toEqual({ state: ['No row has failed.'] })
    const audit = await shop.audit()
    expect(audit.filter((action) => action === 'start bulk payment')).toHaveLength(1)
    expect(audit.filter((action) => action === 'upload bulk payment')).toHaveLength(1)
  })

  it('are those that a person sees in the workbook, of the sheet that was chosen', async () => {
    const head = textRow(1, ['phone number', 'amount', 'currency'])
    const rows = [
      head,
      textRow(2, ['+80000000063', '11', 'BXC']),
      textRow(3, ['+80000000064', '12', 'BXC'], 'hidden="1"'),
    ]
    const march = { name: 'March', rows: rows.join('') }
    const april = { name: 'April', rows: head + textRow(2, ['+80000000065', '13', 'BXC']) }
    const content = workbookOf({ sheets: [march, april] }).toString('base64')
    const send = (sheet?: string) =>
      shop.owner.send('POST', '/bulk-payments', { file_name: 'wages.xlsx', content, description: 'Wages', sheet })
    const { status, body } = await send()
    expect([status, body.sheets]).toEqual([400, ['March', 'April']])
    const { body: draft } = await send('March')
    expect([draft.rows, draft.notes]).toEqual([
      1,
      ['Hidden rows were skipped: row 3.', 'Only the sheet "March" was read.'],
    ])
    expect((await shop.owner.get(`/bulk-payments/${draft.id}`)).body.notes).toEqual(draft.notes)
  })

  it("show the networks' names row by row, and take decisions", async () => {
    const { testApp, owner } = shop
    const { body: draft } = await upload([
      '+80000000003,Ann Other,21,BXC',
      'x,Joe,1.200,BXC',
      '+80000000007,Eve,21,BXC',
    ])
    const path = `/bulk-payments/${draft.id}`
    expect((await owner.get(`${path}/rows?show=problems`)).body.results).toMatchObject([
      {
        id: 3,
        problems: [
          { column: 'phone_number' },
          {
            column: 'amount',
            message: 'It is not clear whether 1.200 is 1200 or has decimals. Write 1200, or two decimals.',
          },
        ],
      },
    ])
    expect((await owner.post(`${path}/start`)).status).toBe(400)
    expect((await owner.post(`${path}/rows`, { rows: 'wrong', decision: 'skip' })).body).toEqual({ changed: 1 })
    expect((await owner.post(`${path}/names`)).status).toBe(200)
    const names = await eventually('the names', async () => {
      testApp.clock.advance(1)
      testApp.app.wake()
      const { names } = (await owner.get(path)).body
      return names.pending === 0 ? names : undefined
    })
    expect(Object.values(names as object).reduce((sum, count) => sum + count, 0)).toBe(2)
    expect((await owner.post(`${path}/check`)).body.states).toMatchObject({ left_out: 1, open: 2 })
    expect((await owner.send('DELETE', path)).status).toBe(204)
    expect((await owner.get(path)).status).toBe(404)
  })

  it('belong to their organization, and need the permission', async () => {
    const { body: draft } = await upload(LINES)
    const path = `/bulk-payments/${draft.id}`
    expect((await upload(LINES, {}, shop.viewer)).status).toBe(403)
    expect((await shop.viewer.get(path)).status).toBe(200)
    expect((await shop.otherOwner.get(path)).status).toBe(404)
    expect((await shop.otherOwner.get(`${path}/rows`)).status).toBe(404)
    for (const verb of ['start', 'names', 'check', 'retry']) {
      expect((await shop.viewer.post(`${path}/${verb}`)).status).toBe(403)
      expect((await shop.otherOwner.post(`${path}/${verb}`)).status).toBe(404)
    }
    for (const kind of ['csv', 'xlsx'])
      expect((await shop.viewer.open(`/bulk-payments/template.${kind}`)).status).toBe(200)
    expect((await upload([])).body.file[0]).toContain('no rows')
  })
})
