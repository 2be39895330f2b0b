import { Alert, Anchor, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../api.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Time } from '../parts/time.tsx'
import { maintenanceQuery, sendingQuery } from '../service-state.ts'
import { useSession } from '../session.tsx'
import type { Sending } from '../wire.ts'

/** Says on every page what keeps the service from its work: held sending, and maintenance. */
export function ServiceNotices() {
  const { may } = useSession()
  const { data: sending } = useQuery({ ...sendingQuery, enabled: may('view') })
  const { data: maintenance } = useQuery({ ...maintenanceQuery, enabled: may('manage_organization') })
  return (
    <>
      {sending?.held && <HeldNotice sending={sending} />}
      {maintenance?.on && (
        <Alert color="orange" mb="md" title="Maintenance is on.">
          The API and the console answer that the service is away.{' '}
          {maintenance.yours && (
            <Anchor component={Link} to="/settings" inherit>
              End it in the settings.
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
    <Alert color="orange" mb="md" title="Sending is held.">
      <Text fz="sm">
        Nothing new goes to networks and billers. Requests and payments are accepted, and wait.
        {since && (
          <>
            {' '}
            Held since <Time at={since} />
            {by && ` by ${by}`}.
          </>
        )}
      </Text>
      {reason && (
        <Text fz="sm" mt={4}>
          Reason: {reason}
        </Text>
      )}
      {yours && may('manage_organization') ? (
        <ReleaseSending open={sending.open ?? 0} />
      ) : (
        <Text fz="sm" mt={4}>
          {yours ? 'A manager of the organization can release it.' : 'Only an operator can release it.'}
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
        After a restore first compare with the statements of the networks.{' '}
        <Anchor href="/docs/operating/backup#restore" target="_blank" inherit>
          How to go on after a restore
        </Anchor>
      </Text>
      <Confirm
        button="Release sending"
        title="Send everything that waits?"
        danger
        act={() => api.put('/sending', { held: false })}
        done={() => client.invalidateQueries({ queryKey: sendingQuery.queryKey })}
      >
        {open} orders, purchases and payments are open. What waits goes to networks and billers at once. After a
        restore, first cancel the payments that the statements of the networks have as sent.
      </Confirm>
    </>
  )
}
