import { Alert, Anchor, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../api.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Time } from '../parts/time.tsx'
import { maintenanceQuery, sendingQuery } from '../service-state.ts'
import { useSession } from '../session.tsx'
import { Trans, t } from '../texts/index.ts'
import type { Sending } from '../wire.ts'

/** Show on every page the obstacles to the service's work: held sending, and maintenance. */
export function ServiceNotices() {
  const { may } = useSession()
  const { data: sending } = useQuery({ ...sendingQuery, enabled: may('view') })
  const { data: maintenance } = useQuery({ ...maintenanceQuery, enabled: may('manage_organization') })
  return (
    <>
      {sending?.held && <HeldNotice sending={sending} />}
      {maintenance?.on && (
        <Alert color="orange" mb="md" title={t('shell.maintenance.title')}>
          {t('shell.maintenance.text')}{' '}
          {maintenance.yours && (
            <Anchor component={Link} to="/maintenance" inherit>
              {t('shell.maintenance.end')}
            </Anchor>
          )}
        </Alert>
      )}
    </>
  )
}

function HeldNotice({ sending }: { sending: Sending }) {
  const { may } = useSession()
  const { since, by, reason, yours } = sending
  return (
    <Alert color="orange" mb="md" title={t('shell.sending.title')}>
      <Text fz="sm">
        {t('shell.sending.text')}{' '}
        {since && (
          <Trans
            i18nKey={by ? 'shell.sending.since_by' : 'shell.sending.since'}
            values={{ by }}
            components={{ time: <Time at={since} /> }}
          />
        )}
      </Text>
      {reason && (
        <Text fz="sm" mt={4}>
          {t('shell.sending.reason', { reason })}
        </Text>
      )}
      {yours && may('manage_organization') ? (
        <ReleaseSending open={sending.open ?? 0} />
      ) : (
        <Text fz="sm" mt={4}>
          {t(yours ? 'shell.sending.manager_releases' : 'shell.sending.operator_releases')}
        </Text>
      )}
    </Alert>
  )
}

function ReleaseSending({ open }: { open: number }) {
  const client = useQueryClient()
  return (
    <>
      <Text fz="sm" my="xs">
        {t('shell.sending.after_restore')}{' '}
        <Anchor href="/docs/operating/backup#restore" target="_blank" inherit>
          {t('shell.sending.after_restore_docs')}
        </Anchor>
      </Text>
      <Confirm
        button={t('shell.sending.release')}
        title={t('shell.sending.release_title')}
        danger
        act={() => api.put('/sending', { held: false })}
        done={() => client.invalidateQueries({ queryKey: sendingQuery.queryKey })}
      >
        {t('shell.sending.release_text', { count: open })}
      </Confirm>
    </>
  )
}
