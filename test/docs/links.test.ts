import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pageOf, ROOT } from '../../site/layout.ts'
import { linksIn, linksOf, targetOf } from '../../site/links.ts'
import { findPages, sidebar } from '../../site/navigation.ts'
import { slugOf } from '../../site/slugs.ts'
import { makeTables, tablesOf } from '../../site/tables.ts'

/* Every link of the documentation leads somewhere, on GitHub and on the site. */

const FILES = [...globSync('*.md', { cwd: ROOT }), ...globSync('docs/**/*.md', { cwd: ROOT })].sort()
/** File of each page. The first page of the site is the README of `docs`, not of the repository. */
const FILE_OF = new Map(FILES.filter((file) => file !== 'README.md').map((file) => [pageOf(file), file]))

/** The anchors of a file: of its headings, as GitHub makes them. The second heading of a name ends in `-1`. */
function anchorsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8').replace(/^```[\s\S]*?^```/gm, '')
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => heading!)
  const slugs = headings.map((heading) => slugOf(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '')))
  return slugs.map((slug, index) => {
    const earlier = slugs.slice(0, index).filter((one) => one === slug).length
    return earlier === 0 ? slug : `${slug}-${earlier}`
  })
}

/** Return the faults in the links of a file, or of a text in it. */
function faultsOf(file: string, text = readFileSync(join(ROOT, file), 'utf8'), name = file): string[] {
  return linksIn(text).flatMap((href) => {
    const target = targetOf(file, href)
    if (target.kind === 'missing') return [`${name}: ${href} does not exist`]
    if (target.kind !== 'page' || target.anchor === '') return []
    const anchors = anchorsOf(file === 'README.md' && href.startsWith('#') ? file : FILE_OF.get(target.page)!)
    return anchors.includes(decodeURI(target.anchor)) ? [] : [`${name}: ${href} names no heading`]
  })
}

describe('the documentation', () => {
  it.each(FILES)('%s has no broken link', (file) => {
    expect(faultsOf(file)).toEqual([])
  })

  it('has no syntax of the generator, so that it reads the same on GitHub', () => {
    const found = FILES.filter((file) =>
      /^(:::|---$|\[\[toc\]\]|<!--@include)/m.test(readFileSync(join(ROOT, file), 'utf8')),
    )
    expect(found).toEqual([])
  })

  it('has every page in its navigation, once', () => {
    const pages = findPages()
    const shown = sidebar(pages).flatMap(({ items }) =>
      items!.map(({ link }) => link!.replace(/\/$/, '/index').slice(1)),
    )
    expect(shown.toSorted()).toEqual([...pages.keys(), 'reference'].toSorted())
  })

  it('leads from its first page to every page but the decisions, which have a folder, and those for operators, which have a list', () => {
    const lists = ['docs/README.md', 'docs/operating.md']
    const linked = lists.flatMap((file) => linksOf(file).map((href) => targetOf(file, href)))
    const reached = new Set(linked.flatMap((target) => (target.kind === 'page' ? [target.page] : [])))
    const pages = [...findPages().keys()].filter((page) => page !== 'index' && !/^decisions\/\d/.test(page))
    expect(pages.filter((page) => !reached.has(`${page}.md`))).toEqual([])
  })

  it('has tables that are made from the code, each in one page, with links that lead somewhere', async () => {
    const tables = await makeTables()
    const places = FILES.flatMap((file) => tablesOf(readFileSync(join(ROOT, file), 'utf8')))
    expect(places.toSorted()).toEqual([...tables.keys()].sort())
    const faults = [...tables].flatMap(([name, table]) => faultsOf('docs/operating/settings.md', table, name))
    expect(faults).toEqual([])
  })
})

describe('the check of links', () => {
  it('finds a missing file and a folder, and follows README files and files that are no pages', () => {
    expect(targetOf('docs/sms.md', 'nothing.md')).toEqual({ kind: 'missing' })
    expect(targetOf('docs/sms.md', '../../outside.md')).toEqual({ kind: 'missing' })
    expect(targetOf('docs/operating.md', '../deploy')).toEqual({ kind: 'folder' })
    expect(targetOf('ARCHITECTURE.md', 'docs/decisions')).toEqual({
      kind: 'page',
      page: 'decisions/index.md',
      anchor: '',
    })
    expect(targetOf('docs/security.md', '../SECURITY.md')).toEqual({
      kind: 'page',
      page: 'security-policy.md',
      anchor: '',
    })
    expect(targetOf('docs/bills.md', '#the-catalogue')).toEqual({
      kind: 'page',
      page: 'bills.md',
      anchor: 'the-catalogue',
    })
    expect(targetOf('docs/bills.md', '../examples/buy-electricity.sh')).toEqual({
      kind: 'file',
      file: 'examples/buy-electricity.sh',
    })
  })

  it('makes the anchors of GitHub', () => {
    expect(slugOf('Consent, STOP and quiet hours')).toBe('consent-stop-and-quiet-hours')
    expect(slugOf('1. Without DATABASE_URL the service runs')).toBe('1-without-database_url-the-service-runs')
    expect(slugOf('What is “this” – now?')).toBe('what-is-this--now')
  })
})
