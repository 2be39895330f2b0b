import { describe, expect, it } from 'vitest'
import { checkNames } from '../../../src/cli/commands/doctor/checks.ts'
import { topics } from '../../../src/cli/described/index.ts'
import { toMarkdown } from '../../../src/cli/described/table.ts'
import { settingNames } from '../../../src/config.ts'
import { permissions } from '../../../src/core/access/api-keys.ts'
import { standardRoles } from '../../../src/core/access/roles.ts'
import { detours } from '../../../src/db/reads/metrics.ts'
import { logEvents } from '../../../src/lib/log-events.ts'
import { statementColumns } from '../../../src/lib/statements/statement-line.ts'
import { spans } from '../../../src/lib/tracing/spans.ts'
import { openShell } from '../shell.ts'

const kusanya = openShell({})

/** The cells of all rows that `describe` prints as Markdown, without the heads of tables. */
async function rowsOf(topic: string): Promise<string[][]> {
  const { code, out } = await kusanya(['describe', topic, '--markdown'])
  expect(code).toBe(0)
  const rows = out.split('\n').filter((line) => line.startsWith('| `'))
  return rows.map((line) => line.slice(2, -2).split(/ (?<!\\)\| /))
}
const firstOf = (rows: string[][]) => rows.map(([first]) => first!.replaceAll('`', ''))

describe('describe', () => {
  it('has every setting with its default, and the setting that names a file', async () => {
    const rows = await rowsOf('settings')
    expect(
      firstOf(rows)
        .flatMap((names) => names.split(', '))
        .sort(),
    ).toEqual([...settingNames].sort())
    const defaults = Object.fromEntries(rows.map(([name, value]) => [name!.replaceAll('`', ''), value]))
    expect(defaults).toMatchObject({
      PORT: '`3000`',
      CONSOLE: '`on`',
      EXTRA_EVENT_TYPES: '`off`',
      COLLECTION_CURRENCIES: '`BXC,UGX,KES`',
      PUBLIC_URL: '',
      OTEL_SDK_DISABLED: '`false`',
      APPROVER_WAIT_HOURS: '`0`, in live mode `24`',
      SMS_REPORTS: '`{}`',
      'SECRET_KEY, SECRET_KEY_FILE': 'generated in the sandbox',
    })
  })

  it('has every event of the log, with its level and message', async () => {
    const rows = await rowsOf('log')
    expect(rows.map(([name, level, message]) => [name, level, message!.split('”: ')[0]])).toEqual(
      Object.entries(logEvents).map(([name, { level, message }]) => [`\`${name}\``, level, `“${message}`]),
    )
  })

  it('has every check of `doctor`, and every span', async () => {
    const checks = await rowsOf('doctor')
    expect(firstOf(checks)).toEqual(checkNames)
    expect(checks.map(([, , limit]) => limit)).toEqual(expect.arrayContaining(['20 s', '180 s', '4 h for each']))
    expect(firstOf(await rowsOf('spans'))).toEqual(Object.values(spans).map(({ name }) => name))
  })

  it('has every permission with its name, and every role', async () => {
    const rows = await rowsOf('permissions')
    expect(rows.slice(0, -Object.keys(standardRoles).length).map(([code, name]) => [code, name])).toEqual(
      Object.entries(permissions).map(([code, name]) => [`\`${code}\``, name]),
    )
    expect(rows.slice(-Object.keys(standardRoles).length).map(([role]) => role)).toEqual(
      Object.keys(standardRoles).map((role) => `\`${role}\``),
    )
    expect(rows.find(([role]) => role === '`owner`')).toEqual(['`owner`', 'all'])
  })

  it('has every column of statements with its titles, and every reason of a read', async () => {
    const columns = await rowsOf('statement')
    expect(firstOf(columns)).toEqual([...statementColumns])
    expect(columns[0]![1]).toContain('`receipt no`')
    expect(firstOf(await rowsOf('reads'))).toEqual(['current', ...Object.keys(detours)])
  })

  it('has every command with its arguments and a description', async () => {
    const rows = await rowsOf('commands')
    expect(firstOf(rows)).toEqual(
      expect.arrayContaining([
        'serve',
        'webhooks replay [webhook]',
        'organizations approval set <currency> <threshold>',
      ]),
    )
    expect(rows.length).toBeGreaterThan(150)
    for (const [name, effect] of rows) expect(effect, name).toMatch(/^[^.]+$/)
  })

  it('has metrics without a database', async () => {
    const rows = await rowsOf('metrics')
    expect(rows).toContainEqual([
      '`kusanya_unmatched_collections`',
      'gauge, max',
      '`currency`',
      'Collections that match no request, with money that is left, by currency',
    ])
    for (const [name, , , meaning] of rows) expect(meaning, name).toMatch(/.{10,}/)
  })

  it('leaves no cell empty that must say something', async () => {
    for (const topic of Object.keys(topics))
      for (const row of await rowsOf(topic)) expect([topic, row[0], row.at(-1)]).not.toContain('')
  })

  it('prints for people without the addresses of links', async () => {
    const { out } = await kusanya(['describe', 'settings'])
    expect(out).toContain('REDIS_URL, REDIS_URL_FILE\n  Meaning: Redis that counts')
    expect(out).not.toContain('.md')
    expect((await kusanya(['describe', 'nothing'])).code).toBe(1)
  })
})

it('a table in Markdown keeps its columns where a cell has a line', () => {
  expect(toMarkdown([{ heading: 'One', columns: ['A', 'B'], rows: [['`a`', 'b|c']] }])).toBe(
    '## One\n\n| A | B |\n| --- | --- |\n| `a` | b\\|c |\n',
  )
})
