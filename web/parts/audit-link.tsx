import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSession } from '../session.tsx'
import { t } from '../texts/index.ts'
import type { AuditedObject } from '../wire.ts'

/** A button to the entries of the audit log about an object, for people who may read the log. */
export function AuditLink({ of, id, size = 'sm' }: { of: AuditedObject; id: number; size?: string }) {
  const { may } = useSession()
  if (!may('manage_organization')) return null
  return (
    <Button variant="default" size={size} component={Link} to={`/audit?object_type=${of}&object=${id}`}>
      {t('audit.link')}
    </Button>
  )
}
