import { Group, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useSession } from '../session.tsx'
import type { AuditedObject } from '../wire.ts'
import { AuditLink } from './audit-link.tsx'

export interface PageHeadProps {
  title: string
  about?: ReactNode
  actions?: ReactNode
  /** The object of the page, as the audit log knows it: its type and its id. */
  audited?: readonly [type: AuditedObject, id: number]
}

/** Head of a page: title, purpose, actions, and a link to the object's audit log. */
export function PageHead({ title, about, actions, audited }: PageHeadProps) {
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
      {(actions || audited) && (
        <Group gap="xs">
          {actions}
          {audited && <AuditLink object={audited[0]} id={audited[1]} />}
        </Group>
      )}
    </Group>
  )
}
