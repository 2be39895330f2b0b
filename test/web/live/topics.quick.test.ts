import { expect, it } from 'vitest'
import type { List } from '../../../src/actions/lists/list.ts'
import { lists } from '../../../src/actions/lists/table.ts'
import { eventTypes, extraEventTypes } from '../../../src/core/events/events.ts'
import { topicOf } from '../../../web/live/topics.ts'

/* What no list of the console may forget: when its page reads it again. */

/** Lists that change only by what people do, after which their pages read them anyway. */
const BY_PEOPLE = [
  'API keys',
  'batches of invoices',
  'batches of requests',
  'bill services',
  'currencies',
  'entries of the audit log',
  'files of contacts',
  'networks',
]

/** Lists that their pages read under the key of their object. */
const OF_OBJECT = ['actions on a request', 'recipients of a payment', 'rows of a file of payments']

/** Return the first parts of the keys of the queries about a list. */
function keysOf({ name, api, console: page }: List): string[] {
  const paths = [api?.path, page?.path].filter((path) => path !== undefined)
  return paths.map((path) => (OF_OBJECT.includes(name) ? path.split('/:')[0]! : path.replace(':id', '5')))
}

it('Each list of the console is read again when its rows change, or changes by people only', () => {
  const still = lists.filter((list) => !keysOf(list).some((key) => topicOf([key])))
  expect(still.map(({ name }) => name).sort()).toEqual(BY_PEOPLE)
})

it('Each topic of a list follows events that exist', () => {
  const types = [...eventTypes, ...extraEventTypes]
  for (const list of lists)
    for (const key of keysOf(list))
      for (const begin of topicOf([key])?.events ?? [])
        expect([key, begin, types.some((type) => type.startsWith(begin))]).toEqual([key, begin, true])
})
