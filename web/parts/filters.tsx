import { Button, Group, Select, TextInput } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconX } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { formatWord } from '../format.ts'
import type { StateNoun } from '../texts/agreement.ts'
import { t } from '../texts/index.ts'

/** A filter of a list, by its name in the interface. */
export interface Filter {
  name: string
  label: string
  /** The values to choose from, codes or values with labels; without them the filter takes any text. */
  choices?: readonly (string | { value: string; label: string })[]
  /** Noun with which the choices agree, if they are states. */
  noun?: StateNoun
  placeholder?: string
  kind?: 'text' | 'date'
  /** True for rarely used filters, which are hidden until the user shows all filters. */
  more?: boolean
}

/** The filters above a list. Their values are in the address, so that a filtered list can be saved and shared. */
export function Filters({ filters }: { filters: Filter[] }) {
  const search: Record<string, string> = useSearch({ strict: false })
  const navigate = useNavigate()
  const set = (values: Record<string, string | undefined>) =>
    navigate({ to: '.', search: (before: object) => ({ ...before, ...values, page: undefined }) as never })
  const active = filters.filter(({ name }) => search[name])
  const [all, setAll] = useState(active.some(({ more }) => more))
  return (
    <Group gap="sm" align="flex-end" role="search" aria-label={t('parts.filters')} className="filters">
      {filters
        .filter(({ more }) => all || !more)
        .map((filter) =>
          filter.choices ? (
            <Select
              key={filter.name}
              label={filter.label}
              placeholder={t('parts.any')}
              size="sm"
              clearable
              clearButtonProps={{ 'aria-label': t('parts.clear_filter', { filter: filter.label }), tabIndex: -1 }}
              searchable={filter.choices.length > 15}
              data={filter.choices.map((one) =>
                typeof one === 'string' ? { value: one, label: formatWord(one, filter.noun) } : one,
              )}
              value={search[filter.name] ?? null}
              onChange={(value) => set({ [filter.name]: value ?? undefined })}
            />
          ) : (
            <TextFilter
              key={`${filter.name} ${search[filter.name] ?? ''}`}
              filter={filter}
              value={search[filter.name] ?? ''}
              onChange={(value) => set({ [filter.name]: value || undefined })}
            />
          ),
        )}
      {filters.some(({ more }) => more) && (
        <Button
          variant="subtle"
          size="sm"
          px="xs"
          leftSection={<IconAdjustmentsHorizontal size={16} />}
          aria-expanded={all}
          onClick={() => setAll(!all)}
        >
          {t(all ? 'parts.fewer_filters' : 'parts.more_filters')}
        </Button>
      )}
      {active.length > 0 && (
        <Button
          variant="default"
          size="sm"
          leftSection={<IconX size={14} />}
          onClick={() => set(Object.fromEntries(filters.map(({ name }) => [name, undefined])))}
        >
          {t('parts.clear')}
        </Button>
      )}
    </Group>
  )
}

/** A text filter that applies on blur or Enter, not with every letter. */
function TextFilter(props: { filter: Filter; value: string; onChange(value: string): void }) {
  const [text, setText] = useState(props.value)
  const { label, placeholder, kind } = props.filter
  const apply = () => {
    if (text.trim() !== props.value) props.onChange(text.trim())
  }
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      type={kind === 'date' ? 'date' : 'text'}
      size="sm"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && apply()}
    />
  )
}
