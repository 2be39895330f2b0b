import { Anchor, Group, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { formatMoney, formatTime } from '../../format.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useSession } from '../../session.tsx'
import { Trans, t } from '../../texts/index.ts'
import type { CollectionRequest, NearMoney } from '../../wire.ts'
import { isSome, readAgain } from './queries.ts'

/** Unmatched money from the phone of a request, and its difference from the requested amount. */
export function NearMoneyPanel({ request, is_open }: { request: CollectionRequest; is_open: boolean }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['/collectionrequests', String(request.id), 'unmatched-money', request.status],
    queryFn: () => api.get<{ unmatched: NearMoney[] }>(`/collectionrequests/${request.id}/unmatched-money`),
  })
  if (!data) return <Problem error={error} retry={refetch} />
  if (data.unmatched.length === 0) return null
  return (
    <Panel title={t('matching.near.title')} about={t(is_open ? 'matching.near.about' : 'matching.near.about_ended')}>
      {data.unmatched.map((money) => (
        <Group key={money.collection} justify="space-between">
          <Text fz="sm" component="div" flex={1} miw={200}>
            <Trans
              i18nKey={differenceKey(money)}
              values={{
                amount: formatMoney(money.amount, money.currency),
                difference: formatMoney(money.difference.replace('-', '')),
                time: formatTime(money.paid),
              }}
              components={{
                a: <Anchor component={Link} to={`/collections/${money.collection}`} inherit underline="always" />,
              }}
            />
          </Text>
          {is_open && <MatchNear request={request.id} money={money} />}
        </Group>
      ))}
    </Panel>
  )
}

function differenceKey({ difference }: NearMoney) {
  if (!isSome(difference)) return 'matching.near.same'
  return difference.startsWith('-') ? 'matching.near.less' : 'matching.near.more'
}

function MatchNear({ request, money }: { request: number; money: NearMoney }) {
  const { may } = useSession()
  const client = useQueryClient()
  if (!may('initiate_collections')) return null
  return (
    <Confirm
      button={t('collections.match.button')}
      title={t('matching.near.confirm')}
      act={() => api.post(`/incoming/${money.collection}/match`, { collection_request: request })}
      done={() => readAgain(client)}
    >
      {t('matching.near.confirm_text', { amount: formatMoney(money.amount, money.currency), id: request })}
    </Confirm>
  )
}
