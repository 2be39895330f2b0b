import { expect, it } from 'vitest'
import { readPaymentFile } from '../../../src/core/payments/bulk/columns.ts'
import { Invalid } from '../../../src/core/refusals.ts'
import { textRow, workbookOf } from '../../lib/sheets/workbook.ts'
import { printFigure } from '../figures.ts'

/*
 * People upload files that are made to stop the service: small ones that grow without end, cells far away, patterns that take
 * quadratic time. A process of its own reads each of them; the service must stay free meanwhile.
 */

/** The processor time of the service itself for one file: about 100 ms, and up to three times as much on a busy machine. */
const MAX_BUSY_MS = 1_000

const HEAD = textRow(1, ['Phone number', 'Amount'])
const PAID = textRow(2, ['0772000001', '5'])
const many = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => text(at)).join('')
const sheet = (rows: string, parts?: Record<string, string>) =>
  workbookOf({ sheets: [{ rows }], ...(parts && { parts }) })
const SHARED = { name: 'xl/sharedStrings.xml', cell: '<c r="A2" t="s"><v>0</v></c>' }

const ENTITIES = `<!DOCTYPE x [<!ENTITY a0 "aaaaaaaaaa">${many(20, (at) => `<!ENTITY a${at + 1} "${`&a${at};`.repeat(10)}">`)}]>`

/** Files that are refused, each with a word of the reason. */
const refused: [name: string, file: () => Buffer, reason: RegExp][] = [
  [
    'a cell in the last column',
    () => sheet(`${HEAD}<row r="2"><c r="XFD2"><v>1</v></c></row>`),
    /XFD2 is to the right/,
  ],
  ['more rows than are read', () => sheet(HEAD + many(30_000, (at) => textRow(at + 2, ['0772000001', '5']))), /rows/],
  [
    'merged cells',
    () =>
      workbookOf({
        sheets: [{ rows: HEAD + PAID, after: '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>' }],
      }),
    /merged/,
  ],
  ['a cell of 8 MB', () => sheet(HEAD + textRow(2, ['1'.repeat(8_000_000), '5'])), /A2 has more than 32767/],
  [
    'a shared text of 8 MB',
    () =>
      sheet(`${HEAD}<row r="2">${SHARED.cell}</row>`, {
        [SHARED.name]: `<sst><si><t>${'1'.repeat(8_000_000)}</t></si></sst>`,
      }),
    /A2 has more than 32767/,
  ],
  [
    'a long text in half a million cells',
    () =>
      sheet(HEAD + many(10_000, (at) => `<row r="${at + 2}">${'<c t="s"><v>0</v></c>'.repeat(50)}</row>`), {
        [SHARED.name]: `<sst><si><t>${'x'.repeat(30_000)}</t></si></sst>`,
      }),
    /too much text/,
  ],
  [
    'a million shared texts',
    () => sheet(HEAD + PAID, { [SHARED.name]: `<sst>${'<si/>'.repeat(1_000_000)}</sst>` }),
    /too large/,
  ],
  [
    'a million styles',
    () =>
      sheet(HEAD + PAID, {
        'xl/styles.xml': `<styleSheet><cellXfs>${'<xf/>'.repeat(1_000_000)}</cellXfs></styleSheet>`,
      }),
    /too many cell styles/,
  ],
  ['40 MB of blanks', () => workbookOf({ sheets: [{ xml: ' '.repeat(40_000_000) }] }), /too large when it is unpacked/],
  [
    'entities of entities',
    () => workbookOf({ sheets: [{ xml: `${ENTITIES}<worksheet>&a20;</worksheet>` }] }),
    /cannot be read/,
  ],
  [
    'cells that are opened and not closed',
    () => sheet(`${HEAD}<row r="2">${'<c r="A2" '.repeat(400_000)}`),
    /cannot be read/,
  ],
  ['two million levels', () => workbookOf({ sheets: [{ xml: '<a>'.repeat(2_000_000) }] }), /cannot be read/],
  ['rows that go back', () => sheet(HEAD + textRow(9, ['1', '2']) + textRow(3, ['1', '2'])), /cannot be read/],
  [
    'half a million attributes',
    () => workbookOf({ sheets: [{ xml: `<worksheet ${many(500_000, (at) => `a${at}="" `)}/>` }] }),
    /cannot be read/,
  ],
  [
    'no directory',
    () => Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(3_000_000, 'PK\x05')]),
    /cannot be read/,
  ],
  ['a CSV cell of 4 MB', () => Buffer.from(`phone,amount\n${'1'.repeat(4_000_000)},5`), /A2 has more than 32767/],
  ['4 MB of quotes', () => Buffer.from(`phone,amount\n${'"'.repeat(4_000_001)}`), /./],
  ['a million open quotes', () => Buffer.from(`phone,amount\n${'"a\n'.repeat(1_000_001)}`), /./],
  ['4 MB of commas', () => Buffer.from(`phone,amount\n1,2${','.repeat(4_000_000)}x`), /to the right of/],
  ['4 MB of ends of lines', () => Buffer.from(`phone,amount${'\n'.repeat(4_000_000)}`), /no rows below/],
]

/** Files that look large and are not: they are read. */
const read: [name: string, file: () => Buffer, rows: number][] = [
  ['a row at the end of the sheet', () => sheet(HEAD + PAID + textRow(1_048_576, ['0772000002', '5'])), 2],
  [
    'a dimension of all cells',
    () => workbookOf({ sheets: [{ rows: HEAD + PAID, before: '<dimension ref="A1:XFD1048576"/>' }] }),
    1,
  ],
  ['half a million empty rows', () => sheet(HEAD + PAID + many(500_000, (at) => `<row r="${at + 3}"/>`)), 1],
]

/** Upload a file. Returns the result, and the time for which the service itself was busy. */
async function upload(bytes: Buffer): Promise<{ rows?: number; reason?: string; busy_ms: number }> {
  const before = process.threadCpuUsage()
  const busy = () => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  }
  try {
    const { rows } = await readPaymentFile({ name: 'wages', bytes })
    return { rows: rows.length, busy_ms: busy() }
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    return { reason: error.fields.file!.join(' '), busy_ms: busy() }
  }
}

it('files that are made to stop the service are refused in words, or read, and the service stays free', async () => {
  const figures: number[] = []
  for (const [name, file, reason] of refused) {
    const answer = await upload(file())
    expect([name, answer.reason]).toEqual([name, expect.stringMatching(reason)])
    figures.push(answer.busy_ms)
  }
  for (const [name, file, rows] of read) {
    const answer = await upload(file())
    expect([name, answer.rows, answer.reason]).toEqual([name, rows, undefined])
    figures.push(answer.busy_ms)
  }
  expect(Math.max(...figures)).toBeLessThan(MAX_BUSY_MS)
  const worst = Math.round(Math.max(...figures))
  printFigure(
    'hostile-files',
    `${refused.length} files refused in words, ${read.length} read; the service was busy for at most ${worst} ms`,
  )
}, 300_000)
