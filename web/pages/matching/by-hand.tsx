import { Button, CloseButton, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { formatAmount, parseAmount, smallerAmount } from '../../../src/lib/money.ts'
import { readTypedAmount } from '../../../src/lib/typed-amount.ts'
import { api, newDuplicateKey } from '../../api.ts'
import { formatMoney } from '../../format.ts'
import { AmountInput } from '../../parts/fields/amount-input.tsx'
import { toInput } from '../../parts/fields/to-input.ts'
import { Problem } from '../../parts/problem.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { CollectionAllocations } from '../../wire.ts'
import { type FreeMoney, notifyMatch, readAgain } from './queries.ts'
import { type FoundTarget, TargetSearch } from './target-search.tsx'

interface ChosenPart {
  found: FoundTarget
  amount: string
}

interface MatchByHandProps {
  money: FreeMoney
  instead_of: number | undefined
  close(): void
}

/** Find targets for money, and split it over several invoices, customers and links. */
export function MatchByHand({ money, instead_of, close }: MatchByHandProps) {
  const [parts, setParts] = useState<ChosenPart[]>([])
  const [note, setNote] = useState('')
  const [searched, setSearched] = useState(money.phonenumber)
  const left = useLeft(money, parts)
  const match = useMatch(money, { parts, note, instead_of }, close)
  const choose = (found: FoundTarget) => {
    const whole = left > 0n ? left : 0n
    const amount = found.open === null ? whole : smallerAmount(whole, found.open)
    setParts([...parts, { found, amount: toInput(formatAmount(amount)) }])
  }
  const change = (key: string, amount: string) =>
    setParts(parts.map((part) => (part.found.key === key ? { ...part, amount } : part)))
  return (
    <Stack>
      <Text fz="sm">
        {t(instead_of === undefined ? textOf(money) : 'matching.move.text', {
          amount: formatMoney(money.amount, money.currency),
          phonenumber: money.phonenumber,
          reference: money.reference ?? '',
        })}
      </Text>
      {(parts.length === 0 || left > 0n) && (
        <TargetSearch
          text={searched}
          onType={setSearched}
          money={money}
          chosen={parts.map(({ found }) => found.key)}
          onChoose={choose}
        />
      )}
      {parts.map(({ found, amount }) => (
        <Group key={found.key} align="flex-start" wrap="nowrap">
          <AmountInput
            flex={1}
            label={found.title}
            description={found.about}
            currency={money.currency}
            value={amount}
            onChange={(text) => change(found.key, text)}
          />
          <CloseButton
            aria-label={t('matching.by_hand.remove', { name: found.title })}
            onClick={() => setParts(parts.filter((part) => part.found.key !== found.key))}
          />
        </Group>
      ))}
      {parts.length > 0 && <Left left={left} currency={money.currency} />}
      <TextInput
        label={t('matching.by_hand.note')}
        description={t('matching.by_hand.note_about')}
        maxLength={500}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <Problem error={match.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {t('parts.cancel')}
        </Button>
        <Button disabled={parts.length === 0 || left < 0n} loading={match.isPending} onClick={() => match.mutate()}>
          {t(instead_of === undefined ? 'collections.match.button' : 'matching.move.button')}
        </Button>
      </Group>
    </Stack>
  )
}

function textOf({ reference }: FreeMoney) {
  return reference ? 'matching.by_hand.text_reference' : 'matching.by_hand.text'
}

/** Return the rest after the chosen parts; less than zero when they are too much. */
function useLeft({ amount, currency }: FreeMoney, parts: readonly ChosenPart[]): bigint {
  const country = useSession().organization?.country ?? null
  return parts.reduce((left, part) => {
    const read = readTypedAmount(part.amount, { country, currency })
    return 'message' in read ? left : left - read.amount
  }, parseAmount(amount) ?? 0n)
}

function Left({ left, currency }: { left: bigint; currency: string }) {
  const amount = formatMoney(formatAmount(left < 0n ? -left : left), currency)
  if (left < 0n)
    return (
      <Text fz="sm" c="red.9" role="alert">
        {t('matching.by_hand.too_much', { amount })}
      </Text>
    )
  return (
    <Text fz="sm">{left === 0n ? t('matching.by_hand.nothing_left') : t('matching.by_hand.left', { amount })}</Text>
  )
}

function useMatch(
  { collection }: FreeMoney,
  { parts, note, instead_of }: { parts: readonly ChosenPart[]; note: string; instead_of: number | undefined },
  close: () => void,
) {
  const client = useQueryClient()
  const key = useRef('')
  return useMutation({
    mutationFn: () => {
      key.current ||= newDuplicateKey()
      const body = {
        parts: parts.map(({ found, amount }) => ({ ...found.target, amount })),
        ...(note.trim() && { note }),
        ...(instead_of !== undefined && { instead_of }),
      }
      return api.postOnce<CollectionAllocations>(`/collections/${collection}/allocations`, body, key.current)
    },
    onSuccess: (answer) => {
      key.current = ''
      notifyMatch(answer)
      close()
      return readAgain(client)
    },
  })
}
