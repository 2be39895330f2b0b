import { Alert, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import type { ControlChange } from '../../wire.ts'

const states = ['pending', 'applied', 'confirmed', 'rejected', 'withdrawn', 'expired']

/** The answer to a decision; a confirmed invitation has a link. */
interface Decided {
  change: ControlChange
  link: { mailed: boolean; path: string | null; problem: string | null } | null
}

/** The changes of who may move money and how much, with the buttons for those that wait for a second manager. */
export default function Changes() {
  const [decided, setDecided] = useState<Decided>()
  return (
    <ListPage<ControlChange>
      title="Changes"
      about="Who may move money and how much. What loosens control waits until a second manager confirms it."
      path="/control-changes"
      empty="Nothing was changed yet."
      csv={false}
      poll_ms={5_000}
      above={decided?.link && <LinkNotice {...decided.link} close={() => setDecided(undefined)} />}
      filters={[{ name: 'state', label: 'State', choices: states }]}
      columns={[
        { title: 'Change', value: (row) => <Text fz="sm">{row.description}</Text> },
        { title: 'State', value: (row) => <State change={row} done={setDecided} /> },
        { title: 'Asked for', value: (row) => <Moment name={row.author_name ?? 'An operator'} at={row.created} /> },
        { title: 'Decided', value: (row) => <Decision change={row} /> },
      ]}
    />
  )
}

/** The state with the buttons below it, so that they are in sight on narrow screens as well. */
function State({ change, done }: { change: ControlChange; done(decided: Decided): void }) {
  return (
    <Stack gap="xs" align="flex-start">
      <Status of={change.state} />
      {change.state === 'pending' && <Buttons change={change} done={done} />}
    </Stack>
  )
}

function Moment({ name, at }: { name: string; at: string }) {
  return (
    <Stack gap={0}>
      <Text fz="sm">{name}</Text>
      <Text fz="xs" c="dimmed">
        <Time at={at} />
      </Text>
    </Stack>
  )
}

function Decision({ change }: { change: ControlChange }) {
  const { state, decided_by_name, decided_at, expires } = change
  if (state === 'applied') return <>At once</>
  if (decided_at) return <Moment name={decided_by_name ?? 'An operator'} at={decided_at} />
  return (
    <Text fz="xs" c="dimmed">
      {state === 'expired' ? 'Expired' : 'Until'} <Time at={expires} />
    </Text>
  )
}

/** The one who asked may withdraw a change; another manager confirms or rejects it. */
function Buttons({ change, done }: { change: ControlChange; done(decided: Decided): void }) {
  const { user } = useSession()
  const client = useQueryClient()
  const decide = (verdict: string) => async () => {
    done(await api.post<Decided>(`/control-changes/${change.id}/${verdict}`))
  }
  const refresh = () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  if (change.author === user?.id)
    return (
      <Confirm button="Withdraw" title="Withdraw this change?" act={decide('withdraw')} done={refresh}>
        {change.description}
      </Confirm>
    )
  return (
    <Group gap="xs">
      <Confirm button="Reject" title="Reject this change?" act={decide('reject')} done={refresh}>
        {change.description}
      </Confirm>
      <Confirm button="Confirm" title="Make this change?" act={decide('confirm')} done={refresh}>
        {change.description}
      </Confirm>
    </Group>
  )
}

/** The link of a confirmed invitation, which cannot be shown again. */
function LinkNotice({ mailed, path, problem, close }: NonNullable<Decided['link']> & { close(): void }) {
  return (
    <Alert
      role="status"
      color={problem ? 'yellow' : 'green'}
      title={mailed ? 'The invitation is on its way.' : 'Give this link to the invited person. It is shown only now.'}
      withCloseButton
      closeButtonLabel="Close"
      onClose={close}
    >
      {problem}
      {path && <CopyField label="Link" value={`${window.location.origin}${path}`} />}
    </Alert>
  )
}
