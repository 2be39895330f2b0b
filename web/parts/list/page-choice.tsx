import { Pagination } from '@mantine/core'
import { t } from '../../texts/index.ts'
import { useCards } from '../data-table.tsx'

/** Number of rows on a page. On a phone, where each row is a card, a page has fewer. */
export function usePageSize(): number {
  return useCards() ? 10 : 50
}

/**
 * The pages of rows; nothing if all are on one.
 * @param props.size how many rows a page has
 */
export function PageChoice(props: { count: number; size: number; page: number; choose(page: number): void }) {
  const { count, size, page, choose } = props
  if (count <= size) return null
  return (
    <Pagination
      total={Math.ceil(count / size)}
      value={page}
      onChange={choose}
      size="sm"
      getControlProps={(control) => ({ 'aria-label': t(`parts.pages.${control}`) })}
      getItemProps={(item) => ({ 'aria-label': t('parts.page', { number: item }) })}
    />
  )
}
