import { type Fragment, sql } from '../db/sql.ts'
import type { Amount } from '../lib/money.ts'
import { buildCondition, type Condition, type ConditionBuilders, type PageOptions, timestampFilter } from './filters.ts'

/** A list of an organization's rows: the columns `id`, `organization`, `created` and `modified` are needed. */
export interface List<Filters> {
  table: string
  /** Condition of each filter on a row. A search also depends on the days among the filters. */
  conditions(organization: number, filters: Filters): ConditionBuilders<Filters>
}

/** A page of a list and its order: by one column; rows with the same value go by id. */
export type SortedPage<Field extends string> = PageOptions & { field: Field }

/** A page of a list of objects with an amount, and its order. */
export type ListPage = SortedPage<'id' | 'created' | 'modified' | 'amount'>

/** The filters by time that the lists have in common. */
export const timeFilters = {
  created_after: timestampFilter('Created after this time.'),
  created_before: timestampFilter('Created before this time.'),
  modified_after: timestampFilter('Modified after this time.'),
  modified_before: timestampFilter('Modified before this time.'),
}

type TimeFilters = Record<keyof typeof timeFilters, Date | undefined>
const timeFilterNames = Object.keys(timeFilters) as (keyof TimeFilters)[]

export const timeConditions: ConditionBuilders<TimeFilters> = {
  created_after: (time) => sql`created > ${time}`,
  created_before: (time) => sql`created < ${time}`,
  modified_after: (time) => sql`modified > ${time}`,
  modified_before: (time) => sql`modified < ${time}`,
}

/** The condition that a column has exactly the value of the filter. */
export function equals(column: string): (value: string | number | Amount) => Condition {
  return (value) => sql`${sql.identifier(column)} = ${value}`
}

/** The condition that the contact of a row has the name of the filter. */
export function contactHas(organization: number, column: 'first_name' | 'last_name'): (name: string) => Condition {
  return (name) => sql`
    contact in (select id from contacts where organization = ${organization} and ${sql.identifier(column)} = ${name})`
}

/** The condition that a row belongs to the organization and matches all filters that are given. */
export function matches<Filters extends object>(
  { conditions }: List<Filters>,
  organization: number,
  filters: Filters,
): Condition {
  return sql`organization = ${organization} and ${buildCondition(conditions(organization, filters), filters)}`
}

/**
 * The statement that finds one page of a list: the ids in order (`ids`), and the exact number of all rows that match
 * (`count`).
 *
 * Ids and times rise together, but PostgreSQL does not know that. For a distant month it would read from the newest id
 * down and expect to find rows of that month soon. So a time range is read first (`materialized`) and then sorted. So
 * is a typed `search`, which reads columns of many rows.
 * @param count a faster way to count the rows, where there is one
 * @param near a condition on the rows that may be on the page, where the count does not need the others
 */
export function pageQuery<Filters extends Partial<TimeFilters>>(
  list: List<Filters>,
  organization: number,
  filters: Filters,
  page: SortedPage<string>,
  count: Fragment = sql`(select count(*) from found)`,
  near: Condition = sql.always,
): Fragment {
  const { field, limit, offset } = page
  const direction = page.descending ? sql`desc` : sql`asc`
  const has_range = timeFilterNames.some((name) => filters[name] !== undefined)
  const has_search = 'search' in filters && filters.search !== undefined
  return sql`
    with found as ${has_range || has_search ? sql`materialized` : sql`not materialized`} (
      select id, ${sql.identifier(field)} as sort_value from ${sql.identifier(list.table)}
      where ${matches(list, organization, filters)} and ${near})
    select ${count} as count, array(
      select id from found order by sort_value ${direction}, id ${direction} limit ${limit} offset ${offset}) as ids`
}

/** Makes the function that writes the statement for one page of a list (see `pageQuery`). */
export function createPageQuery<Filters extends Partial<TimeFilters>>(list: List<Filters>) {
  return (organization: number, filters: Filters, page: ListPage): Fragment =>
    pageQuery(list, organization, filters, page)
}
