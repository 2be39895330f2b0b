import { Group, NativeSelect, Text } from '@mantine/core'
import { formatCount } from '../../format.ts'
import { t } from '../../texts/index.ts'
import { type PageSize, pageSizes, useSetListSearch } from './list-query.ts'
import { PageChoice } from './page-choice.tsx'

/** Range of shown rows, the pages of a list, and the rows per page. */
export function Pages(props: {
  page: number
  count: number
  shown: number
  size: PageSize
  setSize(size: PageSize): void
}) {
  const { page, count, shown, size, setSize } = props
  const set = useSetListSearch()
  const first = (page - 1) * size + 1
  const [last, all] = [formatCount(first + shown - 1), formatCount(count)]
  const changeSize = (chosen: number) => {
    setSize(pageSizes.find((one) => one === chosen) ?? size)
    set({})
  }
  return (
    <Group justify="space-between">
      <Group gap="md">
        <Text fz="sm" c="dimmed" className="numeric">
          {shown > 0 ? t('parts.shown_of', { first: formatCount(first), last, total: all }) : all}
        </Text>
        {count > pageSizes[0] && (
          <NativeSelect
            size="xs"
            aria-label={t('lists.page_size')}
            data={pageSizes.map((one) => ({ value: String(one), label: t('lists.per_page', { count: one }) }))}
            value={String(size)}
            onChange={(event) => changeSize(Number(event.currentTarget.value))}
          />
        )}
      </Group>
      <PageChoice count={count} size={size} page={page} choose={(to) => set({ page: to === 1 ? undefined : to })} />
    </Group>
  )
}
