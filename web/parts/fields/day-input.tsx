import { TextInput, type TextInputProps } from '@mantine/core'
import { useRef, useState } from 'react'

interface DayInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** The day of the address, such as `2030-01-31`; empty for none. */
  value: string
  onChange(day: string): void
}

/** Day of a period. A typed one applies on blur or Enter: while people type a year, it is another one. */
export function DayInput({ value, onChange, ...input }: DayInputProps) {
  const [day, setDay] = useState(value)
  const [applied, setApplied] = useState(value)
  // The address has changed, such as with "Clear" or a step back.
  if (applied !== value) {
    setApplied(value)
    setDay(value)
  }
  const is_typed = useRef(false)
  const apply = (chosen = day) => {
    is_typed.current = false
    if (chosen !== value) onChange(chosen)
  }
  return (
    <TextInput
      {...input}
      type="date"
      value={day}
      onChange={({ currentTarget: { value: chosen } }) => {
        setDay(chosen)
        if (!is_typed.current) apply(chosen)
      }}
      onBlur={() => apply()}
      onKeyDown={({ key }) => {
        if (key === 'Enter') apply()
        else is_typed.current = true
      }}
    />
  )
}
