import { Paper, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** What is known of one object: names and values side by side, or under each other where it is narrow. */
export function Facts({
  title,
  facts,
  bare,
}: {
  title?: string
  /** True within a panel, which has a border already. */
  bare?: boolean
  facts: readonly (readonly [name: string, value: ReactNode])[]
}) {
  return (
    <Paper withBorder={!bare} p={bare ? 0 : 'lg'}>
      {title && (
        <Title order={2} fz="md" mb="sm">
          {title}
        </Title>
      )}
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value === null || value === undefined || value === '' ? '—' : value}</dd>
          </div>
        ))}
      </dl>
    </Paper>
  )
}
