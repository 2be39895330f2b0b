import { Box, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useDisclosure, useDocumentTitle } from '@mantine/hooks'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { Fragment, type ReactNode } from 'react'
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

/**
 * The actions of a page, the primary one last. On a phone it comes first, and a button unfolds the others. Their keys
 * keep them, with their open dialogs, when a phone is turned.
 */
function Actions({ primary, folds, children }: { primary: ReactNode; folds: boolean; children: ReactNode }) {
  const is_folding = useCards() && folds
  const [opened, { toggle }] = useDisclosure()
  const first = <Fragment key="primary">{primary}</Fragment>
  const others = (
    <Box key="others" display={is_folding && !opened ? 'none' : 'contents'}>
      {children}
    </Box>
  )
  const more = (
    <Button
      key="more"
      variant="default"
      rightSection={opened ? <IconChevronUp size={14} /> : <IconChevronDown size={14} />}
      aria-expanded={opened}
      onClick={toggle}
    >
      {t('parts.more_actions')}
    </Button>
  )
  return <Group gap="xs">{is_folding ? [first, more, others] : [others, first]}</Group>
}
