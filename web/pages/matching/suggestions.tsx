import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api, newDuplicateKey } from '../../api.ts'
import { formatMoney } from '../../format.ts'
import { Loading } from '../../parts/loading.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { CollectionAllocations, Incoming, MatchSuggestion } from '../../wire.ts'
import { type Matched, notifyMatch, readAgain } from './queries.ts'

type Part = MatchSuggestion['parts'][number]

/** Suggestions for unmatched money. One click accepts a suggestion. */
export function Suggestions({ collection, amount }: { collection: Incoming; amount: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['/incoming', String(collection.id), 'suggestions'],
    queryFn: () => api.get<{ suggestions: MatchSuggestion[] }>(`/collections/${collection.id}/suggestions`),
  })
  return (
    <Panel
      title={t('matching.suggestions.title')}
      about={t(collection.reference ? 'matching.suggestions.about_reference' : 'matching.suggestions.about', {
        amount: formatMoney(amount, collection.currency),
        reference: collection.reference ?? '',
      })}
    >
      <Problem error={error} retry={refetch} />
      {!data && !error && <Loading />}
      {data?.suggestions.length === 0 && <Text fz="sm">{t('matching.suggestions.none')}</Text>}
      {data && data.suggestions.length > 0 && (
        <ul className="row-cards" aria-label={t('matching.suggestions.title')}>
          {data.suggestions.map((suggestion) => (
            <li key={keyOf(suggestion)}>
              <OneSuggestion collection={collection} suggestion={suggestion} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function keyOf({ parts }: MatchSuggestion): string {
  return parts.map((part) => `${part.invoice}:${part.contact}:${part.collection_request}`).join()
}

function OneSuggestion({ collection, suggestion }: { collection: Incoming; suggestion: MatchSuggestion }) {
  const { may } = useSession()
  const client = useQueryClient()
  const key = useRef('')
  const accept = useMutation({
    mutationFn: () => {
      key.current ||= newDuplicateKey()
      return acceptSuggestion(collection.id, suggestion, key.current)
    },
    onSuccess: (answer) => {
      notifyMatch(answer)
      return readAgain(client)
    },
  })
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="sm">
        <Stack gap={2} flex={1} miw={200}>
          {suggestion.parts.map((part) => (
            <Text key={`${part.invoice}:${part.contact}`} fz="sm" fw={500} className="any-break">
              {describePart(part, collection.currency)}
            </Text>
          ))}
          <Text fz="sm" c="dimmed">
            {t(`matching.suggestions.reasons.${suggestion.reason}`)}
          </Text>
        </Stack>
        {may('initiate_collections') && (
          <Button size="xs" variant="default" loading={accept.isPending} onClick={() => accept.mutate()}>
            {t('matching.suggestions.accept')}
          </Button>
        )}
      </Group>
      <Problem error={accept.error} />
    </Stack>
  )
}

/** A request takes the whole money; the rest of the suggestions split it. */
function acceptSuggestion(collection: number, { parts }: MatchSuggestion, key: string): Promise<Matched> {
  const request = parts.find(({ collection_request }) => collection_request !== null)?.collection_request
  if (request) return api.post<Matched>(`/incoming/${collection}/match`, { collection_request: request })
  const chosen = parts.map(({ invoice, contact, amount }) => ({
    ...(invoice === null ? { contact } : { invoice }),
    amount,
  }))
  return api.postOnce<CollectionAllocations>(`/collections/${collection}/allocations`, { parts: chosen }, key)
}

function describePart(part: Part, currency: string): string {
  const { invoice, collection_request, number, name, customer_number, amount, asked } = part
  const who = [number, name, customer_number !== number && customer_number].filter(Boolean).join(', ')
  const values = { who, amount: formatMoney(amount, currency), asked: formatMoney(asked ?? '0', currency) }
  if (collection_request !== null) return t('matching.suggestions.request', { ...values, id: collection_request })
  if (invoice === null) return t('matching.suggestions.credit', values)
  return t(amount === asked ? 'matching.suggestions.whole' : 'matching.suggestions.part', values)
}
