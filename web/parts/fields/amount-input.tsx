import { Text, TextInput, type TextInputProps } from '@mantine/core'
import type { ChangeEvent } from 'react'
import { formatAmount } from '../../../src/lib/money.ts'
import { groupTypedAmount, readTypedAmount } from '../../../src/lib/typed-amount.ts'
import { formatMoney, formatPair } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { inWords, language } from '../../texts/index.ts'
import { translateMessage } from '../../texts/messages.ts'

interface AmountInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value?: string
  onChange?: (text: string) => void
  /** Code of the currency, where the form knows it. */
  currency?: string | undefined
}

/** Field of an amount. It separates thousands during typing, and repeats the amount in words below. */
export function AmountInput({ value = '', onChange, currency, ...props }: AmountInputProps) {
  const country = useSession().organization?.country ?? null
  const change = ({ currentTarget: field }: ChangeEvent<HTMLInputElement>) => {
    const text = groupTypedAmount(field.value, value, country, language)
    const behind = field.value.length - (field.selectionStart ?? field.value.length)
    onChange?.(text)
    // React puts the caret to the end of a text that it has changed.
    if (behind > 0) requestAnimationFrame(() => field.setSelectionRange(text.length - behind, text.length - behind))
  }
  return (
    <TextInput
      inputMode="decimal"
      {...props}
      value={value}
      onChange={change}
      inputContainer={(input) => (
        <>
          {input}
          <Repeated text={value} country={country} currency={currency || undefined} />
        </>
      )}
    />
  )
}

/** Typed amount in figures and in words, or the reason why it cannot be read. */
function Repeated({ text, ...place }: { text: string; country: string | null; currency: string | undefined }) {
  if (!/\d/.test(text)) return null
  const read = readTypedAmount(text, place)
  const said =
    'message' in read
      ? translateMessage(read.message)
      : formatPair(formatMoney(formatAmount(read.amount), place.currency), inWords(read.amount))
  return (
    <Text component="output" display="block" fz="xs" mt={4} c={'message' in read ? 'red.9' : 'dimmed'}>
      {said}
    </Text>
  )
}
