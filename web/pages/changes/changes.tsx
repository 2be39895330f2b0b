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
import { Trans, t } from '../../texts/index.ts'
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
      title={t('shell.nav.changes')}
      about={t('changes.about')}
      path="/control-changes"
      empty={t('changes.empty')}
      csv={false}
      poll_ms={5_000}
      above={decided?.link && <LinkNotice {...decided.link} close={() => setDecided(undefined)} />}
      filters={[{ name: 'state', label: t('changes.state'), choices: states }]}
      columns={[
        { title: t('changes.change'), value: (row) => <Text fz="sm">{row.description}</Text> },
        { title: t('changes.state'), value: (row) => <State change={row} done={setDecided} /> },
        {
          title: t('changes.requested'),
          value: (row) => <Moment name={row.author_name ?? t('changes.operator')} at={row.created} />,
        },
        { title: t('changes.decided'), value: (row) => <Decision change={row} /> },
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
  if (state === 'applied') return <>{t('changes.at_once')}</>
  if (decided_at) return <Moment name={decided_by_name ?? t('changes.operator')} at={decided_at} />
  return (
    <Text fz="xs" c="dimmed">
      <Trans
        i18nKey={state === 'expired' ? 'changes.expired' : 'changes.expires'}
        components={{ time: <Time at={expires} /> }}
      />
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
      <Confirm
        button={t('changes.withdraw')}
        title={t('changes.withdraw_title')}
        act={decide('withdraw')}
        done={refresh}
      >
        {change.description}
      </Confirm>
    )
  return (
    <Group gap="xs">
      <Confirm button={t('changes.reject')} title={t('changes.reject_title')} act={decide('reject')} done={refresh}>
        {change.description}
      </Confirm>
      <Confirm button={t('changes.confirm')} title={t('changes.confirm_title')} act={decide('confirm')} done={refresh}>
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
      title={t(mailed ? 'changes.invitation_mailed' : 'changes.invitation_link')}
      withCloseButton
      closeButtonLabel={t('parts.close')}
      onClose={close}
    >
      {problem}
      {path && <CopyField label={t('users.link')} value={`${window.location.origin}${path}`} />}
    </Alert>
  )
}
