import { globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import english from '../../../src/lib/messages/en.json' with { type: 'json' }
import french from '../../../src/lib/messages/fr.json' with { type: 'json' }
import swahili from '../../../src/lib/messages/sw.json' with { type: 'json' }
import type { MessageCatalogue } from '../../../src/lib/messages/translate.ts'
import { readMessageUses } from './sources.ts'

const ROOT = join(import.meta.dirname, '../../..')
const catalogues: Record<string, MessageCatalogue> = { en: english, fr: french, sw: swahili }
const paths = globSync('src/**/*.ts', { cwd: ROOT }).map(String).sort()
const uses = new Map(paths.map((path) => [path, readMessageUses(join(ROOT, path))]))

/** Folders and files whose sentences for people are all in the catalogue. */
const WHOLE = [
  'src/billers/',
  'src/connections/',
  'src/actions/',
  'src/console/',
  'src/core/',
  'src/drivers/',
  'src/http/errors.ts',
  'src/jobs/',
  'src/lib/http/',
  'src/lib/sheets/',
  'src/lib/typed-amount.ts',
  'src/networks/',
  'src/senders/',
]

/**
 * Files in them whose sentences have other readers: in mails, SMS, logs, templates of files, metrics, commands of lists and the
 * API's reference.
 * The words beside the settings of a driver stand in English, as the portals do that they speak of.
 */
const OTHER_READERS =
  /\/(columns|template|(\w+-)?filters|notices|approval-mails|sms|restored-data|(job-)?metrics|mail)\.ts$|^src\/actions\/lists\/|^src\/(billers|networks|senders)\/.*settings\.ts$/
/** Other files with sentences that are no messages of a page, and their readers. */
const ELSEWHERE: Record<string, string> = {
  'src/actions/cell-directory.ts': 'a command',
  'src/actions/link-delivery.ts': 'mails',
  'src/billers/index.ts': 'the operator, at the start',
  'src/billers/sandbox-bills/index.ts': 'words beside a setting',
  'src/billers/upstream/index.ts': 'words beside a setting',
  'src/console/access/cells.ts': 'other cells',
  'src/core/access/audit-chain.ts': 'findings of a command',
  'src/core/access/request-limits.ts': 'clients of the API; pages have other words for status 429',
  'src/core/archive/segments.ts': 'a command',
  'src/core/manual-settlements/review.ts': 'the log',
  'src/core/bills/account-numbers.ts': 'names of account numbers, which are data of the catalogue',
  'src/core/bills/account-patterns.ts': 'a command that reads a catalogue',
  'src/core/bills/account-rules.ts': 'a command that reads a catalogue',
  'src/core/bills/catalogue-file.ts': 'a command that reads a catalogue',
  'src/core/bills/purchases.ts': 'clients of the API',
  'src/core/bills/refusals.ts': 'clients of the API',
  'src/core/bills/token-sms.ts': 'an SMS',
  'src/core/books/compare.ts': 'the command line',
  'src/core/collections/acceptance-urls.ts': 'the command line',
  'src/core/collections/incoming-payments.ts': 'networks',
  'src/core/collections/paid-requests.ts': 'the log',
  'src/core/collections/request-counts.ts': 'findings of a command',
  'src/core/connections/callbacks.ts': 'the log',
  'src/core/connections/checklist-texts.ts': 'pages, which translate them with their own texts (web/texts)',
  'src/core/connections/service-state.ts': 'the log',
  'src/core/connections/unassigned-payments.ts': 'the log',
  'src/core/events/failure-words.ts': 'the command line; pages have words of their own',
  'src/core/invoices/invoices.ts': "the API's reference",
  'src/core/ledger/balances.ts': 'the log',
  'src/core/ledger/holds.ts': 'findings of a command',
  'src/core/ledger/operator-money.ts': 'the log',
  'src/core/ledger/transfers.ts': 'findings of a command',
  'src/core/payments/late-payouts.ts': 'the log',
  'src/core/refusals.ts': 'clients of the API; pages have other words for status 429',
  'src/core/sms/consents.ts': 'an SMS',
  'src/core/sms/document-sends.ts': "the API's reference",
  'src/jobs/collect.ts': 'the log',
  'src/jobs/send-sms-messages.ts': 'the log',
  'src/jobs/shared/apply-in-batch.ts': 'the log',
  'src/jobs/orders/engine.ts': 'the log',
  'src/jobs/orders/order-calls.ts': 'the log',
  'src/networks/daraja/index.ts': 'the name of a column of a statement',
  'src/networks/sandbox.ts': 'words beside a setting',
  'src/senders/africas-talking/index.ts': 'words beside a setting',
  'src/senders/index.ts': 'the command line',
  'src/senders/infobip/index.ts': 'words beside a setting',
}

describe('the messages of the service', () => {
  it.each(Object.keys(catalogues))('are the same ones in %s, with the same values', (language) => {
    const catalogue = catalogues[language]!
    expect(Object.keys(catalogue)).toEqual(Object.keys(english))
    const different = Object.entries(english).filter(
      ([key, { message }]) => String(valuesOf(catalogue[key]!.message)) !== String(valuesOf(message)),
    )
    expect(different).toEqual([])
  })

  it('have a note for translators', () => {
    expect(Object.entries(english).filter(([, { description }]) => !/^\S.*\."?$/.test(description))).toEqual([])
  })

  it.each(Object.entries(catalogues))('are short sentences without blanks at the ends in %s', (_, catalogue) => {
    const texts = Object.entries(catalogue).map(([key, { message }]) => [key, message] as const)
    expect(texts.filter(([, text]) => text === '' || text !== text.trim())).toEqual([])
    const sentences = texts.flatMap(([key, text]) => text.split(/(?<=[.!?:;])\s+/).map((one) => ({ key, one })))
    expect(sentences.filter(({ one }) => one.split(/\s+/).length > 25)).toEqual([])
  })

  it('have no phrase that has to be read twice', () => {
    const banned = /\b(that of|those of|became of|the most that|given back|left out|mend\w*|says? its end)\b/i
    expect(Object.entries(english).filter(([, { message }]) => banned.test(message))).toEqual([])
  })

  it('begin no French line with a sign of the previous word', () => {
    expect(Object.entries(french).filter(([, { message }]) => / [:;?!%»]|« /.test(message))).toEqual([])
  })

  it('have one key for each English text, by which a translation is found', () => {
    const by_text = Map.groupBy(Object.entries(english), ([, { message }]) =>
      message.replaceAll(/\{\{\w+\}\}/g, '{{}}'),
    )
    expect([...by_text.values()].filter((same) => same.length > 1)).toEqual([])
  })

  it('are all used', () => {
    const strings = new Set([...uses.values()].flatMap((file) => [...file.strings]))
    expect(Object.keys(english).filter((key) => !strings.has(key))).toEqual([])
  })

  it('get the values that stand in them', () => {
    const wrong = [...uses].flatMap(([path, { calls }]) =>
      calls.flatMap(({ key, names }) => {
        const { message } = english[key as keyof typeof english]
        return names && String(names.sort()) !== String(valuesOf(message)) ? [`${path}: ${key} gets ${names}`] : []
      }),
    )
    expect(wrong).toEqual([])
  })

  it('leave no sentence for people in the source of these rooms', () => {
    const left = [...uses].flatMap(([path, { sentences }]) =>
      WHOLE.some((room) => path.startsWith(room)) && !OTHER_READERS.test(path) && !(path in ELSEWHERE)
        ? sentences.map((sentence) => `${path}:${sentence}`)
        : [],
    )
    expect(left).toEqual([])
  })
})

function valuesOf(message: string): string[] {
  return [...new Set([...message.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!))].sort()
}
