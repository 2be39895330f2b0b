import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** A section of a page with its own heading. */
export function Panel(props: { title: string; about?: ReactNode; actions?: ReactNode; children?: ReactNode }) {
  const { title, about, actions, children } = props
  return (
    <Paper withBorder p="lg" component="section" aria-label={title}>
      <Group justify="space-between" align="flex-start">
        <Stack gap={2} flex={1} miw="max(220px, 55%)">
          <Title order={2} fz="md">
            {title}
          </Title>
          {about && (
            <Text c="dimmed" fz="sm">
              {about}
            </Text>
          )}
        </Stack>
        {actions}
      </Group>
      {children && <Stack mt="md">{children}</Stack>}
    </Paper>
  )
}

/** Content that is folded until a person wants to see it. */
export function More({ summary, children }: { summary: string; children: ReactNode }) {
  return (
    <details className="more">
      <summary>{summary}</summary>
      {children}
    </details>
  )
}
