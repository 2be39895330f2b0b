import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPaid, readPlaces, readSums, sumPlaces } from './books.ts'
import { type Case, link, page, paymentsOf, prompt, reminder, stranger, till } from './cases.ts'
import { decide } from './matching.ts'
import {
  importPupils,
  invoiceClass,
  invoiceClassesFromFile,
  issueDrafts,
  keepCredit,
  makeLink,
  voidInvoice,
} from './office.ts'
import { pay, settle } from './pay.ts'
import { CLASS_NAMES, CLASSES, fatherOf, feeOf, motherOf, numberOf, pupilsOf } from './pupils.ts'
import { remind, seeWhyNothingIsAsked } from './reminders.ts'
import { readClassList, readReport, readStatement, reconcile } from './reports.ts'
import { openSchool, type School } from './school.ts'

const till_of = (number: string, amount: number, typed: string) => till(motherOf(number), amount, typed)

/** A mother types something that means her child, and pays the whole fee. */
const typed = (number: string, text: string): Case => ({
  what: `types ${text} for ${number}`,
  pays: [till_of(number, feeOf(number), text)],
  ends: { [number]: feeOf(number) },
})

/** Money that comes before there is an invoice. */
const EARLY: Case[] = [
  {
    what: 'pays a part before the term',
    pays: [till_of('P5-050', 200_000, 'P5-050')],
    ends: { 'P5-050': 200_000 },
  },
  {
    what: 'pays too much before the term',
    pays: [till_of('P5-051', 800_000, 'p5 51')],
    ends: { 'P5-051': 750_000, 'P5-051 credit': 50_000 },
  },
]

const CASES: Case[] = [
  // The number of the pupil or of the invoice, as people type it.
  typed('P5-001', 'P5-001'),
  typed('P5-002', 'p5-002'),
  typed('P5-003', 'P5 003'),
  typed('P5-004', 'P5004'),
  typed('P5-005', 'P5-0005'),
  typed('P5-006', 'p5 6'),
  typed('P5-007', 'P5/007'),
  typed('P5-008', ' P5 - 008 '),
  typed('P5-010', 'P5-010 Nakato fees'),
  typed('P5-011', 'Okello P5-011 term 1'),
  typed('P5-012', 'Adm no P5-012'),
  typed('P5-013', 'INV-{P5-013}'),
  typed('P5-014', 'inv {P5-014}'),
  typed('P5-015', 'Invoice No. 000{P5-015}'),
  typed('S1-020', 's1.020'),
  {
    what: 'types the number for a child without a phone at home',
    pays: [till(stranger(), 750_000, 'P5-019')],
    ends: { 'P5-019': 750_000 },
  },
  // Parts, less and more.
  {
    what: 'pays in two parts',
    pays: [till_of('P5-020', 300_000, 'P5-020'), till_of('P5-020', 450_000, 'p5 20')],
    ends: { 'P5-020': 750_000 },
  },
  {
    what: 'pays in three parts, the last one from the father',
    pays: [
      till_of('P5-021', 300_000, 'P5-021'),
      till_of('P5-021', 300_000, ''),
      till(fatherOf('P5-021'), 150_000, 'Opio'),
    ],
    ends: { 'P5-021': 750_000 },
  },
  { what: 'pays a part', pays: [till_of('P5-022', 100_000, 'P5-022')], ends: { 'P5-022': 100_000 } },
  { what: 'pays one shilling less', pays: [till_of('P5-023', 749_999, 'P5-023')], ends: { 'P5-023': 749_999 } },
  {
    what: 'pays too much with the number of the pupil',
    pays: [till_of('P5-024', 800_000, 'P5-024')],
    ends: { 'P5-024': 750_000, 'P5-024 credit': 50_000 },
  },
  {
    what: 'pays too much with the number of the invoice',
    pays: [till_of('P5-025', 750_001, 'inv {P5-025}')],
    ends: { 'P5-025': 750_000, 'P5-025 credit': 1 },
  },
  {
    what: 'pays twice',
    pays: [till_of('P5-026', 750_000, 'P5-026'), till_of('P5-026', 750_000, 'P5-026')],
    ends: { 'P5-026': 750_000, 'P5-026 credit': 750_000 },
  },
  // Nothing typed, from a phone that is known.
  { what: 'pays all and types nothing', pays: [till_of('P6-001', 750_000, '')], ends: { 'P6-001': 750_000 } },
  { what: 'pays a part and types nothing', pays: [till_of('P6-002', 250_000, '')], ends: { 'P6-002': 250_000 } },
  { what: 'pays as the father', pays: [till(fatherOf('P6-003'), 750_000, '')], ends: { 'P6-003': 750_000 } },
  { what: 'types a word', pays: [till_of('P6-004', 750_000, 'school fees')], ends: { 'P6-004': 750_000 } },
  { what: 'types the term', pays: [till_of('P6-005', 750_000, 'Term 1')], ends: { 'P6-005': 750_000 } },
  // A mother of three.
  {
    what: 'pays for one of three and types nothing',
    pays: [till_of('P1-004', 600_000, '')],
    bursar: { accepts: ['P2-004'] },
    ends: { 'P2-004': 600_000 },
  },
  {
    what: 'pays for all three at once',
    pays: [till_of('P1-008', 1_800_000, '')],
    bursar: { accepts: ['P1-008', 'P2-008', 'P3-008'] },
    ends: { 'P1-008': 600_000, 'P2-008': 600_000, 'P3-008': 600_000 },
  },
  {
    what: 'pays for three children, the youngest in part',
    pays: [till_of('P1-020', 1_500_000, 'fees for my 3 children')],
    bursar: { splits: { 'P3-020': 600_000, 'P2-020': 600_000, 'P1-020': 300_000 } },
    ends: { 'P3-020': 600_000, 'P2-020': 600_000, 'P1-020': 300_000 },
  },
  {
    what: 'types the number of one of three',
    pays: [till_of('P1-024', 600_000, 'P3-024')],
    ends: { 'P3-024': 600_000 },
  },
  {
    what: 'types the numbers of two pupils',
    pays: [till(stranger(), 1_500_000, 'P5-041 P5-042')],
    ends: { 'P5-041': 750_000, 'P5-042': 750_000 },
  },
  {
    what: 'types the numbers of two pupils, and pays less than both owe',
    pays: [till(stranger(), 1_000_000, 'P5-045 P5-046')],
    bursar: { splits: { 'P5-045': 750_000, 'P5-046': 250_000 } },
    ends: { 'P5-045': 750_000, 'P5-046': 250_000 },
  },
  {
    what: 'types the numbers of two invoices',
    pays: [till(stranger(), 1_500_000, 'INV {P5-043}, INV {P5-044}')],
    ends: { 'P5-043': 750_000, 'P5-044': 750_000 },
  },
  // Wrong numbers.
  {
    what: 'types a number that nobody has, one digit off, from the phone of the mother',
    pays: [till_of('P5-301', 700_000, 'P5-801')],
    bursar: { accepts: ['P5-301'] },
    ends: { 'P5-301': 700_000 },
  },
  {
    what: 'types a number that nobody has, one digit off, from another phone',
    pays: [till(stranger(), 750_000, 'P5-6010')],
    bursar: { accepts: ['P5-600'] },
    ends: { 'P5-600': 750_000 },
  },
  {
    what: 'types the number of another pupil by mistake',
    pays: [till_of('P5-017', 750_000, 'P5-117')],
    bursar: { moves_to: 'P5-017' },
    ends: { 'P5-017': 750_000 },
  },
  { what: 'types what is no number', pays: [till(stranger(), 120_000, 'Kampala 99999')], ends: { unmatched: 120_000 } },
  // Nothing typed, from a phone that nobody knows.
  { what: 'is unknown', pays: [till(stranger(), 75_000, '')], ends: { unmatched: 75_000 } },
  {
    what: 'is unknown and gets it back',
    pays: [till(stranger(), 60_000, 'sorry')],
    bursar: 'returns it',
    ends: { returned: 60_000 },
  },
  // The page of the invoice.
  { what: 'pays on the page', pays: [page('P6-010', motherOf('P6-010'), 750_000)], ends: { 'P6-010': 750_000 } },
  {
    what: 'chooses two parts on the page, the second one from another phone',
    pays: [page('P6-011', motherOf('P6-011'), 200_000), page('P6-011', stranger(), 550_000)],
    ends: { 'P6-011': 750_000 },
  },
  {
    what: 'pays a part on the page, and the rest at the till',
    pays: [page('P6-012', motherOf('P6-012'), 500_000), till_of('P6-012', 250_000, 'P6-012')],
    ends: { 'P6-012': 750_000 },
  },
  {
    what: 'pays on the page, and the network takes it back',
    pays: [page('P6-013', '+80079000108', 750_000)],
    ends: { reversed: 750_000 },
  },
  // Prompts that the bursar sends.
  { what: 'approves a prompt', pays: [prompt('P6-030', motherOf('P6-030'), 750_000)], ends: { 'P6-030': 750_000 } },
  {
    what: 'approves a prompt for a part on another phone',
    pays: [prompt('P6-031', stranger(), 150_000)],
    ends: { 'P6-031': 150_000 },
  },
  {
    what: 'pays at the till with the number of the invoice, and then the prompt as well',
    pays: [prompt('P6-032', motherOf('P6-032'), 750_000, till_of('P6-032', 300_000, 'inv {P6-032}'))],
    ends: { 'P6-032': 750_000, 'P6-032 credit': 300_000 },
  },
  {
    what: 'pays at the till with the number of the pupil, and then the prompt as well',
    pays: [prompt('P6-033', motherOf('P6-033'), 750_000, till_of('P6-033', 750_000, 'P6-033'))],
    ends: { 'P6-033': 750_000, 'P6-033 credit': 750_000 },
  },
  {
    what: 'has no money for the prompt, and pays at the till later',
    pays: [prompt('P6-034', '+80079000101', 750_000), till_of('P6-034', 750_000, 'P6-034')],
    ends: { 'P6-034': 750_000 },
  },
  // Others.
  {
    what: 'pays for a pupil who has left',
    pays: [till_of('P6-040', 750_000, 'P6-040')],
    ends: { 'P6-040 credit': 750_000 },
  },
  { what: 'pays for the uniform on the page of the link', pays: [link(stranger(), 85_000)], ends: { link: 85_000 } },
  {
    what: 'pays for the uniform at the till',
    pays: [till(stranger(), 85_000, 'lnk 1')],
    ends: { link: 85_000 },
  },
]

/** Money that waits when the reminders of P7 go out. */
const WAITING: Case = {
  what: 'types a number that nobody has before the reminder',
  pays: [till_of('P7-005', 400_000, 'P9-905'), reminder(motherOf('P7-005'), 500_000)],
  bursar: { accepts: ['P7-005'] },
  ends: { 'P7-005': 900_000 },
}

/** Most parents do what the school asks for. */
const ORDINARY = Array.from({ length: 200 }, (_, index) => numberOf('P4', 101 + index)).map((number, index) =>
  till(`+8007699${String(index).padStart(4, '0')}`, index % 3 === 0 ? 400_000 : 750_000, number),
)

const ALL = [...EARLY, ...CASES, WAITING]

/** Final paid part of each pupil's invoice. */
const PAID: Record<string, number> = Object.fromEntries([
  ...pupilsOf('P7').flatMap(({ number, mother }) => (mother ? [[number, feeOf(number)]] : [])),
  ...ORDINARY.map((one) => [one.typed, one.amount]),
  ...ALL.flatMap(({ ends }) => Object.entries(ends).filter(([place]) => /^[PS]\d-\d+$/.test(place))),
])

let school: School

beforeAll(async () => {
  school = await openSchool()
}, 300_000)
afterAll(() => school?.browserTest.close())

describe('a term of a school', { timeout: 600_000 }, () => {
  it('begins with the list of all pupils, the first money, and the invoices of the classes', async () => {
    await importPupils(school)
    await keepCredit(school)
    await pay(school, EARLY.flatMap(paymentsOf))
    for (const name of ['P1', 'P2', 'P3', 'P4', 'P5'] as const) await invoiceClass(school, name)
    await invoiceClass(school, 'P6', { issue: false })
    await issueDrafts(school, 'P6')
    await invoiceClass(school, 'P7', { reminders: true })
    await invoiceClassesFromFile(school, ['S1'])
    await makeLink(school)
    await voidInvoice(school, 'P6-040')
  })

  it('goes on with payments of all kinds', async () => {
    const rounds = Math.max(...CASES.map(({ pays }) => pays.length))
    for (let round = 0; round < rounds; round++) {
      const payments = CASES.flatMap(({ pays }) => pays[round] ?? [])
      await pay(school, round === 0 ? [...payments, ...ORDINARY] : payments)
    }
  })

  it('has money that the bursar gives to pupils by hand', async () => {
    for (const one of CASES) await decide(school, one)
    await settle(school)
  })

  it('reminds a class with prompts, except pupils with waiting money', async () => {
    await pay(school, WAITING.pays.slice(0, 1))
    // Pupils without a phone get no reminder, and their invoices say so; the money of one pupil waits.
    await remind(school, new Date('2030-01-26T06:30:00Z'), CLASSES.P7.pupils - 1)
    await seeWhyNothingIsAsked(school, 'P7-005')
    await decide(school, WAITING)
    await remind(school, new Date('2030-01-26T09:00:00Z'), CLASSES.P7.pupils)
  })

  it('agrees with the statement of the network', async () => {
    await reconcile(school)
    const [run] = await school.browserTest.testApp.db`select lines, agreeing, differences from reconciliation_runs`
    expect(run).toMatchObject({ agreeing: run!.lines, differences: 0 })
  })

  it('ends with every shilling where it belongs', async () => {
    const { db } = school.browserTest.testApp
    const places = await readPlaces(db)
    const found = ALL.map((one) => ({
      what: one.what,
      ends: sumPlaces(places, new Set(paymentsOf(one).map(({ phone }) => phone))),
    }))
    expect(found).toEqual(ALL.map(({ what, ends }) => ({ what, ends })))
    const { network, books } = await readSums(db)
    const sums = Object.values(sumPlaces(places)).reduce((all, one) => all + one, 0)
    expect([books, sums]).toEqual([network, network])
    const invoices = await readPaid(db)
    expect(invoices.filter(({ paid, total }) => paid > total)).toEqual([])
    const paid = invoices.flatMap((one) => (one.paid > 0 ? [[one.pupil, one.paid]] : []))
    expect(Object.fromEntries(paid)).toEqual(PAID)
  })

  it('shows the place of the money in class lists, statements and reports', async () => {
    for (const name of CLASS_NAMES) {
      const lines = await readClassList(school, name)
      const expected = pupilsOf(name).map(({ number }) => [number, PAID[number] ?? 0] as const)
      const total = expected.reduce((sum, [, paid]) => sum + paid, 0)
      expect(Object.fromEntries(lines.map((one) => [one.customer_number, Number(one.paid)]))).toEqual({
        ...Object.fromEntries(expected),
        Total: total,
      })
    }
    expect(await readStatement(school, 'P5-024')).toContain('BXC 50,000 in credit')
    expect(await readStatement(school, 'P6-013')).toContain('Reversed by the network')
    expect(await readStatement(school, 'P1-020')).toContain('BXC 300,000')
    const unmatched = await readReport(school, 'unmatched')
    for (const { pays, ends } of ALL)
      for (const { phone } of pays) expect([phone, unmatched.includes(phone)]).toEqual([phone, 'unmatched' in ends])
    const open = Object.entries(CLASSES).reduce((sum, [, { pupils, fee }]) => sum + pupils * fee, -feeOf('P6-040'))
    const paid = Object.values(PAID).reduce((sum, one) => sum + one, 0)
    expect(await readReport(school, 'ageing')).toContain((open - paid).toLocaleString('en'))
  })
})
