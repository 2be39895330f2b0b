import { Group, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useSession } from '../session.tsx'

/** The head of a page: title, purpose and actions. */
export function PageHead({ title, about, actions }: { title: string; about?: ReactNode; actions?: ReactNode }) {
  const { service_name } = useSession()
  useDocumentTitle(`${title} – ${service_name}`)
  return (
    <Group justify="space-between" align="flex-start" mb="lg">
      <Stack gap={2} maw="100%">
        <Title order={1} fz={26} className="any-break">
          {title}
        </Title>
        {about && (
          <Text c="dimmed" fz="sm" component="div" className="any-break">
            {about}
          </Text>
        )}
      </Stack>
      {actions && <Group gap="xs">{actions}</Group>}
    </Group>
  )
}
