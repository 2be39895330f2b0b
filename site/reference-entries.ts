import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import MiniSearch from 'minisearch'
import type { Plugin } from 'vite'
import { withGuide } from '../src/http/openapi/guide.ts'
import { ROOT } from './layout.ts'
import { singularOf } from './search.ts'

/** An entry of the search: a part of the API reference. */
export interface Entry {
  /** Its address below the site. */
  id: string
  title: string
  titles: string[]
  text: string
}

/** The parts of `openapi.json` that are read. */
interface Reference {
  info: { description: string }
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
}

interface Operation {
  operationId: string
  summary: string
  description: string
  tags: [string]
}

/** List the sections, operations and events of the reference. */
export function referenceEntries(): Entry[] {
  const { info, paths, webhooks } = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as Reference
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => {
      const name = `${method.toUpperCase()} ${path}`
      return entryOf(one, `#tag/${slugOf(one.tags[0])}/${method.toUpperCase()}${path}`, name)
    }),
  )
  const events = Object.entries(webhooks).flatMap(([event, methods]) =>
    Object.values(methods).map((one) =>
      entryOf(one, `#tag/webhooks/webhook/POST/${event.replaceAll('_', '-')}`, event),
    ),
  )
  return [...sectionsOf(withGuide(info.description)), ...operations, ...events]
}

function entryOf({ summary, description, operationId, tags }: Operation, anchor: string, name: string): Entry {
  const text = `${name} ${operationId} ${description}`
  return { id: `/reference${anchor}`, title: `${summary} · ${name}`, titles: [REFERENCE, tags[0]], text }
}

/** The sections of the introduction, by their headings. */
function sectionsOf(introduction: string): Entry[] {
  return introduction
    .split(/^# /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...text] = section.split('\n')
      return { id: `/reference#description/${slugOf(title)}`, title, titles: [REFERENCE], text: text.join('\n') }
    })
}

const REFERENCE = 'API reference'

function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}

const INDEX_START = 'export default '

/** Add the API reference, which is not a page of the generator, to the index of the search while it is built. */
export function addReference(): Plugin {
  return {
    name: 'add-reference-to-search',
    enforce: 'post',
    transform(code, id) {
      if (!/@localSearchIndex\w+$/.test(id)) return undefined
      const fields = { fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'], processTerm: singularOf }
      const index = MiniSearch.loadJSON<Entry>(JSON.parse(code.slice(INDEX_START.length)) as string, fields)
      index.addAll(referenceEntries())
      return { code: `${INDEX_START}${JSON.stringify(JSON.stringify(index))}`, map: null }
    },
  }
}
