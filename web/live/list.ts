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
    const shown = client.getQueryData<List<Row>>(key)
    if (!shown || shown.results.length === 0 || list.error) return void refetch()
    const limit = Math.min(MAX_ROWS, query.limit + (current?.added ?? 0))
    const ids = [...touched]
    touched.clear()
    try {
      const found = await api.get<List<Row>>(source, { ...query, limit })
      const merged = mergeRows(shown, found, query.offset === 0)
      const gone = shown.results.filter(
        ({ id }) => ids.includes(String(id)) && !found.results.some((one) => one.id === id),
      )
      const read = await Promise.all(gone.map(({ id }) => api.get<Row>(`${source}/${id}`)))
      const rows = merged.rows.map((row) => read.find(({ id }) => id === row.id) ?? row)
      setNewer({ ...merged, rows, than: shown })
    } catch {
      // The query reports the outage, and keeps the rows.
      refetch()
    }
  })

  useEffect(() => {
    const touched = new Set<string>()
    listReaders.set(hash, () => void readNewer(touched))
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
