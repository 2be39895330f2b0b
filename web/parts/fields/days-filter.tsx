import { Chip, Group, Input } from '@mantine/core'
import { useId, useState } from 'react'
import { t } from '../../texts/index.ts'
import { DayInput } from './day-input.tsx'

const named = ['today', '7_days', 'month'] as const

/** The days of a list: chips for common periods, and a first and a last day. One of these days may be missing. */
export function DaysFilter(props: { label: string; value: string; onChange(value: string): void }) {
  const { label, value, onChange } = props
  const is_range = value.includes('..')
  const [open, setOpen] = useState(is_range)
  const [from = '', to = ''] = is_range ? value.split('..') : []
  const has_range = is_range || (open && value === '')
  const label_id = useId()
  const choose = (name: string) => {
    setOpen(false)
    onChange(value === name ? '' : name)
  }
  const toggleRange = () => {
    setOpen(!has_range)
    if (value !== '') onChange('')
  }
  const setRange = (first: string, last: string) => onChange(first || last ? `${first}..${last}` : '')
  return (
    <>
      <div className="filter-days">
        <Input.Label id={label_id} labelElement="div">
          {label}
        </Input.Label>
        <Group gap={4} mih={36} role="group" aria-labelledby={label_id}>
          {named.map((name) => (
            <Chip key={name} size="sm" variant="outline" checked={value === name} onChange={() => choose(name)}>
              {t(`parts.days.${name}`)}
            </Chip>
          ))}
          <Chip size="sm" variant="outline" checked={has_range} onChange={toggleRange}>
            {t('parts.days.range')}
          </Chip>
        </Group>
      </div>
      {has_range && (
        <>
          <DayInput size="sm" label={t('fields.from')} value={from} max={to} onChange={(day) => setRange(day, to)} />
          <DayInput size="sm" label={t('fields.until')} value={to} min={from} onChange={(day) => setRange(from, day)} />
        </>
      )}
    </>
  )
}
