import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { parseAmount } from '../../../src/lib/money.ts'
import { api } from '../../api.ts'
import { formatMoney } from '../../format.ts'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { t } from '../../texts/index.ts'
import type { Invoice, SearchGroup, SearchHit } from '../../wire.ts'
import type { FreeMoney } from './queries.ts'

/** An invoice, a customer or a link that money can be for. */
export interface FoundTarget {
  key: string
  target: { invoice: number } | { contact: number } | { payment_link: number }
  title: string
  about: string
  /** Requested amount; null for customers and links, which take any amount. */
  open: bigint | null
}

interface TargetSearchProps {
  /** Typed text. */
  text: string
  onType(text: string): void
  money: FreeMoney
  /** The keys of those that are chosen. */
  chosen: readonly string[]
  onChoose(found: FoundTarget): void
}

/** Find open invoices, customers and payment links by number, name or phone. */
export function TargetSearch({ text, onType, money, chosen, onChoose }: TargetSearchProps) {
  const [searched] = useDebouncedValue(text.trim(), 300)
  const { data, error } = useQuery({
    queryKey: ['match-targets', money.currency, searched],
    queryFn: () => findTargets(searched, money.currency),
  })
  const found = data?.filter(({ key }) => !chosen.includes(key))
  return (
    <Stack gap="xs">
      <TextInput
        label={t('matching.by_hand.search')}
        placeholder={t('matching.by_hand.search_example')}
        data-autofocus
        value={text}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      <Problem error={error} />
      {!data && !error && <Loading />}
      {found?.length === 0 && (
        <Text fz="sm" c="dimmed">
          {t('matching.by_hand.none', { currency: money.currency })}
        </Text>
      )}
      {found?.map((one) => (
        <Group key={one.key} justify="space-between" wrap="nowrap">
          <Stack gap={0} miw={0}>
            <Text fz="sm" fw={500} className="any-break">
              {one.title}
            </Text>
            <Text fz="sm" c="dimmed" className="any-break">
              {one.about}
            </Text>
          </Stack>
          <Button
            size="xs"
            variant="default"
            miw="max-content"
            aria-label={t('matching.by_hand.choose_named', { name: one.title })}
            onClick={() => onChoose(one)}
          >
            {t('matching.by_hand.choose')}
          </Button>
        </Group>
      ))}
    </Stack>
  )
}

async function findTargets(q: string, currency: string): Promise<FoundTarget[]> {
  if (q === '') return []
  const { groups } = await api.get<{ groups: SearchGroup[] }>('/search', { q })
  const hitsOf = (kind: SearchGroup['kind']) => groups.find((group) => group.kind === kind)?.hits ?? []
  const open = hitsOf('invoice').filter((hit) => hit.currency === currency && ['issued', 'overdue'].includes(hit.state))
  const invoices = await Promise.all(open.map(({ id }) => api.get<Invoice>(`/invoices/${id}`)))
  return [
    ...invoices.map(toInvoiceTarget),
    ...hitsOf('contact').map(toContactTarget),
    ...hitsOf('payment_link')
      .filter((hit) => hit.currency === currency)
      .map(toLinkTarget),
  ]
}

function toInvoiceTarget(invoice: Invoice): FoundTarget {
  const { id, number, customer_name, customer_number, phonenumber, amount_open, currency } = invoice
  const due = t('matching.by_hand.due', { amount: formatMoney(amount_open, currency) })
  return {
    key: `invoice ${id}`,
    target: { invoice: id },
    title: [number, customer_name || phonenumber].filter(Boolean).join(', '),
    about: [customer_number, due].filter(Boolean).join(', '),
    open: parseAmount(amount_open) ?? 0n,
  }
}

function toContactTarget({ id, title, name, phonenumber }: SearchHit): FoundTarget {
  return {
    key: `contact ${id}`,
    target: { contact: id },
    title: t('matching.credit_of', { name: name || (title ?? phonenumber ?? '') }),
    about: [title, phonenumber].filter(Boolean).join(', '),
    open: null,
  }
}

function toLinkTarget({ id, title }: SearchHit): FoundTarget {
  return {
    key: `link ${id}`,
    target: { payment_link: id },
    title: title ?? '',
    about: t('matching.by_hand.link'),
    open: null,
  }
}
