import { ActionIcon, Box, Button, Group, Kbd, Modal, ScrollArea, Text, TextInput } from '@mantine/core'
import { useDebouncedValue, useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconHistory, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { api } from '../../api.ts'
import { Problem } from '../../parts/problem.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { SearchGroup } from '../../wire.ts'
import { useRecentSearches } from './recent.ts'
import { Line, type Option, optionId, optionsOf, Results } from './results.tsx'

/** People type on while an answer is on its way; a search for every letter would only be work. */
const TYPING_MS = 120
/** The service takes no longer texts. */
const MAX_LENGTH = 100

const is_apple = /Mac|iPhone|iPad/.test(navigator.platform)

/** The button in the header that opens the search, and the keys that do. */
export function Search() {
  const { may } = useSession()
  const [opened, { open, close }] = useDisclosure()
  useHotkeys([['mod+K', open]], [])
  if (!may('view')) return null
  return (
    <>
      <Button
        variant="default"
        size="xs"
        h={34}
        visibleFrom="sm"
        leftSection={<IconSearch size={16} />}
        rightSection={<Kbd size="xs">{t(is_apple ? 'shell.search.keys_apple' : 'shell.search.keys')}</Kbd>}
        aria-keyshortcuts={is_apple ? 'Meta+K' : 'Control+K'}
        onClick={open}
      >
        {t('shell.search.open')}
      </Button>
      <ActionIcon variant="default" size={34} hiddenFrom="sm" aria-label={t('shell.search.open')} onClick={open}>
        <IconSearch size={18} />
      </ActionIcon>
      <Modal
        opened={opened}
        onClose={close}
        title={t('shell.search.title')}
        size="lg"
        yOffset="8dvh"
        scrollAreaComponent={ScrollArea.Autosize}
      >
        <SearchForm onLeave={close} />
      </Modal>
    </>
  )
}

/** Text field with its results. The arrow keys move through the list, and Enter opens the active one. */
function SearchForm({ onLeave }: { onLeave(): void }) {
  const navigate = useNavigate()
  const recent = useRecentSearches()
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim(), TYPING_MS)
  const { data, error, refetch } = useSearchResult(text)
  const groups = typed.trim() === '' ? [] : (data?.groups ?? [])
  const options: Option[] =
    typed.trim() === ''
      ? recent.texts.map((one, index) => ({ key: `recent-${index}`, text: one }))
      : optionsOf(groups, data?.text ?? '')
  const [pointed, setPointed] = useState<string>()
  // Enter opens no result of an earlier text, unless the person has chosen it.
  const is_current = typed.trim() === '' || data?.text === typed.trim()
  const active = options.find(({ key }) => key === pointed)?.key ?? (is_current ? options[0]?.key : undefined)
  const choose = (key: string) => {
    const option = options.find((one) => one.key === key)
    if (option?.text !== undefined) return setTyped(option.text)
    if (option?.path === undefined) return
    recent.add(typed.trim())
    onLeave()
    navigate({ href: option.path })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter' && active !== undefined) choose(active)
    if (step === undefined || options.length === 0) return
    event.preventDefault()
    const at = options.findIndex(({ key }) => key === (active ?? options[0]!.key))
    const next = options[(at + step + options.length) % options.length]!
    setPointed(next.key)
    document.getElementById(optionId(next.key))?.scrollIntoView({ block: 'nearest' })
  }
  const list = { active, onPoint: setPointed, onChoose: choose }
  return (
    <>
      <TextInput
        data-autofocus
        size="md"
        role="combobox"
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_LENGTH}
        aria-label={t('shell.search.open')}
        aria-expanded={options.length > 0}
        aria-controls="search-options"
        aria-autocomplete="list"
        aria-activedescendant={active && optionId(active)}
        placeholder={t('shell.search.placeholder')}
        leftSection={<IconSearch size={18} />}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setPointed(undefined)
        }}
        onKeyDown={onKeyDown}
      />
      <Box mt="sm" id="search-options" role="listbox" aria-label={t('shell.search.title')} className="search-options">
        {typed.trim() === '' ? <Recent texts={recent.texts} {...list} /> : <Results groups={groups} {...list} />}
      </Box>
      {typed.trim() === '' && recent.texts.length > 0 && (
        <Button variant="subtle" size="xs" onClick={recent.clear}>
          {t('shell.search.clear')}
        </Button>
      )}
      <Problem error={text === '' ? null : error} retry={refetch} />
      <Note typed={typed.trim()} searched={data?.text} found={groups.length > 0} has_recent={recent.texts.length > 0} />
    </>
  )
}

function useSearchResult(text: string) {
  return useQuery({
    queryKey: ['search', text],
    queryFn: async () => ({ text, ...(await api.get<{ groups: SearchGroup[] }>('/search', { q: text })) }),
    enabled: text !== '',
    placeholderData: keepPreviousData,
  })
}

function Recent({
  texts,
  ...list
}: { texts: readonly string[] } & Omit<Parameters<typeof Line>[0], 'id' | 'children'>) {
  if (texts.length === 0) return null
  return (
    <Box role="group" aria-label={t('shell.search.recent')}>
      <Text fz="xs" fw={600} c="dimmed" px="sm" py={4} aria-hidden>
        {t('shell.search.recent')}
      </Text>
      {texts.map((text, index) => (
        <Line key={text} id={`recent-${index}`} {...list}>
          <Group gap="xs" wrap="nowrap">
            <IconHistory size={16} aria-hidden />
            <Text fz="sm" className="any-break">
              {text}
            </Text>
          </Group>
        </Line>
      ))}
    </Box>
  )
}

/** Hint on possible searches, or that nothing was found. */
function Note(props: { typed: string; searched: string | undefined; found: boolean; has_recent: boolean }) {
  const { typed, searched, found, has_recent } = props
  const nothing = typed !== '' && searched === typed && !found
  const text = nothing ? t('shell.search.none') : typed === '' && !has_recent ? t('shell.search.about') : ''
  return (
    <Text fz="sm" c="dimmed" px="sm" py={text ? 'xs' : 0} role="status">
      {text}
    </Text>
  )
}
