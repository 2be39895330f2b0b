import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useDisclosure, useDocumentTitle } from '@mantine/hooks'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useSession } from '../session.tsx'
import { t } from '../texts/index.ts'
import type { AuditedObject } from '../wire.ts'
import { AuditLink } from './audit-link.tsx'
import { useCards } from './data-table.tsx'

export interface PageHeadProps {
  title: string
  about?: ReactNode
  actions?: ReactNode
  /** The one primary action of the page. */
  primary?: ReactNode
  /** True to fold the other actions on a phone, where they would fill the screen. */
  folds?: boolean
  /** The object of the page, as the audit log knows it: its type and its id. */
  audited?: readonly [type: AuditedObject, id: number]
}

/** Head of a page: title, purpose, actions, and a link to the object's audit log. */
export function PageHead({ title, about, actions, primary, folds, audited }: PageHeadProps) {
  const { service_name } = useSession()
  useDocumentTitle(`${title} – ${service_name}`)
  return (
    <Group justify="space-between" align="flex-start" mb={{ base: 'md', sm: 'lg' }} gap="sm">
      <Stack gap={2} maw="100%">
        <Title order={1} fz={{ base: 22, sm: 26 }} fw={700} className="any-break">
          {title}
        </Title>
        {about && (
          <Text c="dimmed" fz="sm" component="div" className="any-break">
            {about}
          </Text>
        )}
      </Stack>
      {(actions || primary || audited) && (
        <Actions primary={primary} folds={folds === true && Boolean(actions || audited)}>
          {actions}
          {audited && <AuditLink object={audited[0]} id={audited[1]} />}
        </Actions>
      )}
    </Group>
  )
}

/** The actions of a page, the primary one last. On a phone it comes first, and a button unfolds the others. */
function Actions({ primary, folds, children }: { primary: ReactNode; folds: boolean; children: ReactNode }) {
  const cards = useCards()
  const [opened, { toggle }] = useDisclosure()
  if (!cards || !folds)
    return (
      <Group gap="xs">
        {children}
        {primary}
      </Group>
    )
  return (
    <Group gap="xs">
      {primary}
      <Button
        variant="default"
        rightSection={opened ? <IconChevronUp size={14} /> : <IconChevronDown size={14} />}
        aria-expanded={opened}
        onClick={toggle}
      >
        {t('parts.more_actions')}
      </Button>
      {opened && children}
    </Group>
  )
}
