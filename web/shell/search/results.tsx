import { Box, Group, Text } from '@mantine/core'
import type { MouseEvent } from 'react'
import { Money } from '../../parts/money.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import type { StateNoun } from '../../texts/agreement.ts'
import { t } from '../../texts/index.ts'
import type { SearchGroup, SearchHit } from '../../wire.ts'

/** Line of the list through which the arrow keys move: an object, or an earlier search. */
export interface Option {
  key: string
  /** Page that it opens; an earlier search has none. */
  path?: string
  text?: string
}

/** The addresses of the objects that are found. Receipts are opened in their list, which has their actions. */
const paths: Record<SearchGroup['kind'], (hit: SearchHit) => string> = {
  collection_request: ({ id }) => `/collectionrequests/${id}`,
  collection: ({ id }) => `/collections/${id}`,
  payment: ({ id }) => `/payments/${id}`,
  contact: ({ id }) => `/contacts/${id}`,
  invoice: ({ id }) => `/invoices/${id}`,
  receipt: ({ title }) => `/receipts?number=${title}`,
  purchase: ({ id }) => `/bills/${id}`,
  payment_link: ({ id }) => `/payment-links/${id}`,
}

/** The lists that find the same by their search field. */
const lists: Partial<Record<SearchGroup['kind'], string>> = {
  collection_request: '/collectionrequests',
  collection: '/collections',
  payment: '/payments',
  contact: '/contacts',
}

/** The objects of all groups in the order in which they are shown, and the lists of those with more. */
export function optionsOf(groups: readonly SearchGroup[], text: string): Option[] {
  return groups.flatMap(({ kind, hits, more }) => {
    const options: Option[] = hits.map((hit) => ({ key: keyOf(kind, hit), path: paths[kind](hit) }))
    const list = more && lists[kind]
    return list ? [...options, { key: allKey(kind), path: `${list}?search=${encodeURIComponent(text)}` }] : options
  })
}

const allKey = (kind: string) => `${kind}-all`

const keyOf = (kind: string, { id }: SearchHit) => `${kind}-${id}`

export interface ResultsProps {
  groups: readonly SearchGroup[]
  /** The key of the option that Enter opens. */
  active: string | undefined
  onPoint(key: string): void
  onChoose(key: string): void
}

export function Results({ groups, ...rest }: ResultsProps) {
  return groups.map(({ kind, hits, more }) => (
    <Box key={kind} role="group" aria-label={t(`shell.search.kinds.${kind}`)} mb="xs">
      <Text fz="xs" fw={600} c="dimmed" px="sm" py={4} aria-hidden>
        {t(`shell.search.kinds.${kind}`)}
      </Text>
      {hits.map((hit) => (
        <Line key={hit.id} id={keyOf(kind, hit)} {...rest}>
          <HitLine kind={kind} hit={hit} />
        </Line>
      ))}
      {more && lists[kind] && (
        <Line id={allKey(kind)} {...rest}>
          <Text fz="sm" fw={500}>
            {t('shell.search.see_all')}
          </Text>
        </Line>
      )}
      {more && !lists[kind] && (
        <Text fz="xs" c="dimmed" px="sm" py={2}>
          {t('shell.search.more')}
        </Text>
      )}
    </Box>
  ))
}

/** Option of the list. The text field keeps the focus, and names the active option to screen readers. */
export function Line(props: Omit<ResultsProps, 'groups'> & { id: string; children: React.ReactNode }) {
  const { id, active, onPoint, onChoose, children } = props
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the text field has the focus and handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: options of a combobox are not focused themselves
    <div
      id={optionId(id)}
      role="option"
      aria-selected={id === active}
      className="search-option"
      onMouseMove={() => id !== active && onPoint(id)}
      onMouseDown={(event: MouseEvent) => event.preventDefault()}
      onClick={() => onChoose(id)}
    >
      {children}
    </div>
  )
}

export const optionId = (key: string) => `search-option-${key}`

/** Nouns of the results. Their states agree with them. */
const nouns: Partial<Record<SearchGroup['kind'], StateNoun>> = {
  collection_request: 'collectionrequest',
  collection: 'collection',
  payment: 'payment',
  invoice: 'invoice',
  purchase: 'purchase',
  payment_link: 'paymentlink',
}

function HitLine({ kind, hit }: { kind: SearchGroup['kind']; hit: SearchHit }) {
  const { id, title, name, phonenumber, reference, state, amount, currency, created, others } = hit
  const head = title ?? (name || phonenumber || `#${id}`)
  const about = [title ? name : '', head === phonenumber ? '' : phonenumber, reference, `#${id}`]
  return (
    <Group justify="space-between" gap="2px sm" align="flex-start">
      <Box miw={150} flex={1}>
        <Text fz="sm" fw={600} className="any-break">
          {others > 0 ? t('shell.search.others', { name: head, count: others }) : head}
        </Text>
        <Text fz="xs" c="dimmed" className="any-break">
          {about.filter(Boolean).join(' · ')}
        </Text>
      </Box>
      <Box ta="right" ml="auto">
        <Group gap={6} justify="flex-end" wrap="nowrap">
          {amount !== null && currency !== null && (
            <Text fz="sm" fw={600}>
              <Money amount={amount} currency={currency} />
            </Text>
          )}
          {kind !== 'contact' && <Status state={state} noun={nouns[kind]} />}
        </Group>
        <Text fz="xs" c="dimmed">
          <Time at={created} />
        </Text>
      </Box>
    </Group>
  )
}
