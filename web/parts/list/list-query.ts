import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Query } from '../../api.ts'

/** Possible numbers of rows per page. */
export const pageSizes = [25, 50, 100] as const
export type PageSize = (typeof pageSizes)[number]

const SIZE_KEY = 'rows-per-page'
const COLUMNS_KEY = 'columns of '

/** Values in the address of a list. */
export type ListSearch = Record<string, string | undefined>

export function useListSearch(): ListSearch {
  return useSearch({ strict: false })
}

/** Change the address of a list. Another filter, order or number of rows begins with the first page again. */
export function useSetListSearch(): (values: Record<string, string | number | undefined>) => void {
  const navigate = useNavigate()
  return (values) =>
    navigate({ to: '.', search: (before: object) => ({ ...before, page: undefined, ...values }) as never })
}

/** The number of rows that this browser shows on a page. */
export function readPageSize(): PageSize {
  const stored = Number(localStorage.getItem(SIZE_KEY))
  return pageSizes.find((size) => size === stored) ?? pageSizes[0]
}

export function keepPageSize(size: PageSize): void {
  localStorage.setItem(SIZE_KEY, String(size))
}

/** The columns of a list that this browser shows, as in the address. */
export function readColumns(path: string): string | undefined {
  return localStorage.getItem(COLUMNS_KEY + path) ?? undefined
}

export function keepColumns(path: string, columns: string | undefined): void {
  if (columns === undefined) localStorage.removeItem(COLUMNS_KEY + path)
  else localStorage.setItem(COLUMNS_KEY + path, columns)
}

/** The query of a list: filters and order of its address, and the slice of the page. */
export function toQuery(search: ListSearch, names: readonly string[], size: number, fixed?: Query) {
  const page = Math.max(1, Number.parseInt(search.page ?? '1', 10) || 1)
  const filters = Object.fromEntries(names.map((name) => [name, search[name] ?? '']))
  const ordering = search.ordering ?? '-id'
  return { page, filters, query: { ...filters, ...fixed, ordering, limit: size, offset: (page - 1) * size } }
}
