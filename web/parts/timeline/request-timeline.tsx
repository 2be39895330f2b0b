import {
  IconArchive,
  IconArrowsExchange,
  IconBell,
  IconCoins,
  IconDeviceMobile,
  IconMessage,
  IconMessageCheck,
  IconPhoneIncoming,
  IconPlus,
  IconUser,
  IconWebhook,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { t } from '../../texts/index.ts'
import type { TimelineEntry } from '../../wire.ts'
import { Loading } from '../loading.tsx'
import { Problem, replacesContent } from '../problem.tsx'
import { Details } from './details.tsx'
import { keepPlaces, toItems } from './entries.ts'
import { type Line, Lines } from './lines.tsx'
import { titleOf } from './words.tsx'

const icons: Record<TimelineEntry['kind'], Line['icon']> = {
  created: IconPlus,
  action: IconUser,
  move: IconArrowsExchange,
  order: IconDeviceMobile,
  answer: IconPhoneIncoming,
  text: IconMessage,
  text_answer: IconMessageCheck,
  callback: IconPhoneIncoming,
  collection: IconCoins,
  event: IconBell,
  delivery: IconWebhook,
  archived: IconArchive,
}

interface Entries {
  results: TimelineEntry[]
}

/** The history of a collection request, oldest first. It updates itself, and no line moves while it is shown. */
export function RequestTimeline({ request }: { request: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['timeline', request],
    queryFn: () => api.get<Entries>(`/collectionrequests/${request}/timeline`),
    structuralSharing: (shown, read): Entries => ({
      results: keepPlaces((shown as Entries | undefined)?.results ?? [], (read as Entries).results),
    }),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  const lines = toItems(data.results).map((item) => ({
    key: item.key,
    icon: icons[item.entry.kind],
    color: colorOf(item.entry),
    at: item.entry.at,
    title: titleOf(item.entry, request),
    details: <Details item={item} request={request} />,
  }))
  return <Lines label={t('requests.details.timeline')} lines={lines} />
}

function colorOf(entry: TimelineEntry): string {
  if (entry.kind === 'move') return { successful: 'green', failed: 'red', expired: 'gray' }[entry.to_status] ?? 'blue'
  if (entry.kind === 'delivery') return { delivered: 'green', failed: 'red' }[entry.state] ?? 'yellow'
  if (entry.kind === 'answer' && entry.outcome === 'failed') return 'red'
  if (entry.kind === 'text') return entry.problem ? 'red' : 'gray'
  if (entry.kind === 'text_answer') return { delivered: 'green', failed: 'orange' }[entry.outcome] ?? 'gray'
  if (entry.kind === 'collection') return 'green'
  return 'gray'
}
