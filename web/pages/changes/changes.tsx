import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatWord } from '../../format.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { Trans, t } from '../../texts/index.ts'
import type { ControlChange } from '../../wire.ts'
import { ChangeButtons, type Decided, LinkNotice } from './decide.tsx'

const states = ['pending', 'applied', 'confirmed', 'rejected', 'withdrawn', 'expired']

/** The changes of who may move money and how much, with the buttons for those that wait for a second manager. */
export default function Changes() {
  const [decided, setDecided] = useState<Decided>()
  return (
    <ListPage<ControlChange>
      title={t('shell.nav.changes')}
      about={t('changes.about')}
      path="/control-changes"
      empty={t('changes.empty')}
      above={decided?.link && <LinkNotice {...decided.link} close={() => setDecided(undefined)} />}
      filters={[{ name: 'state', label: t('changes.state'), choices: states, noun: 'change' }]}
      columns={[
        {
          name: 'change',
          title: t('changes.change'),
          value: (row) => <Change {...row} />,
          file: (row) => row.description,
        },
        {
          name: 'state',
          title: t('changes.state'),
          status: true,
          value: (row) => <State change={row} done={setDecided} />,
          file: (row) => formatWord(row.state, 'change'),
        },
        {
          name: 'requested',
          title: t('changes.requested'),
          value: (row) => <Moment name={row.author_name ?? t('changes.operator')} at={row.created} />,
          file: (row) => row.author_name ?? t('changes.operator'),
          beside: [{ title: t('fields.created'), file: (row) => ({ time: row.created }) }],
        },
        {
          name: 'decided',
          title: t('changes.decided'),
          value: (row) => <Decision change={row} />,
          file: describeDecision,
          beside: [{ title: t('audit.time'), file: (row) => ({ time: row.decided_at }) }],
        },
      ]}
    />
  )
}

function Change({ description, collection }: ControlChange) {
  return (
    <Text fz="sm">
      {description}{' '}
      {collection !== null && (
        <Anchor component={Link} to={`/collections/${collection}`} inherit underline="always">
          {t('changes.see_money')}
        </Anchor>
      )}
    </Text>
  )
}

/** The state with the buttons below it, so that they are in sight on narrow screens as well. */
function State({ change, done }: { change: ControlChange; done(decided: Decided): void }) {
  return (
    <Stack gap="xs" align="flex-start">
      <Status state={change.state} noun="change" />
      {change.state === 'pending' && <ChangeButtons change={change} done={done} />}
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

/** Name who has decided; empty while nobody has. */
function describeDecision({ state, decided_by_name, decided_at }: ControlChange): string {
  if (state === 'applied') return t('changes.at_once')
  return decided_at ? (decided_by_name ?? t('changes.operator')) : ''
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
