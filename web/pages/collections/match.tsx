import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, type List } from '../../api.ts'
import { formatMoney, formatTime } from '../../format.ts'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { t } from '../../texts/index.ts'
import type { CollectionRequest } from '../../wire.ts'
import { type FreeMoney, type Matched, notifyMatch, readAgain } from '../matching/queries.ts'

const open_statuses = ['pending', 'processing_started', 'instructions_sent']

/** Find the open request that this money was meant for, and match it. */
export function MatchWithRequest({ money, close }: { money: FreeMoney; close(): void }) {
  const client = useQueryClient()
  const [searched, setSearched] = useState(money.phonenumber)
  const [chosen, setChosen] = useState<string>()
  const requests = useOpenRequests(money.currency, searched)
  const match = useMutation({
    mutationFn: () => api.post<Matched>(`/incoming/${money.collection}/match`, { collection_request: Number(chosen) }),
    onSuccess: (answer) => {
      notifyMatch(answer, t('collections.match.done', { id: chosen ?? '' }))
      close()
      return readAgain(client)
    },
  })
  const search = (phonenumber: string) => {
    setChosen(undefined)
    setSearched(phonenumber)
  }
  return (
    <Stack>
      <Text fz="sm">
        {t(money.reference ? 'collections.match.text_reference' : 'collections.match.text', {
          amount: formatMoney(money.amount, money.currency),
          phonenumber: money.phonenumber,
          reference: money.reference ?? '',
        })}
      </Text>
      <PhoneSearch initial={money.phonenumber} onSearch={search} />
      <Problem error={requests.error} />
      {!requests.data && !requests.error && <Loading />}
      {requests.data?.length === 0 && (
        <Text fz="sm" c="dimmed">
          {t('collections.match.none', { currency: money.currency })}
        </Text>
      )}
      {requests.data && requests.data.length > 0 && (
        <Radio.Group label={t('fields.request')} value={chosen ?? null} onChange={setChosen}>
          <Stack gap="xs">
            {requests.data.map((request) => (
              <Radio
                key={request.id}
                value={String(request.id)}
                label={t('fields.amount_from', {
                  amount: formatMoney(request.amount, request.currency),
                  phonenumber: request.phonenumber,
                })}
                description={t(request.reason ? 'collections.match.about_reason' : 'collections.match.about', {
                  id: request.id,
                  time: formatTime(request.created),
                  reason: request.reason,
                })}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
      <Problem error={match.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {t('parts.cancel')}
        </Button>
        <Button disabled={!chosen} loading={match.isPending} onClick={() => match.mutate()}>
          {t('collections.match.button')}
        </Button>
      </Group>
    </Stack>
  )
}

/** The newest open requests in a currency, of one phone number or of all. */
function useOpenRequests(currency: string, phonenumber: string) {
  return useQuery({
    queryKey: ['/collectionrequests', 'open', currency, phonenumber],
    queryFn: async () => {
      const lists = await Promise.all(
        open_statuses.map((status) =>
          api.get<List<CollectionRequest>>('/collectionrequests', { status, currency, phonenumber, limit: 20 }),
        ),
      )
      return lists
        .flatMap((list) => list.results)
        .sort((one, other) => other.id - one.id)
        .slice(0, 20)
    },
  })
}

function PhoneSearch({ initial, onSearch }: { initial: string; onSearch(phonenumber: string): void }) {
  const [phonenumber, setPhonenumber] = useState(initial)
  const search = (event: FormEvent) => {
    event.preventDefault()
    onSearch(phonenumber.trim())
  }
  return (
    <form onSubmit={search}>
      <Group align="flex-end">
        <TextInput
          label={t('collections.match.search_label')}
          placeholder={t('collections.match.any_number')}
          value={phonenumber}
          onChange={(event) => setPhonenumber(event.currentTarget.value)}
          flex={1}
        />
        <Button type="submit" variant="default">
          {t('collections.match.search')}
        </Button>
      </Group>
    </form>
  )
}
