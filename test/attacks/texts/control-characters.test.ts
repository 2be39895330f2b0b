import { afterEach, describe, expect, it, vi } from 'vitest'
import { printRows, toJson } from '../../../src/cli/print.ts'
import { createLogger, describeLine } from '../../../src/cli/service/log.ts'
import { processTerminal } from '../../../src/cli/terminal.ts'
import { prepareText } from '../../../src/lib/sms-text.ts'
import { csvFile } from '../../../src/lib/table-files/csv-file.ts'
import type { Table } from '../../../src/lib/table-files/table.ts'
import { linesWithoutControls, withoutControls } from '../../../src/lib/text/controls.ts'
import { printFigure } from '../figures.ts'

/*
 * A customer or a tenant writes texts that control a terminal, forge lines of a log, or show a text in another order.
 */

const NAMES: Readonly<Record<string, string>> = {
  'a cleared screen': 'Grace\u001b[2J\u001b[HPaid',
  'a title of the window': 'Grace\u001b]0;owned\u0007',
  'the escape of C1': 'Grace\u009b2K',
  'a line that is overwritten': 'KES 10\rKES 999',
  'a second line': 'Grace\n12:00:00 POST /api/payments 201',
  'a backspace': 'Grace\b\b\b\b\bJoyce',
  'a text that runs the other way': 'invoice\u202efdp.exe',
  'an isolate': 'pay \u2066KES\u2069 \u20671\u2069',
  'a line end of Unicode': 'Grace\u2028Joyce\u2029',
  'a next line': 'Grace\u0085Joyce',
  'nothing to see': 'Gra\u200bce\u2060\ufeff\u00ad',
  'hidden tags': 'Grace\u{e0041}\u{e007f}',
  'a null character': 'Gra\0ce',
  'a style of ours': 'Grace\u001b[31m\ufdd0',
}
const HOSTILE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

afterEach(() => {
  vi.restoreAllMocks()
})

const terminal = processTerminal()

/** Return the output of a command while `work` prints. */
function shownBy(work: () => void): string {
  let shown = ''
  for (const out of [process.stdout, process.stderr])
    vi.spyOn(out, 'write').mockImplementation((text) => {
      shown += String(text)
      return true
    })
  work()
  vi.restoreAllMocks()
  return shown
}

describe.each(Object.entries(NAMES))('%s', (_what, name) => {
  it('reaches no terminal, in sentences, tables and JSON', () => {
    const sentence = shownBy(() => {
      terminal.print(`Created ${terminal.strong(name)}.`)
      terminal.warn(name)
    })
    expect(sentence).not.toMatch(HOSTILE)
    const rows = [{ name, state: 'active' }]
    const columns = { Name: 'name', State: 'state' } as const
    const table = shownBy(() => printRows(terminal, rows, { columns, none: 'There are none.' }))
    expect(table).not.toMatch(HOSTILE)
    expect(table.split('\n')).toHaveLength(3)
    expect(toJson(rows)).not.toMatch(HOSTILE)
    expect(JSON.parse(toJson(rows))).toEqual(rows)
  })

  it('forges no line of the log, as JSON and for people', () => {
    const lines: string[] = []
    createLogger('info', { write: (line) => void lines.push(line) }).info({ name, event: 'x' }, name)
    expect(lines).toHaveLength(1)
    expect(lines[0]!.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    const line = JSON.parse(lines[0]!)
    expect(line).toMatchObject({ name, msg: name })
    expect(describeLine(line)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  })

  it('is in no SMS, subject, mail and table for a spreadsheet', async () => {
    for (const text of [name, `${name} ኃይሌ`]) expect(prepareText(text).replaceAll(/[\r\n]/g, '')).not.toMatch(HOSTILE)
    expect(withoutControls(name)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    expect(linesWithoutControls(name)).not.toMatch(HOSTILE)
    async function* chunks() {
      yield [[name]]
    }
    const columns: Table['columns'] = [{ name: 'name', title: 'Name', kind: 'text' }]
    const facts = { name: 'x', title: 'X', organization: name, facts: [], zone: 'UTC', created: new Date(0) }
    let csv = ''
    for await (const chunk of csvFile({ ...facts, columns, chunks: chunks() })) csv += chunk
    expect(csv.replaceAll('\r\n', '')).not.toMatch(HOSTILE)
  })
})

it('what people need stays: lines, tabs, letters that join, emoji of several signs', () => {
  const text = 'می\u200cخواهم\n👩\u200d🌾'
  expect(linesWithoutControls(text)).toBe(text)
  expect(prepareText(text)).toBe(text)
  expect(shownBy(() => terminal.print('one\ttwo\nthree\r'))).toBe('one\ttwo\nthree\\u000d\n')
  printFigure(
    'control-characters',
    `0 of ${Object.keys(NAMES).length} kinds of controls reach a terminal, log, mail or SMS`,
  )
})
