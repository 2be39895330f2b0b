import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { resultUrl } from '../../../src/core/checkout/payment-pages.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { find, type Program, php, python, run, titleOf } from '../../packages/clients/languages.ts'
import { findBlocks, languageOf, type PageBlock, placeOf, ROOT } from './pages.ts'
import { FOLLOWED, NOT_RUN_LANGUAGES } from './rules.ts'

/*
 * Every fenced block of README.md and docs is run, or read by what it is for: the word after its fence says how. A block without a
 * known word fails. Shell blocks are run by shell.slow.test.ts, programs of the pages in `FOLLOWED` by the tests named there.
 */

const ruby = find(['ruby'], ['--version'], 'there is no ruby (on Debian: ruby)')
const node: Program = { path: process.execPath }

interface Check {
  /** Program that reads the block; none if this process does. */
  program?: Program
  /** @throws if the block cannot be read */
  check(text: string, writeFile: (ending: string, text: string) => string): unknown
}

const CHECKS: Record<string, Check> = {
  json: { check: (text) => JSON.parse(text) },
  yaml: { check: (text) => parseYaml(text) },
  ini: { check: checkIni },
  js: { program: node, check: (text, writeFile) => run(node.path, ['--check', writeFile('mjs', text)]) },
  py: { program: python, check: (text) => run(python.path!, ['-c', READ_PYTHON], { input: text }) },
  php: { program: php, check: (text, writeFile) => run(php.path!, ['-l', writeFile('php', withPhpTag(text))]) },
  ruby: { program: ruby, check: (text, writeFile) => run(ruby.path!, ['-c', writeFile('rb', text)]) },
}

const READ_PYTHON = 'import ast, sys; ast.parse(sys.stdin.read())'
const withPhpTag = (text: string) => (text.startsWith('<?php') ? text : `<?php\n${text}`)

/** Files of pgBackRest, PostgreSQL and Kannel: sections, comments, and names with values. */
function checkIni(text: string): void {
  const wrong = text.split('\n').filter((line) => !/^\s*(#.*|\[[\w:-]+\]|[\w-]+ ?= ?\S.*)?$/.test(line))
  if (wrong.length > 0) throw new Error(`No setting: ${wrong.join('\n')}`)
}

const blocks = findBlocks()
const isFollowed = ({ page }: PageBlock) => page in FOLLOWED
const folder = mkdtempSync(join(tmpdir(), 'kusanya-blocks-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('every block of the documentation', () => {
  it('has a word that says how it is run, or that has a reason for not being run', () => {
    const known = [...Object.keys(CHECKS), ...Object.keys(NOT_RUN_LANGUAGES), 'sh']
    const unknown = blocks.filter((block) => !isFollowed(block) && !known.includes(languageOf(block)))
    expect(unknown.map((block) => `${placeOf(block)}: "${block.info}"`)).toEqual([])
  })

  it.each(Object.entries(FOLLOWED))('of %s is followed by %s', (page, test) => {
    expect(blocks.some((block) => block.page === page)).toBe(true)
    expect(readFileSync(join(ROOT, test), 'utf8')).toContain(basename(page))
  })

  it('that is not run exists, so that no reason is left over', () => {
    const languages = new Set(blocks.map(languageOf))
    expect(Object.keys(NOT_RUN_LANGUAGES).filter((language) => !languages.has(language))).toEqual([])
  })

  for (const [index, block] of blocks.entries()) {
    const found = CHECKS[languageOf(block)]
    if (!found || isFollowed(block)) continue
    const { program = node, check } = found
    const writeFile = (ending: string, text: string) => {
      const path = join(folder, `block-${index}.${ending}`)
      writeFileSync(path, text)
      return path
    }
    it.skipIf(program.skipped)(titleOf(`${placeOf(block)} can be read`, program), async () => {
      await check(block.text, writeFile)
    })
  }
})

describe('the list of blocks', () => {
  it('has those of lists without their indentation', () => {
    const [block] = findBlocks().filter(
      ({ page, text }) => page === 'docs/operating/backup.md' && text.includes('reconcile'),
    )
    expect(block?.text).toMatch(/^npx kusanya reconcile/)
  })

  it('refuses settings that are none', () => {
    expect(() => checkIni('archive_mode = on\nwhatever')).toThrow('No setting: whatever')
  })
})

describe('the functions of docs/payment-links.md', () => {
  const secret = 'whsec_of-the-links'
  const result = { payment_link: 1, request: 2, status: 'paid', amount: parseAmount('1500')!, currency: 'BXC' } as const
  const genuine = new URL(resultUrl('https://shop.example/?order=7', secret, { ...result, at: new Date() }))
    .searchParams
  const old = new URL(resultUrl('https://shop.example/', secret, { ...result, at: new Date(0) })).searchParams
  const forged = new URLSearchParams(genuine)
  forged.set('amount', '15000.0000')
  const queries = [genuine, old, forged]
  const programOf = (language: string) =>
    blocks.find((block) => block.page === 'docs/payment-links.md' && languageOf(block) === language)!.text

  it('know a genuine result in JavaScript', async () => {
    const path = join(folder, 'genuine.mjs')
    writeFileSync(path, programOf('js'))
    const { isGenuine } = await import(/* @vite-ignore */ pathToFileURL(path).href)
    expect(queries.map((query) => isGenuine(query, secret))).toEqual([true, false, false])
  })

  it.skipIf(python.skipped)(titleOf('know a genuine result in Python', python), async () => {
    const calls = queries.map((query) => `print(is_genuine(${JSON.stringify(Object.fromEntries(query))}, "${secret}"))`)
    const printed = await run(python.path!, ['-'], { input: [programOf('py'), ...calls].join('\n') })
    expect(printed.trim().split('\n')).toEqual(['True', 'False', 'False'])
  })
})
