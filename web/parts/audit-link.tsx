import { Anchor, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSession } from '../session.tsx'
import { t } from '../texts/index.ts'
import type { AuditedObject } from '../wire.ts'

interface AuditLinkProps {
  object: AuditedObject
  id: number
  size?: string
  /** A `link` is for rows of tables. */
  look?: 'button' | 'link'
}

/** A button or link to the entries of the audit log about an object, for people who may read the log. */
export function AuditLink({ object, id, size = 'sm', look = 'button' }: AuditLinkProps) {
  const { may } = useSession()
  if (!may('manage_organization')) return null
  const to = `/audit?object_type=${object}&object=${id}`
  if (look === 'link')
    return (
      <Anchor component={Link} to={to} fz="xs">
        {t('audit.link')}
      </Anchor>
    )
  return (
    <Button variant="default" size={size} component={Link} to={to}>
      {t('audit.link')}
    </Button>
  )
}
