import { Alert, Anchor, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { formatMoney, formatWord } from '../../format.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Money } from '../../parts/money.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import { Trans, t } from '../../texts/index.ts'
import type { Allocation, CollectionAllocations, Incoming } from '../../wire.ts'
import { MatchDialog } from './match-dialog.tsx'
import { isSome, type Matched, notifyMatch, readAgain, useAllocations } from './queries.ts'
import { Suggestions } from './suggestions.tsx'
import { TargetLink } from './target.tsx'

/** Allocations of a collection, and suggestions for its rest. */
export function CollectionUse({ collection }: { collection: Incoming }) {
  const { data, error, refetch } = useAllocations(collection.id)
  if (!data) return <Problem error={error} retry={refetch} />
  const is_partly_free = isSome(data.amount_unmatched)
  if (data.allocations.length === 0 && !is_partly_free) return null
  return (
    <Stack mb="md">
      {data.pending.map((change) => (
        <Waiting key={change.id} change={change} />
      ))}
      {is_partly_free && <Suggestions collection={collection} amount={data.amount_unmatched} />}
      {data.allocations.length > 0 && <Allocations collection={collection} use={data} />}
    </Stack>
  )
}

/** Match of a large sum that a second manager must confirm. Nothing changes until then. */
function Waiting({ change }: { change: CollectionAllocations['pending'][number] }) {
  const { may } = useSession()
  return (
    <Alert color="yellow" title={t('matching.pending.title')}>
      {change.description}{' '}
      <Trans
        i18nKey="matching.pending.who"
        values={{ name: change.author_name ?? t('changes.operator') }}
        components={{ time: <Time at={change.created} /> }}
      />{' '}
      {may('manage_organization') && (
        <Anchor component={Link} to="/changes" inherit>
          {t('matching.pending.review')}
        </Anchor>
      )}
    </Alert>
  )
}

function Allocations({ collection, use }: { collection: Incoming; use: CollectionAllocations }) {
  const { currency } = collection
  return (
    <Panel
      title={t('matching.allocations.title')}
      about={
        isSome(use.amount_unmatched)
          ? t('matching.allocations.left', { amount: formatMoney(use.amount_unmatched, currency) })
          : undefined
      }
    >
      <DataTable
        title={t('matching.allocations.title')}
        rows={use.allocations}
        keyOf={({ id }) => id}
        columns={[
          { title: t('matching.allocations.for'), value: (row) => <TargetLink allocation={row} /> },
          {
            title: t('fields.amount'),
            align: 'right',
            value: ({ amount }) => <Money amount={amount} currency={currency} />,
          },
          { title: t('fields.reason'), value: (row) => <Reason {...row} /> },
          { title: t('fields.created'), value: ({ created }) => <Time at={created} /> },
          { title: t('users.actions'), value: (row) => <Change collection={collection} allocation={row} /> },
        ]}
      />
    </Panel>
  )
}

/** Reason for an allocation, in words, with the person's note. */
export function Reason({ reason, note }: Pick<Allocation, 'reason' | 'note'>) {
  return (
    <>
      {formatWord(reason)}
      {note && (
        <Text fz="xs" c="dimmed" className="any-break">
          {note}
        </Text>
      )}
    </>
  )
}

/** Move an allocation, or take it back. */
function Change({ collection, allocation }: { collection: Incoming; allocation: Allocation }) {
  const { may } = useSession()
  const client = useQueryClient()
  if (!may('initiate_collections')) return null
  const { id, currency, phonenumber, reference } = collection
  const money = { collection: id, currency, phonenumber, reference, amount: allocation.amount }
  return (
    <Group gap="xs" wrap="nowrap">
      {collection.status === 'successful' && <MatchDialog money={money} instead_of={allocation.id} />}
      <Confirm
        button={t('matching.take_back.button')}
        title={t('matching.take_back.title', { amount: formatMoney(allocation.amount, currency) })}
        act={async () =>
          notifyMatch(
            await api.delete<Matched>(`/collections/${id}/allocations/${allocation.id}`),
            t('matching.take_back.done'),
          )
        }
        done={() => readAgain(client)}
      >
        {t(allocation.invoice === null ? 'matching.take_back.text' : 'matching.take_back.text_invoice')}
      </Confirm>
    </Group>
  )
}
