import { Paper, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** The details of an object: names and values side by side, or stacked on narrow screens. */
export function Facts({
  title,
  facts,
  bare,
}: {
  title?: string
  /** True within a panel, which already has a border. */
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
