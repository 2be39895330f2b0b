import { afterEach, describe, expect, it } from 'vitest'
import { toCsv } from '../../../web/files/csv.ts'
import { periodOf, withoutSigns } from '../../../web/files/file-name.ts'
import { fieldsTable, shownTable } from '../../../web/files/file-table.ts'
import { showTimesIn } from '../../../web/format.ts'
import type { Column } from '../../../web/parts/list/column.ts'

afterEach(() => showTimesIn(undefined))

interface Row {
  name: string
  phone: string
  total: string
  paid: string
  currency: string
  at: string | null
}

const element = () => ({ type: 'span', props: {}, key: null })
const columns: Column<Row>[] = [
  {
    title: 'Customer',
    value: (row) => row.name || '—',
    beside: [{ title: 'Phone number', file: (row) => row.phone }],
  },
  { title: 'Total', value: element, file: (row) => ({ amount: row.total, currency: row.currency }) },
  { title: 'Paid', value: element, file: (row) => ({ amount: row.paid, currency: row.currency }) },
  { title: 'Created', value: element, file: (row) => ({ time: row.at }) },
  { title: 'Actions', value: element, file: false },
]
const row = { name: 'Ann; "Zoë"', phone: '+256772000001', total: '1234567.5000', paid: '0.0000', currency: 'UGX' }

describe('the columns of the screen in a file', () => {
  it('have names, plain amounts with their currency, and times that a spreadsheet reads', () => {
    showTimesIn('Africa/Kampala')
    const rows = [
      { ...row, at: '2030-01-31T22:30:00Z' },
      { ...row, name: '', phone: '', currency: 'KES', at: null },
    ]
    expect(toCsv(shownTable(columns, rows, 'Currency'))).toBe(
      'Customer,Phone number,Total,Currency,Paid,Created\r\n' +
        '"Ann; ""Zoë""",\'+256772000001,1234567.50,UGX,0,2030-02-01 01:30:00\r\n' +
        ',,1234567.50,KES,0,\r\n',
    )
  })

  it('have a second column of currencies where other money of a row is in another one', () => {
    const both: Column<Row>[] = [
      { title: 'Sent', value: element, file: () => ({ amount: '5.0000', currency: 'USD' }) },
      { title: 'Total', value: element, file: (one) => ({ amount: one.total, currency: one.currency }) },
    ]
    expect(shownTable(both, [{ ...row, at: null }], 'Currency').titles).toEqual([
      'Sent',
      'Currency',
      'Total',
      'Currency',
    ])
  })
})

describe('a text in a file', () => {
  it.each([
    ['+256772000001', "'+256772000001"],
    ['0772000001', "'0772000001"],
    ['256772000001', "'256772000001"],
    ['00123', "'00123"],
    ['1,500', `"'1,500"`],
    ['28/02/2030', "'28/02/2030"],
    ['=1+1', "'=1+1"],
    ['@x', "'@x"],
    ['-2+3', "'-2+3"],
    ['1500', '1500'],
    ['-12.5', '-12.5'],
    ['2030-02-28', '2030-02-28'],
    ['P5-017', 'P5-017'],
  ])('%s is written so that no spreadsheet changes it', (text, written) => {
    expect(toCsv({ titles: ['a'], rows: [[text]] })).toBe(`a\r\n${written}\r\n`)
  })
})

it('all fields have columns with dots, and lists as text, also where the interface has JSON in a text', () => {
  const table = fieldsTable([
    {
      id: 1,
      contact: { first_name: 'Ann', tags: ['P5', 'Bus'] },
      more: [{ a: { b: 1 } }],
      subscription_settings: '{"frequency":"monthly"}',
      note: '{x}',
    },
  ])
  expect(table.titles).toEqual([
    'id',
    'contact.first_name',
    'contact.tags',
    'more',
    'subscription_settings.frequency',
    'note',
  ])
  expect(table.rows).toEqual([[1, 'Ann', 'P5; Bus', 'a b 1', 'monthly', '{x}']])
})

describe('the name of a file', () => {
  const now = new Date('2030-01-31T22:30:00Z')

  it('has the day in the time zone of the organization, or the period of the filters', () => {
    showTimesIn('Africa/Kampala')
    expect(periodOf(now, {})).toEqual({ from: '2030-02-01', to: '2030-02-01' })
    const filters = { status: 'failed', created_after: '2030-01-01', created_before: '2030-01-31' }
    expect(periodOf(now, filters)).toEqual({ from: '2030-01-01', to: '2030-01-31' })
    expect(periodOf(now, { created_after: '2030-01-01' })).toEqual({ from: '2030-01-01', to: '2030-02-01' })
    expect(periodOf(now, { end_date: '2030-01-31T12:00' })).toEqual({ from: undefined, to: '2030-01-31' })
    expect(periodOf(now, { created_after: 'yesterday' })).toEqual({ from: '2030-02-01', to: '2030-02-01' })
  })

  it('has only signs that every system allows', () => {
    expect(withoutSigns('a/b: "c" 2030-02-01')).toBe('a-b- -c- 2030-02-01')
  })
})
