import { Group, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react'
import { api } from '../../api.ts'
import { More, Panel } from '../../parts/panel.tsx'
import { t } from '../../texts/index.ts'
import type { Checklist } from '../../wire.ts'
import { describeItem } from '../connections/checklist-words.ts'
import { controls } from './controls.tsx'

type Item = Checklist['items'][number]

export const checklistQuery = {
  queryKey: ['/go-live'],
  queryFn: () => api.get<Checklist>('/go-live'),
}

/** Return the number of items without which no money moves, or not safely. */
export function countOpen({ items }: Checklist): number {
  return items.filter(({ state }) => state === 'open').length
}

/** Items of the checklist, each with its form or the way there. Finished ones are folded. */
export function ChecklistPanel({ checklist }: { checklist: Checklist }) {
  const open = countOpen(checklist)
  const done = checklist.items.filter(({ state }) => state === 'done')
  const left = ['open', 'advice'].flatMap((state) => checklist.items.filter((item) => item.state === state))
  return (
    <Panel
      title={open === 0 ? t('connections.go_live.nothing_missing') : t('connections.go_live.missing', { count: open })}
    >
      <ChecklistItems items={left} />
      {done.length > 0 && (
        <More summary={t('connections.go_live.done', { count: done.length })}>
          <ChecklistItems items={done} />
        </More>
      )}
    </Panel>
  )
}

export function ChecklistItems({ items }: { items: readonly Item[] }) {
  return (
    <Stack component="ul" gap="md" p={0} m={0} className="bare-list">
      {items.map((item) => (
        <ChecklistItem key={item.name} item={item} />
      ))}
    </Stack>
  )
}

const looks = {
  done: { color: 'green', icon: IconCheck, word: t('connections.go_live.states.done') },
  open: { color: 'red', icon: IconX, word: t('connections.go_live.states.open') },
  advice: { color: 'yellow', icon: IconAlertTriangle, word: t('connections.go_live.states.advice') },
} as const

function ChecklistItem({ item }: { item: Item }) {
  const { name, state } = item
  const { found, todo } = describeItem(item)
  const { color, icon: Icon, word } = looks[state]
  const Control = controls[name]
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <ThemeIcon size={22} radius="xl" color={color} variant="light" aria-hidden>
        <Icon size={14} />
      </ThemeIcon>
      <Stack gap={6} flex={1} miw={0}>
        <Text fz="sm" className="any-break">
          <b>{word}.</b> {found}
        </Text>
        {Control && (state !== 'done' || name === 'callback_address') && <Control item={item} />}
        {todo !== null && (
          <Text fz="xs" c="dimmed" className="any-break">
            {Control && todo.startsWith('npx ') ? t('connections.go_live.or_in_terminal', { command: todo }) : todo}
          </Text>
        )}
      </Stack>
    </Group>
  )
}
