import { Button, Group, List, Menu, Modal, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api.ts'
import { formatWord } from '../../format.ts'
import { Facts } from '../../parts/facts.tsx'
import { Problem } from '../../parts/problem.tsx'
import { t } from '../../texts/index.ts'
import { translateMessage } from '../../texts/messages.ts'
import type { InvoicesDone } from '../../wire.ts'

const actions = ['issue', 'remind', 'void'] as const
type Action = (typeof actions)[number]
/** The filters of the list that choose invoices. */
const names = [
  'number',
  'state',
  'overdue',
  'tag',
  'customer_number',
  'batch',
  'phonenumber',
  'total',
  'currency',
  'due_after',
  'due_before',
] as const
type Filter = Partial<Record<(typeof names)[number], string>>
const SHOWN = 20

/** Issues, reminds of or voids all invoices that match the filters of the list. */
export function AllMatching() {
  const search: Record<string, string> = useSearch({ strict: false })
  const [action, setAction] = useState<Action>()
  const filter: Filter = Object.fromEntries(names.flatMap((name) => (search[name] ? [[name, search[name]]] : [])))
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button variant="default">{t('batches.all.button')}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('batches.all.about')}</Menu.Label>
          {actions.map((one) => (
            <Menu.Item key={one} onClick={() => setAction(one)}>
              {t(`batches.all.${one}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={action !== undefined}
        onClose={() => setAction(undefined)}
        title={action && t(`batches.all.${action}`)}
      >
        {action && <Ask key={action} action={action} filter={filter} close={() => setAction(undefined)} />}
      </Modal>
    </>
  )
}

/** Return the filters with their names, as the list shows them. */
function describeFilter(filter: Filter) {
  const words = (name: string, value: string) =>
    name === 'state' || name === 'overdue' ? formatWord(value, 'invoice') : value
  return names.flatMap((name) => {
    const value = filter[name]
    return value === undefined ? [] : [[t(`invoices.fields.${name}`), words(name, value)] as const]
  })
}

function Ask({ action, filter, close }: { action: Action; filter: Filter; close(): void }) {
  const [reason, setReason] = useState('')
  const client = useQueryClient()
  const run = useMutation({
    mutationFn: () =>
      api.post<InvoicesDone>(`/invoices/${action}`, { filter, ...(action === 'void' && reason.trim() && { reason }) }),
    onSuccess: ({ done, left_out }) => {
      client.invalidateQueries({ queryKey: ['/invoices'] })
      if (left_out.length > 0) return
      notifications.show({ color: 'green', message: t('batches.all.done', { count: done }) })
      close()
    },
  })
  if (run.data && run.data.left_out.length > 0) return <LeftOut result={run.data} close={close} />
  if (Object.keys(filter).length === 0) return <Text fz="sm">{t('batches.all.no_filter')}</Text>
  return (
    <Stack>
      <Text fz="sm">{t(`batches.all.${action}_text`)}</Text>
      <Facts bare facts={describeFilter(filter)} />
      {action === 'void' && (
        <TextInput
          label={t('invoices.void.reason')}
          maxLength={200}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      <Problem error={run.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {t('parts.go_back')}
        </Button>
        <Button color={action === 'void' ? 'red.9' : undefined} loading={run.isPending} onClick={() => run.mutate()}>
          {t(`batches.all.${action}`)}
        </Button>
      </Group>
    </Stack>
  )
}

function LeftOut({ result: { done, left_out }, close }: { result: InvoicesDone; close(): void }) {
  return (
    <Stack gap="xs" role="status">
      <Text fz="sm">{t('batches.all.done', { count: done })}</Text>
      <Text fz="sm" fw={600}>
        {t('batches.all.left_out')}
      </Text>
      <List size="sm">
        {left_out.slice(0, SHOWN).map(({ invoice, number, message }) => (
          <List.Item key={invoice}>
            {number ?? `#${invoice}`}: {translateMessage(message)}
          </List.Item>
        ))}
      </List>
      {left_out.length > SHOWN && <Text fz="sm">+ {left_out.length - SHOWN}</Text>}
      <Button variant="default" onClick={close} ml="auto">
        {t('parts.close')}
      </Button>
    </Stack>
  )
}
