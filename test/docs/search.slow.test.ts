import { globSync } from 'node:fs'
import { join } from 'node:path'
import MiniSearch from 'minisearch'
import { beforeAll, describe, expect, it } from 'vitest'
import { referenceEntries } from '../../site/reference-entries.ts'
import { type Found, searchPages, singularOf } from '../../site/search.ts'
import { buildSite } from '../web/machine-lock.ts'
import { HARD, QUESTIONS } from './search-questions.ts'

const ROOT = join(import.meta.dirname, '../..')

let ask: (question: string) => Found[]

beforeAll(async () => {
  await buildSite()
  const [file] = globSync('site/dist/assets/**/@localSearchIndex*.js', { cwd: ROOT })
  const { default: json } = (await import(join(ROOT, file!))) as { default: string }
  const fields = { fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'], processTerm: singularOf }
  const index = MiniSearch.loadJSON(json, fields)
  ask = (question) => searchPages(index, question)
}, 600_000)

/** The pages of an answer in their order, each once. */
function pagesOf(found: Found[]): string[] {
  return [...new Set(found.map(({ id }) => (id.startsWith('/reference') ? id : id.replace(/#.*/, ''))))]
}

/** True for the page itself, or a part of the reference with this name in its anchor. */
function isOf(expected: string, page: string | undefined): boolean {
  const [start, name] = expected.split('#')
  return name === undefined ? page === expected : page?.startsWith(start!) === true && page.includes(name)
}

describe('the search of the documentation', () => {
  const questions = Object.entries(QUESTIONS).flatMap(([page, all]) => all.map((question) => [question, page] as const))

  it.each(questions)('leads from "%s" first to %s', (question, page) => {
    const pages = pagesOf(ask(question))
    expect(isOf(page, pages[0]), pages.slice(0, 5).join(' ')).toBe(true)
  })

  it.each(Object.entries(HARD))('has behind "%s" among the first six %s', (question, page) => {
    const pages = pagesOf(ask(question)).slice(0, 6)
    expect(
      pages.some((one) => isOf(page, one)),
      pages.join(' '),
    ).toBe(true)
  })

  it('leads to the changelog only who asks for it', () => {
    const asked = [...questions.map(([question]) => question), ...Object.keys(HARD)]
    const first = asked.flatMap((question) => (pagesOf(ask(question))[0] === '/changelog' ? [question] : []))
    expect(first).toEqual(['changelog'])
  })

  it('prefers a manual page to a decision about the same', () => {
    for (const [question, manual, decision] of [
      ['approval', '/manual/approve', '/decisions/0050'],
      ['invoices', '/manual/invoices', '/decisions/0037'],
      ['payment links', '/manual/payment-links', '/decisions/0035'],
    ] as const) {
      const pages = pagesOf(ask(question))
      expect(pages[0]).toBe(manual)
      expect(pages.findIndex((page) => page.startsWith(decision))).not.toBe(0)
    }
  })

  it('finds every operation and every event by its name', () => {
    const entries = referenceEntries().filter(({ id }) => id.includes('#tag/'))
    expect(entries.length).toBeGreaterThan(110)
    const lost = entries.filter(({ id, text }) => ask(text.split(' ', 3).slice(0, 3).join(' '))[0]?.id !== id)
    expect(lost.map(({ id }) => id)).toEqual([])
  })

  it('finds a word that is not spelled as on any page', () => {
    expect(pagesOf(ask('reconcilliation statment'))[0]).toMatch(/^\/(manual\/reconcile|operating\/reconciliation)$/)
    expect(pagesOf(ask('recieve reciepts')).some((page) => page.includes('receipt'))).toBe(true)
  })

  it('answers a question without a known word with nothing', () => {
    expect(ask('zzzzqqqq')).toEqual([])
    expect(ask('')).toEqual([])
  })
})
