import { hashKey, keepPreviousData, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { api, type List, type Query } from '../api.ts'
import { type LiveRows, mergeRows } from './merge.ts'
import { live } from './stream.ts'
import { changedRow, topicOf } from './topics.ts'

/** Refresh functions of the shown lists, by the hash of their queries. */
export const listReaders: Map<string, () => void> = new Map()

/** The service answers no more rows at once. */
const MAX_ROWS = 100

/**
 * Read one page of a list. While it is shown, its rows change in place, and new rows are counted and wait for `load`.
 * An action of a person (`invalidateQueries`) loads the page anew. An empty page shows new rows at once: nothing moves.
 * @param path object of the list: the topic of its events
 * @param source address of its rows
 */
export function useLiveList<Row extends { id: number | string }>(
  path: string,
  query: Query & { limit: number; offset: number },
  source: string = path,
): { list: UseQueryResult<List<Row>>; added: number; load(): void } {
  const client = useQueryClient()
  const key = [path, query]
  const list = useQuery({
    queryKey: key,
    queryFn: () => api.get<List<Row>>(source, query),
    placeholderData: keepPreviousData,
    // A list that refreshes because its window is visible again would move under the finger.
    ...(topicOf(key) && { refetchOnWindowFocus: false, refetchOnReconnect: false }),
  })
  const [newer, setNewer] = useState<LiveRows<Row> & { than: List<Row> }>()
  const { data, refetch } = list
  const hash = hashKey(key)
  const current = newer && newer.than === data ? newer : undefined

  const readNewer = useEffectEvent(async (touched: Set<string>) => {
    const { data: shown, fetchStatus } = client.getQueryState<List<Row>>(key) ?? {}
    // A page that is being read may be older than the event.
    if (!shown || shown.results.length === 0 || list.error || fetchStatus === 'fetching')
      return client.invalidateQueries({ queryKey: key, exact: true })
    const limit = Math.min(MAX_ROWS, query.limit + (current?.added ?? 0))
    const ids = [...touched]
    touched.clear()
    try {
      const { found, gone } = await readRows<Row>(source, { ...query, limit }, shown.results, ids)
      setNewer((before) => {
        // A row that no longer matches the filters stays as it was read last.
        const results = before?.than === shown ? before.rows : shown.results
        const { rows, added } = mergeRows({ ...shown, results }, found, query.offset === 0)
        return { rows: rows.map((row) => gone.find(({ id }) => id === row.id) ?? row), added, than: shown }
      })
    } catch {
      // The query reports the outage, and keeps the rows.
      refetch()
    }
  })

  useEffect(() => {
    const touched = new Set<string>()
    listReaders.set(
      hash,
      inTurn(() => readNewer(touched)),
    )
    const unfollow = live.follow({
      onEvent(event) {
        const row = changedRow(path, event)
        if (row !== undefined) touched.add(row)
      },
    })
    return () => {
      listReaders.delete(hash)
      unfollow()
    }
  }, [hash, path])

  return {
    list: current && data ? ({ ...list, data: { ...data, results: current.rows } } as UseQueryResult<List<Row>>) : list,
    added: current?.added ?? 0,
    load() {
      setNewer(undefined)
      refetch()
    },
  }
}

/** Read the present rows, and those of the shown ones with these ids that are no longer among them. */
async function readRows<Row extends { id: number | string }>(
  source: string,
  query: Query,
  shown: readonly Row[],
  ids: readonly string[],
): Promise<{ found: List<Row>; gone: Row[] }> {
  const found = await api.get<List<Row>>(source, query)
  const gone = shown.filter(({ id }) => ids.includes(String(id)) && !found.results.some((one) => one.id === id))
  return { found, gone: await Promise.all(gone.map(({ id }) => api.get<Row>(`${source}/${id}`))) }
}

/** Return a function that reads after the read before has ended: the answers of two at once may come in any order. */
function inTurn(read: () => Promise<void>): () => void {
  let last = Promise.resolve()
  let waits = false
  return () => {
    if (waits) return
    waits = true
    last = last.then(() => {
      waits = false
      return read()
    })
  }
}
