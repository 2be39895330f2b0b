import { Button, Group, Menu, Select, TextInput } from '@mantine/core'
import { IconPlus, IconSearch, IconX } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { formatWord } from '../format.ts'
import type { StateNoun } from '../texts/agreement.ts'
import { t } from '../texts/index.ts'
import { DaysFilter } from './fields/days-filter.tsx'
import './fields/filters.css'

/** A filter of a list, by its name in the interface. */
export interface Filter {
  name: string
  label: string
  /** The values to choose from, codes or values with labels; without them the filter takes any text. */
  choices?: readonly (string | { value: string; label: string })[]
  /** Noun with which the choices agree, if they are states. */
  noun?: StateNoun
  placeholder?: string
  kind?: 'text' | 'date' | 'search' | 'days'
  /** True for rarely used filters, which the user adds. */
  more?: boolean
}

/** The filters above a list. Their values are in the address, so that a filtered list can be saved and shared. */
export function Filters({ filters }: { filters: Filter[] }) {
  const search: Record<string, string> = useSearch({ strict: false })
  const navigate = useNavigate()
  const set = (values: Record<string, string | undefined>) =>
    navigate({ to: '.', search: (before: object) => ({ ...before, ...values, page: undefined }) as never })
  const [added, setAdded] = useState<readonly string[]>([])
  const shown = filters.filter(({ name, more }) => !more || search[name] || added.includes(name))
  const clear = () => {
    setAdded([])
    set(Object.fromEntries(filters.map(({ name }) => [name, undefined])))
  }
  return (
    <Group gap="sm" align="flex-end" role="search" aria-label={t('parts.filters')} className="filters">
      {shown.map((filter) => (
        <FilterField
          key={filter.name}
          filter={filter}
          value={search[filter.name] ?? ''}
          is_new={filter.name === added.at(-1) && !search[filter.name]}
          onChange={(value) => set({ [filter.name]: value || undefined })}
        />
      ))}
      <AddFilter filters={filters.filter((one) => !shown.includes(one))} add={(name) => setAdded([...added, name])} />
      {filters.some(({ name }) => search[name]) && (
        <Button variant="default" size="sm" leftSection={<IconX size={14} />} onClick={clear}>
          {t('parts.clear')}
        </Button>
      )}
    </Group>
  )
}

/** The menu of the filters that are not shown yet. */
function AddFilter({ filters, add }: { filters: readonly Filter[]; add(name: string): void }) {
  if (filters.length === 0) return null
  return (
    // The focus goes to the new field, not back to the button.
    <Menu position="bottom-start" withinPortal returnFocus={false}>
      <Menu.Target>
        <Button variant="subtle" size="sm" px="xs" leftSection={<IconPlus size={16} />}>
          {t('parts.add_filter')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="50dvh" className="scrolled">
        {filters.map(({ name, label }) => (
          <Menu.Item key={name} onClick={() => add(name)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

interface FieldProps {
  filter: Filter
  value: string
  /** True for a filter that the user has just added. */
  is_new: boolean
  onChange(value: string): void
}

function FilterField({ filter, value, is_new, onChange }: FieldProps) {
  const { label, choices, noun, kind } = filter
  if (kind === 'days') return <DaysFilter label={label} value={value} onChange={onChange} />
  if (!choices) return <TextFilter {...{ filter, value, is_new, onChange }} />
  return (
    <Select
      label={label}
      placeholder={t('parts.any')}
      size="sm"
      clearable
      clearButtonProps={{ 'aria-label': t('parts.clear_filter', { filter: label }), tabIndex: -1 }}
      searchable={choices.length > 15}
      autoFocus={is_new}
      data={choices.map((one) => (typeof one === 'string' ? { value: one, label: formatWord(one, noun) } : one))}
      value={value || null}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  )
}

/** A text filter that applies on blur or Enter, not with every letter. */
function TextFilter({ filter, value, is_new, onChange }: FieldProps) {
  const [text, setText] = useState(value)
  const [applied, setApplied] = useState(value)
  // The address has changed, such as with "Clear". The field stays, and keeps the focus.
  if (applied !== value) {
    setApplied(value)
    setText(value)
  }
  const { label, placeholder, kind } = filter
  const apply = () => {
    if (text.trim() !== value) onChange(text.trim())
  }
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      type={kind === 'date' ? 'date' : 'text'}
      size="sm"
      className={kind === 'search' ? 'filter-search' : undefined}
      leftSection={kind === 'search' ? <IconSearch size={16} aria-hidden /> : undefined}
      maxLength={kind === 'search' ? MAX_SEARCH_LENGTH : undefined}
      autoFocus={is_new}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && apply()}
    />
  )
}

/** The service takes no longer texts. */
const MAX_SEARCH_LENGTH = 100

/** The search field of a list, which finds parts of what people type. @param finds texts that it searches */
export const searchFilter = (finds: string): Filter => ({
  name: 'search',
  label: t('shell.search.open'),
  placeholder: finds,
  kind: 'search',
})
