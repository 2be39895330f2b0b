import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lists } from '../../../src/actions/lists/table.ts'
import { orderings } from '../../../src/http/lists.ts'

/* The pages of the console offer what their lists declare: the service ignores a filter that it does not know. */

const ROOT = join(import.meta.dirname, '../../..')
/** Replaced by times before the service checks them (src/console/typed-input.ts). */
const DAYS = ['days', 'created_after', 'created_before'] as const

const declared = new Map(
  lists.flatMap(({ api, console: page, filters, people }) => [
    ...(api ? [[api.path, Object.keys(filters)] as const] : []),
    ...(page ? [[page.path, Object.keys({ ...filters, ...people })] as const] : []),
  ]),
)

const pages = globSync('web/pages/**/*.tsx', { cwd: ROOT }).flatMap((file) => {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const source = /<ListPage[\s\S]*?\ssource="([^"]+)"/.exec(text) ?? /<ListPage[\s\S]*?\spath="([^"]+)"/.exec(text)
  const block = /\sfilters=\{\[(.*)\]\}$/m.exec(text) ?? /\sfilters=\{\[([\s\S]*?)\n\s*\]\}/.exec(text)
  if (!source) return []
  const filters = block?.[1] ?? ''
  const names = [...filters.matchAll(/name: '(\w+)'/g)].map(([, name]) => name!)
  const sorted = [...text.matchAll(/ordering: '(\w+)'/g)].map(([, name]) => name!)
  return [{ file, path: source[1]!, names: filters.includes('searchFilter(') ? ['search', ...names] : names, sorted }]
})

it('There are pages with filters', () => {
  expect(pages.filter(({ names }) => names.length > 0).length).toBeGreaterThan(15)
})

describe.each(pages.map((page) => [page.file, page] as const))('the page %s', (_, { path, names, sorted }) => {
  it.runIf(declared.has(path))('has only filters and orders that its list declares', () => {
    const known = declared.get(path)!
    const has_days = DAYS.slice(1).every((name) => known.includes(name))
    expect(names.filter((name) => !known.includes(name) && !(name === DAYS[0] && has_days))).toEqual([])
    expect(sorted.filter((name) => !orderings.some((one) => one === name))).toEqual([])
  })
})

it('Each page with a list has a list of the table, but those of connections', () => {
  expect(pages.map(({ path }) => path).filter((path) => !declared.has(path))).toEqual(['/connections'])
})
